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

	out := c.Out
	defer func() { c.Out = out }()
	var screen strings.Builder
	c.Out = &screen
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
	c.printNewest(o, max(0, maxHereLines-2-strings.Count(screen.String(), "\n"))) // two lines follow
	c.row("more", "memento help; memento status; memento index")
	for line := range strings.Lines(screen.String()) {
		line = strings.TrimSuffix(line, "\n")
		if text.Runes(line) > maxHereWide && !strings.HasPrefix(line, "journal ") {
			line, _ = text.Cut(line, maxHereWide)
		}
		fmt.Fprintln(out, line)
	}
	return nil
}
