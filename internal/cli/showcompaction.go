package cli

import (
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/past"
)

// compactions returns what is known of the compactions of a turn, at most two lines each.
func (t timeline) compactions(turn past.Turn) (lines []string) {
	for _, one := range t.lost[turn.N] {
		lines = append(lines, compactionLines(one)...)
	}
	if lines == nil && turn.Compacted {
		lines = []string{"the client compacted its context here"}
	}
	return lines
}

// compactionLines says which facts the client's summary lacked, and which of these memento's block brought back.
func compactionLines(c history.Compaction) []string {
	total := c.Total()
	first := "the client compacted its context here"
	if c.Trigger != "" {
		first += " (" + c.Trigger + ")"
	}
	lost := total.There - total.Summary
	if lost <= 0 {
		return []string{fmt.Sprintf("%s: its summary kept all %d facts word for word", first, total.There)}
	}
	first += ": its summary lost " + factList(c, func(k history.FactCount) int { return k.There - k.Summary })
	second := "memento's block brought back all of it"
	if total.Neither > 0 {
		second = fmt.Sprintf("memento's block brought back %d of %d; missing: %s", lost-total.Neither, lost,
			factList(c, func(k history.FactCount) int { return k.Neither }))
	}
	return []string{first, second}
}

// factNames are the kinds of facts for a person: of one, and of several.
var factNames = map[string][2]string{
	"mission": {"the mission", "%d missions"}, "rule": {"1 rule", "%d rules"},
	"said": {"1 sentence of the user's", "%d sentences of the user's"}, "wip": {"the work in hand", "%d works in hand"},
	"error": {"the failing command", "%d failing commands"}, "task": {"1 open task", "%d open tasks"},
	"file": {"1 file", "%d files"}, "done": {"1 result", "%d results"},
}

// factList lists the kinds of facts of which count returns more than 0, the most valuable first.
func factList(c history.Compaction, count func(history.FactCount) int) string {
	var out []string
	for _, kind := range history.Kinds() {
		switch n := count(c.Facts[kind]); {
		case n == 1:
			out = append(out, factNames[kind][0])
		case n > 1:
			out = append(out, fmt.Sprintf(factNames[kind][1], n))
		}
	}
	return strings.Join(out, ", ")
}
