package text

import "strings"

// Nearest returns the name that differs least from name, "" if none is close. Close names differ in at most two
// letters, short names in one.
func Nearest(name string, names []string) string {
	name = strings.ToLower(name)
	best, least := "", min(3, len(name)/2+1)
	for _, n := range names {
		if d := distance(name, n); d < least {
			best, least = n, d
		}
	}
	return best
}

// distance returns how many letters to insert, delete, replace or swap with their neighbour to make b from a.
func distance(a, b string) int {
	var before []int
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := row[j-1]
			if a[i-1] != b[j-1] {
				cost++
			}
			next[j] = min(cost, row[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
