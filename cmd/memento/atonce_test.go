package main

import (
	"fmt"
	"testing"
)

// TestHandoffAtOnce: 12 processes make a handoff at once. One handoff waits, and each other one names its successor.
// When 12 processes complete the waiting one at once, one succeeds, and the others learn that none waits.
func TestHandoffAtOnce(t *testing.T) {
	c := newBinary(t)
	const terminals = 12
	c.together(terminals, func(n int) {
		if code, out := c.patient(0, "handoff", "write", fmt.Sprintf("Day %d", n%3), "--note",
			fmt.Sprintf("note %d", n)); code != 0 {
			t.Errorf("%d: %s", code, out)
		}
	})
	status := map[string]int{}
	for _, versions := range c.filed() {
		for _, r := range versions {
			status[r.Status]++
		}
	}
	if status["active"] != 1 || status["completed"] != terminals-1 {
		t.Errorf("one was to wait and %d to be completed, not %v", terminals-1, status)
	}
	done := make([]int, terminals)
	c.together(terminals, func(n int) {
		code, out := c.patient(1, "handoff", "done")
		done[n] = code
		if code == 1 && out != "memento: handoff: none waits here\nmemento: hint: memento handoff write\n" {
			t.Errorf("%d: %s", code, out)
		}
	})
	won := 0
	for _, code := range done {
		if code == 0 {
			won++
		}
	}
	if won != 1 {
		t.Errorf("%d completed it, one was to", won)
	}
}
