package cli

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
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

// showPast prints, oldest first, everything that the user typed, or what left the journal, too, and each mission with
// its number.
func showPast(c *call, lane project.Lane, f showFlags) (err error) {
	var lines []log.Entry
	if f.said {
		lines, err = history.Typed(lane)
	} else {
		err = history.Read(lane, func(l log.Entry) bool { lines = append(lines, l); return true })
	}
	switch {
	case err != nil:
		return err
	case c.json:
		return c.printJSON(pastFields(lines, f.said))
	case len(lines) == 0:
		fmt.Fprintln(c.Out, "Nothing yet: what you type to Claude Code in this project is kept from the next prompt on.")
	}
	more := 0
	if c.by == journal.ByClaude && !f.raw && !f.said {
		more = max(0, len(lines)-maxLines)
	}
	for _, l := range lines[more:] {
		when, words, gone := local(l.Stamp()), readable(l.Text), ""
		if f.said {
			if l.Gone {
				gone = "[rewound]"
			}
			words = strings.ReplaceAll(words, "\n", "\n"+strings.Repeat(" ", len(when)+2))
			fmt.Fprintln(c.Out, joined("  ", when, words, gone))
			continue
		}
		kind, words := text.Line(l.Kind), text.Line(l.Text)
		switch kind {
		case log.Mission:
			kind = fmt.Sprintf("%s %d", text.Line(l.Reason), numberOf(l)) // parked, closed, cleared
		case "subagent":
			words = strings.TrimPrefix(text.Line(l.AgentType)+": ", ": ") + words
		}
		if !f.raw {
			words = short(words)
		}
		c.printLine(len(when)+2, joined("  ", when, kind, words))
	}
	if more > 0 {
		fmt.Fprintf(c.Out, "(%d older; --raw shows all)\n", more)
	}
	return nil
}

// pastFields is the JSON answer of showPast.
func pastFields(lines []log.Entry, isSaid bool) members {
	all := []any{}
	for _, l := range lines {
		if !isSaid {
			all = append(all, json.RawMessage(l.JSON()))
			continue
		}
		all = append(all, members{{"ts", l.Stamp()}, {"session", l.Session}, {"text", l.Text}, {"rewound", l.Gone}})
	}
	return members{{map[bool]string{true: "said", false: "lines"}[isSaid], all}}
}
