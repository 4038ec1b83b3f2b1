package cli

import (
	"fmt"

	"github.com/mementohq/memento/internal/screen"
	"github.com/mementohq/memento/internal/text"
)

// row prints a line of a table: a name, and words about it. An empty name continues the row above.
func (c *call) row(name, format string, args ...any) { c.rowIn("", name, fmt.Sprintf(format, args...)) }

// rowIn is row, in a table that begins with lead.
func (c *call) rowIn(lead, name, words string) {
	c.printLine(len(lead)+rowWide, lead+c.screen.Quiet(fmt.Sprintf("%-*s", rowWide, name))+words)
}

// printLine prints a line of which, at a terminal, the parts after the first begin in the column below.
func (c *call) printLine(below int, line string) {
	if c.screen.Wide > 0 {
		line = screen.WrapBelow(line, c.screen.Wide, below)
	}
	fmt.Fprintln(c.Out, line)
}

// rowWide is how many columns the name of a row takes.
const rowWide = 9

// count puts a number and a thing into words: 1 record, 2 records.
func count(n int, thing string) string { return text.Count(n, thing) }
