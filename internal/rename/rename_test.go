package rename

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
)

var now = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

// house makes memento's folder with these files, by name.
func house(t *testing.T, files map[string]string) Migration {
	t.Helper()
	dir := fixture.Files(t, filepath.Join(t.TempDir(), ".memento"), files)
	clock := func() time.Time { return now }
	return Migration{Dir: dir, From: "old", To: "new", Store: record.Store{Dir: dir, Now: clock, Wait: time.Minute},
		Now: now, Wait: time.Minute}
}

// holds compares the content of files with these texts; "" stands for a file that must be missing.
func holds(t *testing.T, m Migration, want map[string]string) {
	t.Helper()
	for name, content := range want {
		data, err := os.ReadFile(filepath.Join(m.Dir, filepath.FromSlash(name)))
		switch {
		case content == "" && !errors.Is(err, os.ErrNotExist):
			t.Errorf("%s is there: %q, %v", name, data, err)
		case content != "" && string(data) != content:
			t.Errorf("%s holds %q, want %q, %v", name, data, content, err)
		}
	}
}

const (
	begun   = `{"projects":[{"slug":"new","id":"git:x/old","roots":["/old"],"called":["old"]}]}`
	oldNote = "---\nid: old--x\ntitle: x\n---\nold\n"
	newNote = "---\nid: new--x\ntitle: x\n---\nold\n"
	another = "---\nid: new--x\ntitle: x\n---\nanother\n"
)

func TestRun(t *testing.T) {
	for _, tt := range []struct {
		what         string
		files, after map[string]string
	}{
		{"a record was written and its process killed, of a project nobody knows",
			map[string]string{"old--x.md": newNote},
			map[string]string{"old--x.md": "", "new--x.md": newNote}},
		{"another record has the name", map[string]string{"old--x.md": oldNote, "new--x.md": another},
			map[string]string{"old--x.md": "", "new--x.md": another,
				"new--x-2.md": "---\nid: new--x-2\ntitle: x\n---\nold\n"}},
		{"a record was written and its process killed",
			map[string]string{"workspace.json": begun, "old--x.md": newNote},
			map[string]string{"old--x.md": "", "new--x.md": newNote}},
		{"another journal has the name", map[string]string{"old--a.json": `{"project":"old"}`, "new--a.json": `{}`},
			map[string]string{"old--a.json": "", "new--a.json": `{}`, "new--a~old.json": `{"project":"old"}`}},
		{"a journal began since, and one is beside it",
			map[string]string{"workspace.json": begun, "old--a.json": `{"project":"old","x":1.0}`, "new--a.json": `{}`,
				"new--a~old.json": `{"y":1}`},
			map[string]string{"old--a.json": "", "new--a.json": `{}`, "new--a~old.json": `{"y":1}`,
				"new--a~old-2.json": `{"project":"old","x":1.0}`}},
		{"worktrees, windows, what was set aside",
			map[string]string{"old@fix--a.json": `{}`, "old--a~1f3a.json": `{}`, "old--a.json.corrupt-1": "x",
				"old--a.lock.json": "{}", "older--a.json": `{}`, "old.json": `{}`},
			map[string]string{"new@fix--a.json": `{}`, "new--a~1f3a.json": `{}`, "new--a.json.corrupt-1": "x",
				"older--a.json": `{}`, "old.json": `{}`, "old@fix--a.json": ""}},
		{"the turns of a session, some under either name",
			map[string]string{"log/old/2026-03/s1.jsonl": turnOf("u1"), "log/new/2026-03/s1.jsonl": turnOf("u2"),
				"log/old/project.jsonl": turnOf("u3")},
			map[string]string{"log/old/2026-03/s1.jsonl": "", "log/old": "", "log/new/project.jsonl": turnOf("u3"),
				"log/new/2026-03/s1.jsonl": turnOf("u1") + turnOf("u2")}},
	} {
		m := house(t, tt.files)
		if err := m.Run(); err != nil {
			t.Errorf("%s: %v", tt.what, err)
		}
		holds(t, m, tt.after)
		if t.Failed() {
			t.Logf("of: %s", tt.what)
		}
	}
}

// Run leaves a record that it cannot rename, and names it.
func TestRunLeaves(t *testing.T) {
	m := house(t, map[string]string{"old--x.md": oldNote, "elsewhere": oldNote})
	fixture.Link(t, filepath.Join(m.Dir, "elsewhere"), filepath.Join(m.Dir, "old--link.md"))
	if err := m.Run(); !errors.Is(err, safefile.ErrRefused) || !strings.Contains(err.Error(), "old--link was left") {
		t.Error(err)
	}
	holds(t, m, map[string]string{"old--link.md": oldNote, "elsewhere": oldNote, "old--x.md": "", "new--x.md": newNote})
}

// Run changes nothing while a session of the project is busy.
func TestRunBusy(t *testing.T) {
	m := house(t, map[string]string{"old--a.json": `{}`, "old--x.md": oldNote, "cache/keep": ""})
	m.Wait = 0
	unlock, err := safefile.LockIn(m.Dir, "old--a", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if err := m.Run(); !errors.Is(err, safefile.ErrBusy) {
		t.Error("it did not wait")
	}
	holds(t, m, map[string]string{"old--a.json": `{}`, "old--x.md": oldNote, "new--a.json": "", "new--x.md": ""})
}

// turnOf is a line of a session's turns.
func turnOf(id string) string { return `{"id":"` + id + `","kind":"typed","text":"x"}` + "\n" }
