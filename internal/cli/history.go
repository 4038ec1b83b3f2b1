package cli

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/text"
)

// maxLines is how many lines of the history Claude is shown without --raw.
const maxLines = 50

// numberOf returns the number by which memento mission --resume brings back a mission: six digits of its session and
// its words, which stay whatever else the history gains and loses.
func numberOf(mission log.Entry) int {
	h := fnv.New64a()
	h.Write([]byte(mission.Session + "\x00" + mission.Text + "\x00"))
	return 100_000 + int(h.Sum64()%900_000)
}

// missionWith returns the mission with the number n.
func missionWith(missions []log.Entry, n int) (found log.Entry, err error) {
	for _, l := range missions {
		if numberOf(l) == n {
			return l, nil
		}
	}
	return found, hinted("memento show --history has the numbers", "no mission %d", n)
}

// showHistory prints what left the journal and what was typed, oldest first, and each mission with its number.
func showHistory(c *call, at *place, raw bool) error {
	var lines []log.Entry
	if err := history.Read(at.store.Lane, func(l log.Entry) bool {
		lines = append(lines, l)
		return true
	}); err != nil {
		return err
	}
	if c.json {
		all := []json.RawMessage{}
		for _, l := range lines {
			all = append(all, json.RawMessage(l.JSON()))
		}
		c.printJSON(members{{"lines", all}})
		return nil
	}
	if len(lines) == 0 {
		fmt.Fprintln(c.Out, "There is no history yet.")
		return nil
	}
	more := 0
	if c.by == journal.ByClaude && !raw {
		more = max(0, len(lines)-maxLines)
	}
	for _, l := range lines[more:] {
		kind, words, when := text.Line(l.Kind), text.Line(l.Text), local(l.Stamp())
		switch kind {
		case log.Mission:
			kind = fmt.Sprintf("%s %d", text.Line(l.Reason), numberOf(l)) // parked, closed, cleared
		case "subagent":
			words = strings.TrimPrefix(text.Line(l.AgentType)+": ", ": ") + words
		}
		if !raw {
			words, _ = text.Cut(words, maxShown)
		}
		c.printLine(len(when)+2, joined("  ", when, kind, words))
	}
	if more > 0 {
		fmt.Fprintf(c.Out, "(%d older; --raw shows all)\n", more)
	}
	return nil
}
