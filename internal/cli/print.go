package cli

import (
	"fmt"

	"github.com/mementohq/memento/internal/text"
)

// row prints a line of a table: a name, and words about it. An empty name continues the row above.
func (c *call) row(name, format string, args ...any) {
	fmt.Fprintf(c.Out, "%-9s%s\n", name, fmt.Sprintf(format, args...))
}

// count puts a number and a thing into words: 1 record, 2 records.
func count(n int, thing string) string { return text.Count(n, thing) }
