package cli

import "fmt"

// count is n things of a kind, in words that fit the number.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
