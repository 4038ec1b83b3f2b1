package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/safefile"
)

// acts counts the entries of done in the journal and its history, by their words.
func (c *crowd) acts() map[string]int {
	c.t.Helper()
	count := map[string]int{}
	if err := history.Read(c.lane(), func(l log.Entry) bool {
		if l.Kind == "done" {
			count[l.Text]++
		}
		return true
	}); err != nil {
		c.t.Fatal(err)
	}
	for _, e := range c.sound().Done {
		count[e.Act]++
	}
	return count
}

// TestWriters: 64 writers make 2 writes each to one journal, every write in a process of its own. The journal and the
// history have each acknowledged write once.
func TestWriters(t *testing.T) {
	fixture.Long(t, "runs 64 writers")
	c := newBinary(t)
	const writers, writes = 64, 6
	c.together(writers, func(w int) {
		for n := range writes {
			if code, out := c.patient(0, "done", fmt.Sprintf("write %d of %d", n, w)); code != 0 {
				t.Errorf("writer %d: %d: %s", w, code, out)
				return
			}
		}
	})
	acts := c.acts()
	for w := range writers {
		for n := range writes {
			if act := fmt.Sprintf("write %d of %d", n, w); acts[act] != 1 {
				t.Errorf("%q is there %d times", act, acts[act])
			}
		}
	}
	if len(acts) != writers*writes {
		t.Errorf("%d are there, want %d", len(acts), writers*writes)
	}
	if left := c.leftovers(); left != nil {
		t.Errorf("left over: %q", left)
	}
}

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

// killAt is the environment variable that has a memento of the tests kill itself before its n-th file operation.
const killAt = "MEMENTO_TEST_KILL_AT"

func dieAt(n int) {
	safefile.TestOnlyFault(func(op, path string) error {
		if n--; n > 0 {
			return nil
		}
		me, err := os.FindProcess(os.Getpid())
		if err == nil {
			err = me.Kill()
		}
		if err != nil {
			panic(err)
		}
		select {} // until the signal is there
	})
}

// TestKilledWriters kills a command and hooks before each of their file operations, as the client does when it crashes
// or at its time limit; session memory may be lost at any time. After each kill the journal parses. Each acknowledged
// write and each turn is there once, in order.
func TestKilledWriters(t *testing.T) {
	fixture.Long(t, "kills processes")
	c := newCrowd(t)
	c.run(c.hook("s1", "SessionStart"))
	turns, writes, torn := 0, 0, 0
	for _, tt := range []struct {
		name   string
		forget bool // session memory
		cmd    func() *exec.Cmd
	}{
		{"done", false, func() *exec.Cmd { writes++; return c.command("", "done", fmt.Sprint("write ", writes)) }},
		{"Stop", false, func() *exec.Cmd { return c.hook("s1", "Stop") }},
		{"Stop without memory", true, func() *exec.Cmd { return c.hook("s1", "Stop") }},
		{"PreCompact", false, func() *exec.Cmd { return c.hook("s1", "PreCompact") }},
		{"SessionEnd", false, func() *exec.Cmd { return c.hook("s1", "SessionEnd") }},
	} {
		killed := 0
		for ; ; killed++ {
			if tt.name != "done" {
				c.turn("s1", turns)
				turns++
			}
			if tt.forget {
				if err := os.RemoveAll(filepath.Join(c.lane().Dir, "cache", "s1.json")); err != nil {
					t.Fatal(err)
				}
			}
			cmd := tt.cmd()
			cmd.Env = append(cmd.Env, fmt.Sprint(killAt, "=", killed+1))
			err := cmd.Run()
			c.sound()
			if err == nil { // it has fewer operations
				break
			}
		}
		left := len(c.leftovers())
		t.Logf("%s: killed before each of %d operations; %d temporary files are left", tt.name, killed, left)
		if left == torn {
			t.Errorf("%s was never killed while it wrote a file", tt.name)
		}
		torn = left
	}
	c.run(c.hook("s1", "Stop"))
	c.run(c.command("", "done", "the last"))
	acts := c.acts()
	for _, act := range []string{fmt.Sprint("write ", writes), "the last"} {
		if acts[act] != 1 {
			t.Errorf("%q was acknowledged, and is there %d times", act, acts[act])
		}
	}
	for act, n := range acts {
		if n > 1 {
			t.Errorf("%q is there %d times", act, n)
		}
	}
	c.whole("s1", turns)
	last := fmt.Sprint("make check-", turns-1)
	if j := c.sound(); j.Mission != asked("s1", 0) || j.Error == nil || j.Error.Cmd != last {
		t.Errorf("the mission is %q, the failing command %+v", j.Mission, j.Error)
	}

	// The start of a session removes temporary files of killed processes after an hour.
	c.sweeps()
}
