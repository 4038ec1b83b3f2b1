package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/screen"
	"github.com/mementohq/memento/internal/text"
)

// maxLines is how many lines of the history Claude is shown without --raw.
const maxLines = 50

// history returns what memento show --history lists, oldest first: the missions, or all lines. Lines of memento's own
// bookkeeping come only with bookkeeping.
func (at *place) history(missions, bookkeeping bool) (lines []history.Line, err error) {
	if missions {
		return history.Missions(at.store.Lane)
	}
	err = history.Read(at.store.Lane, func(l history.Line) bool {
		if l.Kind != "applied" && l.Kind != "confirmed" || bookkeeping {
			lines = append(lines, l)
		}
		return true
	})
	return lines, err
}

// lineIdentity returns the identity of a line. A mission's leaves out the time, so that its number stays when the
// mission is put away again.
func lineIdentity(l history.Line) uint64 {
	if l.Kind == "mission" {
		return identity(l.Kind, l.Session, l.Text)
	}
	return identity(l.Kind, l.Session, l.Text, l.TS, l.Ref)
}

// lineNumber returns the number of a line as a person sees it.
func lineNumber(l history.Line) int { return shownNumber(lineIdentity(l)) }

// lineWith returns the line with the number n, or the n-th from the newest. A line is called thing, and the command
// look lists them.
func lineWith(lines []history.Line, n int, thing, look string) (found history.Line, err error) {
	newest := slices.Clone(lines)
	slices.Reverse(newest)
	return withNumber(newest, lineIdentity, n, thing, look)
}

// showHistory prints what left the journal and what was typed, or only the missions.
func showHistory(c *call, at *place, f showFlags) error {
	lines, err := at.history(f.missions, c.json)
	if err != nil {
		return err
	}
	numbers := []int{}
	for _, l := range lines {
		numbers = append(numbers, lineNumber(l))
	}
	inHand := func(history.Line) bool { return false }
	if j, err := at.store.Read(); err == nil && f.missions {
		inHand = func(l history.Line) bool { return at.inHand(j, l) }
	}
	if c.json {
		raw, open := []json.RawMessage{}, []int{}
		for i, l := range lines {
			raw = append(raw, json.RawMessage(l.Raw))
			if inHand(l) {
				open = append(open, numbers[i])
			}
		}
		c.printJSON(members{{"path", at.store.Lane.History()}, {"lines", raw}, {"numbers", numbers},
			{"open", open}})
		return nil
	}
	if len(lines) == 0 {
		none := "There is no history yet."
		if f.missions {
			none = "No mission was parked, left or closed yet."
		}
		c.row("history", "%s", c.path(at.store.Lane.History()))
		fmt.Fprintln(c.Out, none)
		return nil
	}
	more := 0
	if c.by == journal.ByClaude && !f.raw {
		more = max(0, len(lines)-maxLines)
	}
	var table screen.Table
	for i, l := range lines[more:] {
		kind, words, number := l.Kind, l.Text, strconv.Itoa(numbers[more+i])
		switch {
		case inHand(l):
			kind = "open"
		case kind == "mission":
			kind = l.Reason // parked, closed, cleared
		case kind == "subagent":
			words = strings.TrimPrefix(l.AgentType+": ", ": ") + words
		}
		if c.screen.Wide > 0 {
			when, _ := time.Parse(time.RFC3339, l.TS)
			table.Add(text.Line(words), text.Line(kind), c.short(when), number)
		} else {
			words, _ = text.Cut(text.Line(words), 160)
			table.Add(number, local(l.TS), text.Line(kind), words)
		}
	}
	fmt.Fprint(c.Out, table.Fit(c.screen))
	if more > 0 {
		fmt.Fprintf(c.Out, "(%d older; --raw shows all)\n", more)
	}
	return nil
}
