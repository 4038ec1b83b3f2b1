package cli

import (
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// The size of the screen that memento alone fills, without the line of the shell's prompt.
const (
	maxHereLines = 23
	maxHereWide  = 80
)

// uncut is a width in which every line fits.
const uncut = 1 << 30

// runHere prints the answers of status and index, on one screen, for a person who typed memento alone. It cuts long
// lines, except the journal's path.
func runHere(c *call) error {
	at, err := c.openHere()
	if err != nil {
		return err
	}
	records, err := c.shelf()
	if err != nil {
		return err
	}
	s, j := c.statusOf(at)
	var t task
	if j != nil {
		t = taskOf(j)
	}
	o, err := c.lookOver(records, &t, false)
	if err != nil {
		return err
	}

	out, screen := c.Out, c.screen
	wide, lines := maxHereWide, maxHereLines
	var head strings.Builder
	c.Out, c.screen.Styled = &head, false
	if screen.Wide > 0 {
		wide, lines, c.screen.Wide = screen.Wide, screen.High-1, uncut
	}
	c.printSwitch(s)
	c.printPlace(s.status)
	c.printProgress(t)
	if s.unread != nil {
		c.row("history", "not read to its end: %s", text.Line(worded(s.unread)))
	} else {
		c.row("history", "%s, %d of them things you typed", count(s.History, "line"), s.Said)
	}
	c.printSession(s)
	c.printSync(s)
	own := ""
	if s.Own > 0 {
		own = fmt.Sprintf("; %d of your own", s.Own)
	}
	c.row("records", "%s%s", counts(o), own)
	c.printWaiting(s.recordCount)
	newest := func() error {
		err := c.printNewest(records, o, max(0, lines-2-strings.Count(head.String(), "\n"))) // two lines follow
		c.row("more", "memento help; memento status; memento index")
		return err
	}
	if screen.Wide == 0 {
		err = newest()
	}
	c.Out, c.screen = out, screen
	for line := range strings.Lines(head.String()) {
		line = strings.TrimSuffix(line, "\n")
		if screen.Wide > 0 {
			line = text.Fit(line, wide)
		} else if !strings.HasPrefix(line, "journal ") {
			line, _ = text.Cut(line, wide)
		}
		name := min(len(line), rowWide)
		fmt.Fprintln(out, screen.Quiet(line[:name])+line[name:])
	}
	if screen.Wide > 0 {
		err = newest()
	}
	return err
}
