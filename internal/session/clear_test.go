package session

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
)

const secret = "the launch is on 3 May"

// TestClear: nothing of the cache stays, and what a hook has open goes behind it.
func TestClear(t *testing.T) {
	dir := t.TempDir()
	change(t, dir, "a", func(s *Session) { s.Lane, s.Block = "myapp--alice", secret })
	for _, name := range []string{"broken.json", ".memento-tmp-1", "index/base", "view/shop.html"} {
		fixture.Write(t, filepath.Join(dir, "cache", name), secret)
	}
	held, err := Open(dir, "a", time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if err := Clear(dir, 0); !errors.Is(err, safefile.ErrBusy) {
		t.Errorf("beside a hook: %v", err)
	}
	if err := held.Save(); err != nil {
		t.Fatal(err)
	}
	if err := Clear(dir, time.Second); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(dir, "cache")); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
	if err := Clear(filepath.Join(dir, "none"), 0); err != nil {
		t.Error(err)
	}
}

// TestEraseWaiting: of what waits in a chosen lane the words go, and files that nobody can read.
func TestEraseWaiting(t *testing.T) {
	dir := t.TempDir()
	for id, lane := range map[string]string{"a": "myapp--alice", "b": "other--alice"} {
		change(t, dir, id, func(s *Session) {
			s.Lane = lane
			s.Submit(secret, morning)
			s.Submit("go on", morning)
		})
	}
	fixture.Write(t, filepath.Join(WaitingFolder(dir), "d.prompts"), "{"+secret)
	has := fixture.Forgotten(func(s string) bool { return strings.Contains(s, secret) })
	chosen := func(lane string) bool { return strings.HasPrefix(lane, "myapp--") }
	for path, data := range fixture.Contents(t, WaitingFolder(dir)) {
		left, found := EraseWaiting([]byte(data), chosen, has)
		isOther := strings.HasPrefix(filepath.Base(path), "b.")
		if isOther != (string(left) == data) || isOther != (len(found) == 0) || !isOther && has(string(left)) ||
			strings.HasSuffix(path, "a.prompts") != strings.Contains(string(left), "go on") && !isOther {
			t.Errorf("of %s stays %q, and %q went", path, left, found)
		}
	}
	change(t, dir, "a", func(s *Session) { s.Pending = slices.Delete(s.Pending, 0, 1) })
	if got := load(t, dir, "a").Pending; len(got) != 1 || got[0].Text != "go on" {
		t.Errorf("waiting is %v", got)
	}
}
