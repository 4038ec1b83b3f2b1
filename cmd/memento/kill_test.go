package main

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// TestKilled kills hooks at random moments, as the client does when it crashes or at its time limit.
func TestKilled(t *testing.T) {
	fixture.Long(t, "kills processes")
	c := newCrowd(t)
	c.run(c.hook("s1", "SessionStart"))
	start := time.Now()
	c.run(c.hook("s1", "Stop"))
	took := time.Since(start)
	r := rand.New(rand.NewSource(1))
	const turns = 40
	killed := 0
	for n := range turns {
		c.turn("s1", n)
		for range 1 + r.Intn(3) {
			cmd := c.hook("s1", "Stop")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(r.Int63n(int64(took) * 3 / 2)))
			_ = cmd.Process.Kill() // the process may have ended
			if cmd.Wait() != nil { // adjust the delay, because a hook takes longer on a busy machine
				killed++
				took += took / 16
			} else {
				took = max(took-took/8, time.Millisecond/2)
			}
			c.sound()
		}
		if r.Intn(8) == 0 { // session memory may be lost at any time
			if err := os.RemoveAll(filepath.Join(c.lane().Dir, "cache", "s1.json")); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.run(c.hook("s1", "Stop"))
	c.run(c.hook("s1", "Stop"))
	if killed < turns/4 {
		t.Errorf("only %d hooks were killed in time", killed)
	}
	c.whole("s1", turns)
	j := c.sound()
	for i, e := range j.Done {
		if want := did("s1", turns-len(j.Done)+i); e.Act != want {
			t.Errorf("in the place of %q is %q", want, e.Act)
		}
	}
	if j.Mission != asked("s1", 0) || j.Error == nil || j.Error.Cmd != fmt.Sprint("make check-", turns-1) {
		t.Errorf("the mission is %q, the failing command %+v", j.Mission, j.Error)
	}
}

// TestCrowd: 64 hooks of two sessions with one journal run at once. Nothing is lost, and nothing is there twice.
func TestCrowd(t *testing.T) {
	fixture.Long(t, "runs many sessions")
	c := newCrowd(t)
	const turns = 6
	for n := range turns {
		for _, session := range []string{"s1", "s2"} {
			c.turn(session, n)
		}
		var all sync.WaitGroup
		for i := range 64 / turns {
			for _, session := range []string{"s1", "s2"} {
				cmd := c.hook(session, []string{"Stop", "PostToolUse", "Stop", "PreCompact"}[i%4])
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				all.Add(1)
				go func() {
					defer all.Done()
					if err := cmd.Wait(); err != nil {
						t.Error(err)
					}
				}()
			}
		}
		all.Wait()
		c.sound()
	}
	for range 2 {
		c.run(c.hook("s1", "Stop"))
		c.run(c.hook("s2", "Stop"))
	}
	c.whole("s1", turns)
	c.whole("s2", turns)
}
