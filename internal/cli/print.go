package cli

import (
	"fmt"

	"github.com/mementohq/memento/internal/text"
)

// row prints a line of an answer that is a table of names and what they are; "" goes on with the name before.
func (c *call) row(name, format string, args ...any) {
	fmt.Fprintf(c.Out, "%-9s%s\n", name, fmt.Sprintf(format, args...))
}

// count is n things of a kind, in words that fit the number.
func count(n int, thing string) string { return text.Count(n, thing) }
