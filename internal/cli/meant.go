package cli

import (
	"strings"
)

// unknownCommand is the error of a first word that is no command.
func unknownCommand(name string) error {
	if strings.HasPrefix(name, "-") {
		return usage("memento help", "a command comes first, and then %q", name)
	}
	return usage(suggestion(name), "unknown command %q", name)
}

// meant is the command of a word that other programs have for the same, "" for any other.
func meant(word string) string {
	switch strings.ToLower(word) {
	case "delete", "remove", "del":
		return "rm"
	case "add", "create", "new", "remember":
		return "save"
	case "ls":
		return "list"
	case "find", "recall", "grep":
		return "search"
	case "init", "setup":
		return "install"
	case "set", "get", "settings":
		return "config"
	case "log":
		return "history"
	case "cat", "view":
		return "show"
	case "update":
		return "edit"
	case "rename":
		return "migrate"
	case "projects":
		return "workspace"
	case "stop":
		return "pause"
	case "erase":
		return "forget"
	case "check":
		return "doctor"
	case "suggestions":
		return "inbox"
	}
	return ""
}

// suggestion names the command that was probably meant.
func suggestion(name string) string {
	var names []string
	for _, c := range public() {
		names = append(names, c.name)
	}
	near := meant(name)
	if near == "" {
		near = nearest(name, names)
	}
	if near != "" {
		return "did you mean \"memento " + near + "\"?"
	}
	return "memento help"
}

// oneOf is the hint against a word that is none of known: those there are, and the one that was probably meant.
func oneOf(word string, known []string) string {
	hint := "one of " + strings.Join(known, ", ")
	if near := nearest(word, known); near != "" {
		hint = "did you mean " + near + "? It is " + hint
	}
	return hint
}

// nearest returns the one of names that name was probably meant to be, or "": with at most two slips, and at most one
// to two letters.
func nearest(name string, names []string) string {
	name = strings.ToLower(name)
	best, least := "", min(3, len(name)/2+1)
	for _, n := range names {
		if d := distance(name, n); d < least {
			best, least = n, d
		}
	}
	return best
}

// distance counts the letters to insert, delete, exchange or swap with the next one between a and b.
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
