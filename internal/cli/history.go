package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
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
  memento history --missions           the missions parked, left and closed
  memento mission --resume 482913      bring one back, with its plan and all that was said
  memento forget --entry 193027        erase the entry with this number

A number stays with its line, whatever is added or erased. In its place N counts from the newest: 1 is the last line.
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

// Numbers of lines begin here: a smaller one counts from the newest line. Where two lines share a number of six digits,
// each is shown with the three behind them.
const (
	firstNumber = 100_000
	moreDigits  = 1_000
)

// lineNumber is the whole number of a line of history. It is made of what the line says, so that it does not depend on
// the other lines. That of a mission leaves out the time: it stays when the mission is put away once more.
func lineNumber(l history.Line) int {
	parts := [...]string{l.Kind, l.Session, l.Text, l.TS, l.Ref}
	said := parts[:]
	if l.Kind == "mission" {
		said = parts[:3]
	}
	h := fnv.New64a()
	for _, part := range said {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return firstNumber*moreDigits + int(h.Sum64()%(9*firstNumber*moreDigits))
}

// lineNumbers are the numbers of lines as they are shown.
func lineNumbers(lines []history.Line) []int {
	numbers, others := make([]int, len(lines)), map[int]int{}
	for i, l := range lines {
		n := lineNumber(l)
		numbers[i] = n
		if other, ok := others[n/moreDigits]; ok && other != n {
			others[n/moreDigits] = 0 // of several lines
		} else {
			others[n/moreDigits] = n
		}
	}
	for i, n := range numbers {
		if others[n/moreDigits] == n {
			numbers[i] = n / moreDigits
		}
	}
	return numbers
}

// lineWith returns the line with this number, or the n-th from the newest. look is the command that lists them.
func lineWith(lines []history.Line, n int, look string) (found history.Line, err error) {
	if n < firstNumber {
		if n > len(lines) {
			return found, hinted(look, "there is no number %d; %s has %d", n, look, len(lines))
		}
		return lines[len(lines)-n], nil
	}
	was := 0
	for _, l := range lines {
		whole := lineNumber(l)
		if whole != n && whole/moreDigits != n {
			continue
		}
		if was != 0 && was != whole {
			return found, hinted(look, "several lines have the number %d; %s shows longer ones", n, look)
		}
		found, was = l, whole
	}
	if was == 0 {
		return found, hinted(look, "there is no number %d in %s", n, look)
	}
	return found, nil
}

func runHistory(c *call, f historyFlags) error {
	if f.limit < 0 {
		return usage("memento help history", "history: --limit takes a number from 0 up")
	}
	at, err := c.openHere()
	if err != nil {
		return err
	}
	lines, err := at.history(f.missions, c.json)
	if err != nil {
		return err
	}
	numbers := lineNumbers(lines)
	if n := f.limit; n > 0 && len(lines) > n {
		lines, numbers = lines[len(lines)-n:], numbers[len(lines)-n:]
	}
	if c.json {
		raw := []json.RawMessage{}
		for _, l := range lines {
			raw = append(raw, json.RawMessage(l.Raw))
		}
		c.printJSON(members{{"path", at.store.Lane.History()}, {"lines", raw}, {"numbers", array(numbers)}})
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
	for i, l := range lines {
		kind := l.Kind
		if kind == "mission" {
			kind = l.Reason // parked, closed, cleared
		}
		words := l.Text
		if kind == "subagent" {
			words = strings.TrimPrefix(l.AgentType+": ", ": ") + words
		}
		words, _ = text.Cut(text.Line(words), 160)
		fmt.Fprintf(c.Out, "%8d  ", numbers[i])
		fmt.Fprintf(c.Out, "%s  %-9s %s\n", local(l.TS), text.Line(kind), words)
	}
	return nil
}
