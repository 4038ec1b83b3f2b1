package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
)

// TestReportsAtOnce: 64 subagents of one session end at the same moment. The history and the records have each report
// once, before any other event.
func TestReportsAtOnce(t *testing.T) {
	fixture.Long(t, "runs hooks in parallel")
	c := newBinary(t)
	c.run(c.hook("s1", "SessionStart"))
	const agents = 64
	c.together(agents, func(n int) {
		cmd := c.event("s1", "SubagentStop", fmt.Sprintf(`,"agent_id":"a%d","agent_type":"Explore",`+
			`"last_assistant_message":%q`, n, report(n)))
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("agent %d: %v: %s", n, err, out)
		}
	})
	lines, records := map[string]int{}, map[string]int{}
	if err := history.Read(c.lane(), func(l log.Entry) bool {
		lines[l.Text]++
		return true
	}); err != nil {
		t.Fatal(err)
	}
	for _, versions := range c.filed() {
		for _, r := range versions {
			for n := range agents {
				if strings.Contains(r.Body, report(n)) {
					records[report(n)]++
				}
			}
		}
	}
	for n := range agents {
		if lines[report(n)] != 1 || records[report(n)] != 1 {
			t.Errorf("the report of agent %d stands %d times in the history and in %d records", n, lines[report(n)],
				records[report(n)])
		}
	}
}

func report(n int) string { return fmt.Sprintf("Shelf %d holds the jars.", n) }
