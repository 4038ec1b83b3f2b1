package session

import (
	"fmt"
	"testing"
	"time"
)

// TestFirst: one hook of an event is the first, as long as the others may come.
func TestFirst(t *testing.T) {
	var s Memory
	for i, tt := range []struct {
		key   string
		after time.Duration
		first bool
	}{{"a", 0, true}, {"a", time.Millisecond, false}, {"b", 0, true}, {"a", together / 2, false},
		{"b", 2 * together, true}, {"b", -2 * together, true}} { // the clock was set back
		morning := morning.Add(tt.after)
		if got := s.First(tt.key, morning); got != tt.first {
			t.Errorf("%d: %s is the first: %v", i, tt.key, got)
		}
	}
	before := s
	for n := range 2 * maxHandled {
		if !s.First(fmt.Sprint(n), morning) {
			t.Error("a subagent beside others is not the first")
		}
	}
	if len(s.Handled) != maxHandled || len(before.Handled) != 1 {
		t.Errorf("%d are remembered, and %d before", len(s.Handled), len(before.Handled))
	}
}
