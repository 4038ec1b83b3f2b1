package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
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

// TestKilledWriters kills commands and hooks, 60 times at different moments, as the client does when it crashes or at
// its time limit; session memory may be lost at any time. After each kill the journal parses. Each acknowledged write
// and each turn is there once, in order.
func TestKilledWriters(t *testing.T) {
	fixture.Long(t, "kills processes")
	t.Setenv("TMPDIR", "/var/tmp") // in memory nobody is killed while a file is written
	c := newBinary(t)
	c.run(c.hook("s1", "SessionStart"))
	c.turn("s1", 0)
	start := time.Now()
	for range 5 {
		c.run(c.hook("s1", "Stop"))
		c.run(c.command("", "done", "warm up"))
	}
	took := time.Since(start) / 10
	r := rand.New(rand.NewPCG(3, 14))
	const kills = 150
	killed, runs, turns := 0, 0, 1
	var acknowledged []string
	// On a busy machine few processes are killed while they write a file: it goes on until one was.
	for runs < 10*kills && (killed < kills || len(c.leftovers()) == 0) {
		runs++
		act := fmt.Sprintf("write %d", runs)
		cmd := c.command("", "done", act)
		if hook := runs%2 == 0; hook {
			if runs%10 == 0 {
				c.turn("s1", turns)
				turns++
			}
			cmd, act = c.hook("s1", "Stop"), ""
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.Int64N(int64(took))))
		_ = cmd.Process.Kill()      // the process may have ended
		switch err := cmd.Wait(); { // adjust the delay, because a process takes longer on a busy machine
		case err != nil:
			killed++
			took += took / 64
		default:
			took = max(took-took/32, time.Millisecond/2)
			if act != "" {
				acknowledged = append(acknowledged, act)
			}
		}
		c.sound()
		if r.IntN(20) == 0 {
			if err := os.RemoveAll(filepath.Join(c.lane().Dir, "cache", "s1.json")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if killed < kills {
		t.Errorf("only %d of %d processes were killed in time", killed, runs)
	}
	t.Logf("%d of %d processes killed within %v each; %d writes acknowledged", killed, runs, took, len(acknowledged))
	if len(c.leftovers()) == 0 {
		t.Error("no process was killed while it wrote a file")
	}
	c.run(c.hook("s1", "Stop"))
	c.run(c.command("", "done", "the last"))
	acts := c.acts()
	for _, act := range append(acknowledged, "the last") {
		if acts[act] != 1 {
			t.Errorf("%q was acknowledged, and is there %d times", act, acts[act])
		}
	}
	for act, n := range acts {
		if n > 1 && act != "warm up" {
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
