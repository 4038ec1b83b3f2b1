package session

import (
	"fmt"
	"testing"
	"time"
)

// telling is an event that one hook receives: when, which hook, and whether that hook answers.
type telling struct {
	after time.Duration
	key   string
	by    string
	first bool
}

func TestFirst(t *testing.T) {
	const ms = time.Millisecond
	for _, tt := range []struct {
		what   string
		single time.Duration
		events []telling
	}{
		{"wired once, the same each time", 0,
			[]telling{{0, "go on", "p", true}, {ms, "go on", "p", true}, {ms, "go on", "p", true}}},
		{"wired twice, in any order", 0, []telling{{0, "go on", "p", true}, {ms, "go on", "s", false},
			{ms, "go on", "s", true}, {ms, "go on", "p", false}, {ms, "go on", "p", true}, {ms, "go on", "s", false}}},
		{"wired three times", 0, []telling{{0, "go on", "p", true}, {ms, "go on", "s", false},
			{ms, "go on", "l", false}, {ms, "go on", "l", true}, {0, "go on", "p", false}, {0, "go on", "s", false}}},
		{"another event in between", 0, []telling{{0, "PreCompact", "p", true}, {ms, "SessionStart", "p", true},
			{ms, "SessionStart", "s", false}, {ms, "PreCompact", "s", true}, {ms, "PreCompact", "p", false}}},
		{"one was wired only now", 0, []telling{{0, "go on", "p", true}, {Together + ms, "go on", "s", true},
			{ms, "go on", "p", false}}},
		{"one is not wired any more", 0, []telling{{0, "go on", "p", true}, {ms, "go on", "s", false},
			{ms, "go on", "s", true}, {ms, "go on", "s", true}}},
		{"one was killed before", 0, []telling{{0, "go on", "p", true}, {ms, "go on", "s", false},
			{ms, "go on", "p", true}, {time.Second, "go on", "p", true}}},
		{"late", 0, []telling{{0, "go on", "p", true}, {Together, "go on", "s", false}, {ms, "go on", "s", true}}},
		{"the clock was set back", 0, []telling{{0, "go on", "p", true}, {-time.Hour, "go on", "s", true},
			{ms, "go on", "p", false}}},
		{"the payload names the moment", Together,
			[]telling{{0, "1", "p", true}, {ms, "1", "p", false}, {Together - 2*ms, "1", "p", false},
				{ms, "1", "p", true}}},
		{"the payload names the moment, told by two", Together,
			[]telling{{0, "1", "p", true}, {ms, "1", "s", false}, {ms, "1", "p", false}, {0, "2", "s", true},
				{ms, "2", "s", false}, {0, "2", "p", false}}},
	} {
		var s Memory
		now := morning
		for i, e := range tt.events {
			now = now.Add(e.after)
			if got := s.First(Moment{Key: e.key, By: e.by, Single: tt.single}, now); got != e.first {
				t.Errorf("%s: event %d (%s, told %s) is first: %v", tt.what, i, e.key, e.by, got)
			}
		}
		if len(s.Handled) != 1 {
			t.Errorf("%s: %d events are remembered", tt.what, len(s.Handled))
		}
	}
}

// TestFirstAside: subagents begin together, and during the session's own events.
func TestFirstAside(t *testing.T) {
	var s Memory
	first := func(key, by string, aside bool) bool { return s.First(Moment{Key: key, By: by, Aside: aside}, morning) }
	for _, by := range []string{"p", "s"} {
		for n := range maxHandled - 1 {
			if got := first(fmt.Sprint(n), by, true); got != (by == "p") {
				t.Errorf("subagent %d, told %s: first is %v", n, by, got)
			}
		}
		if got := first("prompt", by, false); got != (by == "p") {
			t.Errorf("the prompt, told %s: first is %v", by, got)
		}
	}
	if !first("stop", "p", false) || len(s.Handled) != maxHandled {
		t.Errorf("%d are remembered", len(s.Handled))
	}
	if !first("one more", "p", true) || len(s.Handled) != maxHandled {
		t.Errorf("%d are remembered, want %d", len(s.Handled), maxHandled)
	}
}

// TestFirstCopies: a copy of the memory, as a failed reading keeps one, does not change later.
func TestFirstCopies(t *testing.T) {
	var s Memory
	s.First(Moment{Key: "a", By: "p"}, morning)
	before := s
	s.First(Moment{Key: "a", By: "s"}, morning)
	if len(before.Handled[0].By) != 1 {
		t.Errorf("the copy was changed: %v", before.Handled)
	}
	s.First(Moment{Key: "b", By: "s"}, morning)
	if before.Handled[0].Key != "a" {
		t.Errorf("the copy was changed: %v", before.Handled)
	}
}
