package cli

import (
	"fmt"

	"github.com/mementohq/memento/internal/screen"
	"github.com/mementohq/memento/internal/text"
)

// row prints a line of a table: a name, and words about it. An empty name continues the row above.
func (o *output) row(name, format string, args ...any) {
	o.rowIn("", name, fmt.Sprintf(format, args...))
}

// rows prints the lines of a table that have words: of each the name, and the words.
func (o *output) rows(rows [][2]string) {
	for _, row := range rows {
		if row[1] != "" {
			o.rowIn("", row[0], row[1])
		}
	}
}

// rowIn is row, in a table that begins with lead.
func (o *output) rowIn(lead, name, words string) {
	o.printLine(len(lead)+rowWide, lead+o.screen.Quiet(fmt.Sprintf("%-*s", rowWide, name))+words)
}

// printLine prints a line of which, at a terminal, the parts after the first begin in the column below.
func (o *output) printLine(below int, line string) {
	if o.screen.Wide > 0 {
		line = screen.WrapBelow(line, o.screen.Wide, below)
	}
	fmt.Fprintln(o.Out, line)
}

// rowWide is how many columns the name of a row takes.
const rowWide = 9

// count puts a number and a thing into words: 1 record, 2 records.
func count(n int, thing string) string { return text.Count(n, thing) }
