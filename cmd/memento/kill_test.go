package main

import (
	"sync"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

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
