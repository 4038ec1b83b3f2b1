package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
)

// TestReportsAtOnce: 64 subagents of one session end at the same moment. The history and the records have each report
// once, before any other event.
func TestReportsAtOnce(t *testing.T) {
	fixture.Long(t, "runs hooks in parallel")
	c := newBinary(t)
	c.run(c.hook("s1", "SessionStart"))
	const agents = 64
	c.together(agents, func(n int) {
		cmd := c.command(fmt.Sprintf(`{"hook_event_name":"SubagentStop","session_id":"s1","transcript_path":%q,"cwd":%q,"agent_id":"a%d","agent_type":"Explore","last_assistant_message":"Shelf %d holds the jars."}`,
			c.transcript("s1"), c.dir, n, n), "hook")
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
	if left, err := os.ReadDir(filepath.Join(c.lane().Dir, "waiting")); len(left) > 0 {
		t.Errorf("%d reports wait, %v", len(left), err)
	}
}

func report(n int) string { return fmt.Sprintf("Shelf %d holds the jars.", n) }

// TestReportsBusy: another process holds the lock of the session, the lane or the records when subagents answer. The
// next event stores the answers, with the time at which they came. For a session without a next event, the sweep of
// another session stores them a day later.
func TestReportsBusy(t *testing.T) {
	fixture.Long(t, "waits for locks")
	c := newBinary(t)
	c.run(c.hook("s1", "SessionStart"))
	waiting := filepath.Join(c.lane().Dir, "waiting")
	stop := func(n int) {
		c.run(c.command(fmt.Sprintf(`{"hook_event_name":"SubagentStop","session_id":"s1","transcript_path":%q,"cwd":%q,"agent_id":"a%d","agent_type":"Explore","last_assistant_message":"Shelf %d holds the jars."}`,
			c.transcript("s1"), c.dir, n, n), "hook"))
	}
	kept := func(n int) (lines, records int) {
		if err := history.Read(c.lane(), func(l log.Entry) bool {
			if l.Text == report(n) {
				lines++
			}
			return true
		}); err != nil {
			t.Fatal(err)
		}
		for _, versions := range c.filed() {
			for _, r := range versions {
				if strings.Contains(r.Body, report(n)) {
					records++
				}
			}
		}
		return lines, records
	}
	for n, lock := range []string{"s1", "shop--alice", "records", "s1"} {
		unlock, err := safefile.LockIn(c.lane().Dir, lock, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		stop(n)
		stop(n) // as if the hooks are installed twice
		if left, err := os.ReadDir(waiting); len(left) != 1 {
			t.Errorf("%s: %d reports wait, want 1: %v", lock, len(left), err)
		}
		unlock()
		if n < 3 {
			c.run(c.hook("s1", "Stop"))
		} else { // the client ended without an event
			files, _ := filepath.Glob(filepath.Join(waiting, "*"))
			data, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			data = []byte(strings.ReplaceAll(string(data), `"at":"20`, `"at":"19`))
			fixture.Write(t, files[0], string(data))
			c.run(c.hook("s2", "SessionStart"))
			if history, _ := kept(n); history != 0 {
				t.Error("a session that began at once took over what was left")
			}
			swept := filepath.Join(c.lane().Dir, safefile.Cache, "swept")
			if err := os.Remove(swept); err != nil { // as if a day had passed
				t.Fatal(err)
			}
			c.run(c.hook("s3", "SessionStart"))
		}
		if history, records := kept(n); history != 1 || records != 1 {
			t.Errorf("%s: the report stands %d times in the history and in %d records", lock, history, records)
		}
		if left, err := os.ReadDir(waiting); len(left) != 0 {
			t.Errorf("%s: %d reports still wait: %v", lock, len(left), err)
		}
	}
	if err := (session.Report{Session: "s1", Lane: c.lane().Name, Agent: "a9", Type: "Explore", Words: report(9),
		At: time.Now()}).Leave(c.lane().Dir); err != nil {
		t.Fatal(err)
	}
	c.run(c.command("", "forget", "--yes"))
	if left, err := os.ReadDir(waiting); len(left) != 0 {
		t.Errorf("of a project that was forgotten %d reports wait: %v", len(left), err)
	}
}
