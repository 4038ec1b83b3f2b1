package session

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/transcript"
)

const secret = "the launch is on 3 May"

// told is the memory of a session that holds words of the user.
func told(lane, transcript string) func(*Session) {
	return func(s *Session) {
		s.Lane, s.Transcript = lane, transcript
		s.Submit(secret, morning)
	}
}

// end returns the length of a transcript's path as its end.
func end(path string) transcript.Position {
	return transcript.Position{Offset: int64(len(path)), File: path}
}

// lanes chooses a lane and those beside it; "" chooses all.
func lanes(name string) func(string) bool {
	return func(lane string) bool { return name == "" || lane == name || strings.HasPrefix(lane, name+"~") }
}

func forget(t *testing.T, dir, lane string) int {
	t.Helper()
	n, err := Forget(dir, lanes(lane), morning, time.Minute, end)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestForget(t *testing.T) {
	dir := t.TempDir()
	change(t, dir, "a", told("myapp--alice", "/a.jsonl"))
	change(t, dir, "b", told("myapp--alice", "")) // no transcript was ever named
	change(t, dir, "c", told("myapp--alice~1f3a9c2e", "/c.jsonl"))
	change(t, dir, "d", told("myapp-2--alice", "/d.jsonl"))
	change(t, dir, "e", told("myapp--alice2", "/e.jsonl"))
	if n := forget(t, dir, "myapp--alice"); n != 3 {
		t.Errorf("%d sessions were forgotten, want 3", n)
	}
	if got := fixture.Holding(t, dir, secret); !slices.Equal(got, []string{"waiting/d.prompts", "waiting/e.prompts"}) {
		t.Errorf("words are left in %s", got)
	}
	if fixture.Exists(filepath.Join(dir, "locks", "a.lock")) {
		t.Error("a lock is left")
	}
	fixture.Fields(t, fixture.Read(t, forgottenPath(dir)), map[string]string{
		"@keys": `["a","b","c"]`, "a.offset": "8", "a.file": `"/a.jsonl"`, "a.since": `"2026-03-14T09:26:53Z"`,
		"b": `{"since":"2026-03-14T09:26:53Z"}`, "c.file": `"/c.jsonl"`,
	})

	change(t, dir, "a", told("myapp--alice", "/longer/a.jsonl")) // the session went on
	if n := forget(t, dir, ""); n != 3 {
		t.Errorf("%d sessions were forgotten, want 3", n)
	}
	if got := fixture.Holding(t, dir, secret); got != nil {
		t.Errorf("words are left in %s", got)
	}
	if list := forgotten(dir); len(list) != 5 || list["a"].Offset != 15 || list["c"].Offset != 8 ||
		list["d"].Offset != 8 {
		t.Errorf("of the forgotten stays %v", list)
	}
	if n := forget(t, dir, ""); n != 0 || len(forgotten(dir)) != 5 {
		t.Errorf("with nothing left, %d were forgotten and %v stay", n, forgotten(dir))
	}
}

func TestForgetNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".memento")
	if n := forget(t, dir, ""); n != 0 || fixture.Exists(forgottenPath(dir)) {
		t.Errorf("%d sessions were forgotten", n)
	}
}

// TestForgetDebris: files that a crash or a bad disk left may hold words, and are removed too. Files of no session
// stay.
func TestForgetDebris(t *testing.T) {
	for _, lane := range []string{"", "myapp--alice"} {
		dir := t.TempDir()
		state := filepath.Join(dir, "cache")
		change(t, dir, "a", told("myapp--alice", "/a.jsonl"))
		whole := fixture.Read(t, Path(dir, "a"))
		fixture.Write(t, filepath.Join(state, ".memento-tmp-1"), whole)
		fixture.Write(t, filepath.Join(state, ".memento-tmp-2"), whole[:len(whole)-5])
		fixture.Write(t, filepath.Join(state, "b.json"), "\x00"+whole)
		fixture.Write(t, filepath.Join(state, "c.json"), whole+strings.Repeat(" ", maxMemory))
		fixture.Write(t, filepath.Join(state, "alice.holder"), "a")
		if n := forget(t, dir, lane); n != 1 {
			t.Errorf("%q: %d sessions were forgotten, want 1", lane, n)
		}
		if got := fixture.Holding(t, dir, secret); got != nil {
			t.Errorf("%q: words are left in %s", lane, got)
		}
		if !fixture.Exists(filepath.Join(state, "alice.holder")) {
			t.Errorf("%q: alice.holder is gone, which is no session's", lane)
		}
	}
}

// TestForgetMany: the sessions forgotten last are remembered, however many were forgotten before.
func TestForgetMany(t *testing.T) {
	fixture.Long(t, "remembers thousands of sessions")
	dir := t.TempDir()
	var old []string
	for n := range maxForgotten {
		old = append(old, fmt.Sprintf(`"old-%d":{"offset":1}`, n))
	}
	fixture.Write(t, forgottenPath(dir), "{"+strings.Join(old, ",")+"}")
	change(t, dir, "a", told("myapp--alice", "/a.jsonl"))
	forget(t, dir, "")
	if list := forgotten(dir); list["a"].Offset != 8 || len(list) > maxForgotten {
		t.Errorf("of %d stays %v", len(list), list["a"])
	}
	for n := range maxForgotten + 5 {
		fixture.Write(t, Path(dir, fmt.Sprint(n)),
			fmt.Sprintf(`{"id":"%d","lane":"alice","transcript":"/%d.jsonl"}`, n, n))
	}
	if n := forget(t, dir, ""); n != maxForgotten+5 {
		t.Errorf("%d sessions were forgotten", n)
	}
	if list := forgotten(dir); len(list) != maxForgotten+5 || list["7"].Offset != 8 {
		t.Errorf("of the forgotten stay %d", len(list))
	}
}

// TestForgetList: a list that cannot be read is begun anew. When the list is a link, Forget refuses before it removes
// anything.
func TestForgetList(t *testing.T) {
	dir := t.TempDir()
	fixture.Write(t, forgottenPath(dir), `{"a":{"offset":"x"}`)
	change(t, dir, "a", told("alice", "/a.jsonl"))
	forget(t, dir, "")
	if list := forgotten(dir); len(list) != 1 || list["a"].Offset != 8 {
		t.Errorf("of the forgotten stays %v", list)
	}

	dir = t.TempDir()
	change(t, dir, "a", told("alice", "/a.jsonl"))
	fixture.Link(t, filepath.Join(t.TempDir(), "theirs"), forgottenPath(dir))
	if n, err := Forget(dir, lanes(""), morning, time.Minute, end); !errors.Is(err, safefile.ErrRefused) || n != 0 {
		t.Errorf("through a link: %d, %v", n, err)
	}
	if !fixture.Exists(Path(dir, "a")) {
		t.Error("the memory was removed, its position not kept")
	}
}
