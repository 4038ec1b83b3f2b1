package cli

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/screen"
	"github.com/mementohq/memento/internal/text"
)

// maxLines is how many lines of the history Claude is shown without --raw.
const maxLines = 50

// history returns what memento show --history lists, oldest first: the missions, or all lines.
func (at *place) history(missions bool) (lines []log.Entry, err error) {
	if missions {
		return history.Missions(at.store.Lane)
	}
	err = history.Read(at.store.Lane, func(l log.Entry) bool {
		lines = append(lines, l)
		return true
	})
	return lines, err
}

// numberOf returns the number by which a list shows a mission: six digits of its session and its words, which stay
// whatever else the list gains and loses.
func numberOf(mission log.Entry) int {
	h := fnv.New64a()
	h.Write([]byte(mission.Session + "\x00" + mission.Text + "\x00"))
	return 100_000 + int(h.Sum64()%900_000)
}

// missionWith returns the mission with the number n, or the n-th from the newest.
func missionWith(missions []log.Entry, n int) (found log.Entry, err error) {
	for i, l := range missions {
		if numberOf(l) == n || len(missions)-i == n {
			return l, nil
		}
	}
	return found, hinted("memento show --missions", "no mission %d", n)
}

// showHistory prints what left the journal and what was typed, or only the missions, each with its number.
func showHistory(c *call, at *place, f showFlags) error {
	lines, err := at.history(f.missions)
	if err != nil {
		return err
	}
	inHand := func(log.Entry) bool { return false }
	if j, err := at.store.Read(); err == nil && f.missions {
		inHand = func(l log.Entry) bool { return at.inHand(j, l) }
	}
	if c.json {
		raw, numbers, open := []json.RawMessage{}, []int{}, []int{}
		for _, l := range lines {
			raw = append(raw, json.RawMessage(l.JSON()))
			if f.missions {
				numbers = append(numbers, numberOf(l))
			}
			if inHand(l) {
				open = append(open, numberOf(l))
			}
		}
		c.printJSON(members{{"lines", raw}, {"numbers", numbers}, {"open", open}})
		return nil
	}
	if len(lines) == 0 {
		none := "There is no history yet."
		if f.missions {
			none = "No mission was parked, left or closed yet."
		}
		fmt.Fprintln(c.Out, none)
		return nil
	}
	more := 0
	if c.by == journal.ByClaude && !f.raw {
		more = max(0, len(lines)-maxLines)
	}
	var table screen.Table
	for _, l := range lines[more:] {
		kind, words, when := l.Kind, text.Line(l.Text), local(l.Stamp())
		switch {
		case inHand(l):
			kind = "open"
		case kind == "mission":
			kind = l.Reason // parked, closed, cleared
		case kind == "subagent":
			words = strings.TrimPrefix(text.Line(l.AgentType)+": ", ": ") + words
		}
		if c.screen.Wide > 0 {
			when = c.short(l.Time)
		} else {
			words, _ = text.Cut(words, 160)
		}
		cells := []string{when, text.Line(kind), words}
		if f.missions {
			cells = append([]string{strconv.Itoa(numberOf(l))}, cells...)
		}
		if c.screen.Wide > 0 { // the words first, and the number, which a person types, last
			slices.Reverse(cells)
		}
		table.Add(cells...)
	}
	fmt.Fprint(c.Out, table.Fit(c.screen))
	if more > 0 {
		fmt.Fprintf(c.Out, "(%d older; --raw shows all)\n", more)
	}
	return nil
}
