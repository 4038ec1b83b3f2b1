package main

import (
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// TestCrowd: hooks of two sessions with one journal run, 20 at once. Nothing is lost, and nothing is there twice.
func TestCrowd(t *testing.T) {
	fixture.Long(t, "runs many sessions")
	c := newCrowd(t)
	const turns = 6
	for n := range turns {
		for _, session := range []string{"s1", "s2"} {
			c.turn(session, n)
		}
		c.together(64/turns*2, func(i int) {
			event := []string{"Stop", "PostToolUse", "Stop", "PreCompact"}[i/2%4]
			if err := c.hook([]string{"s1", "s2"}[i%2], event).Run(); err != nil {
				t.Error(err)
			}
		})
		c.sound()
	}
	for range 2 {
		c.run(c.hook("s1", "Stop"))
		c.run(c.hook("s2", "Stop"))
	}
	c.whole("s1", turns)
	c.whole("s2", turns)
}
