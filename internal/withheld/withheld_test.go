package withheld

import (
	"errors"
	"os"
	"testing"
	"time"
)

// A gate keeps out what was said during a pause, before the session was forgotten, and what was erased.
func TestGate(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	do(t, Pause(dir, "shop", at(10), time.Second, nil))
	do(t, Unpause(dir, "shop", at(20), time.Second, empty))
	do(t, Erasure{IDs: []string{"u1"}, Phrase: "the launch date"}.Add(dir, time.Second))
	g, err := Open(dir, Session{ID: "s1", Slug: "shop", Since: at(5), Same: func(int64, string) bool { return false }},
		at(60))
	do(t, err)
	lines := g.Lines()
	for _, tt := range []struct {
		minute int
		want   bool
	}{{0, true}, {4, true}, {5, false}, {9, false}, {10, true}, {19, true}, {20, false}, {59, false}} {
		if got := lines(at(tt.minute).Format(time.RFC3339), 1); got != tt.want {
			t.Errorf("minute %d is withheld: %v", tt.minute, got)
		}
	}
	if !lines(at(15).Format(time.RFC3339), 1) || !lines("", 1) {
		t.Error("a line without a time does not count as the one before it")
	}
	if g.Lines()("", 1) {
		t.Error("a first line without a time is withheld")
	}
	if g.Empty() || !g.HasID("u1") || g.HasID("u2") ||
		!g.Has("The  launch date") {
		t.Error("what was erased passes, or what was not does not")
	}
	// A clock that was ahead when the session was forgotten does not withhold what is said since it was put right.
	ahead, err := Open(dir, Session{Slug: "stall", Since: at(100)}, at(60))
	do(t, err)
	if !ahead.Lines()(at(70).Format(time.RFC3339), 1) || ahead.Lines()(at(60).Format(time.RFC3339), 1) {
		t.Error("a clock that was ahead decides")
	}
}

// While it cannot be told what is withheld there is no gate.
func TestNoGate(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]error{"paused.json": ErrPausesUnreadable, "erased.json": ErrErasedUnreadable} {
		dir := folder(t)
		do(t, os.WriteFile(dir+"/"+path, []byte(`{"version":`), 0o600))
		if _, err := Open(dir, Session{}, noon); !errors.Is(err, want) {
			t.Errorf("with a damaged %s: %v", path, err)
		}
	}
}
