package session

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// TestBound holds all sessions of a project at once, and none when it cannot hold one of them.
func TestBound(t *testing.T) {
	dir := t.TempDir()
	for id, lane := range map[string]string{"a": "shop--alice", "b": "shop@hotfix--alice", "c": "kiosk--alice",
		"d": "shop--bob~1f3a9c2e"} {
		change(t, dir, id, func(s *Session) { s.Lane = lane })
	}
	fixture.Write(t, filepath.Join(dir, "cache", "broken.json"), "{")
	of := func(lane string) bool { return strings.HasPrefix(lane, "shop") }
	held, err := Bound(dir, of, time.Second)
	if err != nil || len(held) != 3 || held[0].ID != "a" || held[1].ID != "b" || held[2].ID != "d" {
		t.Fatalf("held are %v, %v", held, err)
	}
	if _, err := Open(dir, "b", 0); !errors.Is(err, safefile.ErrBusy) {
		t.Errorf("one that is held was opened: %v", err)
	}
	for _, s := range held[:2] {
		s.Release()
	}
	if more, err := Bound(dir, of, 0); !errors.Is(err, safefile.ErrBusy) || more != nil {
		t.Errorf("with one that is held elsewhere: %v, %v", more, err)
	}
	if other, err := Open(dir, "a", 0); err != nil {
		t.Errorf("the others are still held: %v", err)
	} else {
		other.Release()
	}
	held[2].Release()
	if got, err := Lanes(dir); err != nil ||
		fmt.Sprint(got) != "map[a:shop--alice b:shop@hotfix--alice c:kiosk--alice d:shop--bob~1f3a9c2e]" {
		t.Errorf("they are %v, %v", got, err)
	}
	if none, err := Bound(t.TempDir(), of, 0); err != nil || none != nil {
		t.Errorf("of no sessions %v, %v", none, err)
	}
}

// TestBindFollows: a session goes on with its journal when the journal was renamed without its knowledge. A session
// whose journal stands in its place stays there.
func TestBindFollows(t *testing.T) {
	d := newDesk(t)
	d.bind(t, "a", Place{Cwd: d.myapp})
	if err := project.Rename(d.config.Dir, "myapp", "shop", false, morning, time.Minute); err != nil {
		t.Fatal(err)
	}
	at := func(lane string) string { return filepath.Join(d.config.Dir, lane+".json") }
	if got := d.bind(t, "a", Place{Cwd: d.myapp}); got != "myapp--alice" {
		t.Errorf("with no journal at all it is in %s", got)
	}
	fixture.Write(t, at("shop--alice"), `{"mission":"m"}`)
	fixture.Write(t, at("myapp--alice"), `{"mission":"m"}`)
	if got := d.bind(t, "a", Place{Cwd: d.myapp}); got != "myapp--alice" {
		t.Errorf("with a journal of its own it is in %s", got)
	}
	if err := safefile.Remove(at("myapp--alice")); err != nil {
		t.Fatal(err)
	}
	if got := d.bind(t, "a", Place{Cwd: d.myapp}); got != "shop--alice" {
		t.Errorf("with its journal renamed it is in %s", got)
	}
}
