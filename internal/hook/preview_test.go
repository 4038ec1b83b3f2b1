package hook

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/session"
)

// preview returns what Preview says of the project shop now.
func (w *world) preview() (string, bool) {
	w.t.Helper()
	c, err := config.Load(func(k string) string { return w.env[k] })
	if err != nil {
		w.t.Fatal(err)
	}
	s := journal.Store{Config: c, Lane: project.NewLane(c.Dir, "shop", "", "alice"),
		Now: w.now, Wait: time.Second}
	j, err := s.Read()
	if err != nil && !os.IsNotExist(err) {
		w.t.Fatal(err)
	}
	var m session.Memory
	if j != nil {
		m, _ = session.Load(c.Dir, j.Session)
	}
	return Preview(s, j, m, w.now)
}

// TestPreview: Preview says word for word what the hook then says, and changes nothing.
func TestPreview(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(w.home, ".claude", ".memento")
	same := func(what, source string, after bool) {
		t.Helper()
		before := fixture.Contents(t, dir)
		words, isAfter := w.preview()
		for path, data := range fixture.Contents(t, dir) {
			if before[path] != data {
				t.Errorf("%s: Preview changed %s", what, path)
			}
		}
		w.response = ""
		if got := w.start(source); got != words+"\n" || isAfter != after {
			t.Errorf("%s: the hook said\n%s, Preview (%v)\n%s", what, got, isAfter, words)
		}
	}
	same("before anything", "startup", false)
	w.prompt("Fix the checkout: totals above 1,000 EUR overflow. Never touch the tax tables without asking me.")
	fixture.Write(t, filepath.Join(w.home, "t.jsonl"), `{"type":"user","uuid":"u1","timestamp":"2026-03-14T09:00:00Z",`+
		`"message":{"role":"user","content":"Fix the checkout: totals above 1,000 EUR overflow. Never touch the tax `+
		`tables `+
		`without asking me."}}`+"\n")
	w.send(map[string]any{"hook_event_name": "Stop"})
	same("in the work", "compact", true)
	same("after two compactions", "compact", true)
	w.send(map[string]any{"hook_event_name": "SessionEnd", "reason": "other"})
	if words, _ := w.preview(); words == "" {
		t.Error("nothing after the end")
	}
}
