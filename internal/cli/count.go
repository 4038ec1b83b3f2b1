package cli

import "github.com/mementohq/memento/internal/text"

// count is n things of a kind, in words that fit the number.
func count(n int, thing string) string { return text.Count(n, thing) }
