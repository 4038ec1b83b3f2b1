package screen

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

const (
	gap      = 2  // columns between two cells
	leastRow = 28 // columns of a title, below which what stands beside it goes on a line of its own
	longName = 28 // columns of a last cell, beyond which its row alone gets that line
)

// Table is a list of things. The first cell of a row is the thing's title, the last one what a command calls it, and
// those between say more. A cell may be empty.
type Table struct{ rows [][]string }

// Add adds a row. All rows have the same number of cells, at least two.
func (t *Table) Add(cells ...string) { t.rows = append(t.rows, cells) }

// Fit returns the table for a screen, a line for each row: only titles are cut. On a narrow screen a row has two lines,
// at any terminal a row whose last cell is long. Where there is no terminal nothing is cut.
func (t *Table) Fit(s Screen) string {
	if len(t.rows) == 0 {
		return ""
	}
	wide := make([]int, len(t.rows[0])) // of the columns
	isLong := func(row []string) bool { return s.Wide > 0 && Columns(row[len(row)-1]) > longName }
	for _, row := range t.rows {
		if isLong(row) {
			continue
		}
		for i, cell := range row {
			wide[i] = max(wide[i], Columns(cell))
		}
	}
	beside := 0
	for _, w := range wide[1:] {
		if w > 0 {
			beside += gap + w
		}
	}
	room, title := wide[0], 0
	if s.Wide > 0 {
		room = min(room, s.Wide-beside)
	}
	for _, row := range t.rows {
		if isLong(row) {
			continue
		}
		title = max(title, Columns(text.Fit(row[0], room)))
	}
	var b strings.Builder
	for _, row := range t.rows {
		if isLong(row) || room < min(wide[0], leastRow) {
			below(&b, s, row)
			continue
		}
		line := pad(text.Fit(row[0], room), title)
		for i, cell := range row[1:] {
			if wide[i+1] == 0 {
				continue
			}
			if cell = pad(cell, wide[i+1]); i < len(row)-2 {
				cell = s.Quiet(cell)
			}
			line += strings.Repeat(" ", gap) + cell
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// below writes a row on two lines, or more where the second one is too long.
func below(b *strings.Builder, s Screen, row []string) {
	b.WriteString(s.Strong(text.Fit(row[0], s.Wide)) + "\n")
	var cells []string
	for i, cell := range row[1:] {
		if i < len(row)-2 {
			cell = s.Quiet(cell)
		}
		if cell != "" {
			cells = append(cells, cell)
		}
	}
	if len(cells) > 0 {
		b.WriteString(WrapBelow("  "+strings.Join(cells, " · "), s.Wide, gap) + "\n")
	}
}

func pad(s string, columns int) string { return s + strings.Repeat(" ", max(0, columns-Columns(s))) }
