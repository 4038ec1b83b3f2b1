package cli

import "fmt"

// row prints a line of an answer that is a table of names and what they are; "" goes on with the name before.
func (c *call) row(name, format string, args ...any) {
	fmt.Fprintf(c.Out, "%-9s%s\n", name, fmt.Sprintf(format, args...))
}
