package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/text"
)

type historyFlags struct {
	limit    int
	missions bool
}

func historyCommand() command {
	var f historyFlags
	return command{
		name: "history", short: "list what left the journal, earlier missions, and what was said",
		long: `  memento history -n 20
  memento history --missions      the missions parked, left and closed; newest is 1
  memento mission --resume 1      bring one back, with its plan and all that was said
  memento forget --entry 3        erase the entry with this number

The newest has number 1, so numbers move when something is added.
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&c.json, "json", false, "print JSON")
			fs.BoolVar(&f.missions, "missions", false, "only the missions that were parked, left or closed")
			fs.IntVar(&f.limit, "limit", 0, "print only the newest `N` lines")
			fs.IntVar(&f.limit, "n", 0, "the same as --limit `N`")
		},
		run: func(c *call) error { return runHistory(c, f) },
	}
}

// history is what memento history lists, oldest first: the missions, or everything, machinery only when it is asked
// for.
func (at *place) history(missions, machinery bool) (lines []history.Line, err error) {
	if missions {
		return history.Missions(at.store.Lane)
	}
	err = history.Read(at.store.Lane, func(l history.Line) bool {
		if l.Kind != "applied" && l.Kind != "confirmed" || machinery {
			lines = append(lines, l)
		}
		return true
	})
	return lines, err
}

func runHistory(c *call, f historyFlags) error {
	if f.limit < 0 {
		return usage("memento help history", "history: --limit takes a number from 0 up")
	}
	at, err := c.look()
	if err != nil {
		return err
	}
	lines, err := at.history(f.missions, c.json)
	if err != nil {
		return err
	}
	number := len(lines)
	if n := f.limit; n > 0 && len(lines) > n {
		lines, number = lines[len(lines)-n:], n
	}
	if c.json {
		raw := []json.RawMessage{}
		for _, l := range lines {
			raw = append(raw, json.RawMessage(l.Raw))
		}
		c.printJSON(members{{"path", at.store.Lane.History()}, {"lines", raw}})
		return nil
	}
	if len(lines) == 0 {
		none := "There is no history yet."
		if f.missions {
			none = "No mission was parked, left or closed yet."
		}
		fmt.Fprintf(c.Out, "history  %s\n%s\n", at.store.Lane.History(), none)
		return nil
	}
	for _, l := range lines {
		kind := l.Kind
		if kind == "mission" {
			kind = l.Reason // parked, closed, cleared
		}
		words := l.Text
		if kind == "subagent" {
			words = strings.TrimPrefix(l.AgentType()+": ", ": ") + words
		}
		words, _ = text.Cut(text.Line(words), 160)
		fmt.Fprintf(c.Out, "%3d  ", number)
		number--
		fmt.Fprintf(c.Out, "%s  %-9s %s\n", local(l.TS), text.Line(kind), words)
	}
	return nil
}
