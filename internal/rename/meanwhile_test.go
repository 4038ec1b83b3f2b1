package rename

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

const worked = `{"projects":[{"slug":"old","id":"git:x/old","roots":["/old"]}]}`

// A record that is saved while the project is renamed has the new name in the end, whichever name the saver knew.
func TestRunMeanwhile(t *testing.T) {
	m := house(t, map[string]string{"workspace.json": worked, "old--x.md": oldNote})
	m.Store = record.Store{Dir: m.Dir, Now: m.Store.Now, Wait: time.Minute}
	const writers, each = 8, 12
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			s := record.Store{Dir: m.Dir, Now: m.Store.Now, Wait: time.Minute}
			for n := range each {
				note := record.Record{Kind: "memento", Title: fmt.Sprintf("Note %d of %d", n, w), Project: "old",
					Tags: []string{"a"}, Body: "x\n"}
				if _, err := s.Create(note); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if err := m.Run(); err != nil {
		t.Error(err)
	}
	all.Wait()
	counts, err := m.Store.Projects()
	if err != nil || counts["old"] != 0 || counts["new"] != writers*each+1 {
		t.Errorf("there are %v, %v", counts, err)
	}
}

// A change, a completion and an import with the old name use the new name.
func TestRunAsked(t *testing.T) {
	m := house(t, map[string]string{"workspace.json": worked, "old--x.md": oldNote})
	m.Store = record.Store{Dir: m.Dir, Now: m.Store.Now, Wait: time.Minute}
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	r, err := m.Store.Update("old--x", "", "", func(r *record.Record) error { r.Tags = []string{"b"}; return nil })
	if err != nil || r.ID != "new--x" || r.Project != "new" {
		t.Fatalf("%+v, %v", r, err)
	}
	if r, err = m.Store.Move("old--x", schema.Completed, ""); err != nil || r.ID != "new--x" {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = m.Store.Import(record.Record{Kind: "memento", Slug: "y", Title: "y", Project: "old",
		Status: schema.Active, Created: now, Updated: now, Tags: []string{"b"},
		Body: "y\n"}); err != nil || r.ID != "new--y" {
		t.Errorf("%+v, %v", r, err)
	}
}

// A new name that is taken while Run renames records does not stop the run: both records stay.
func TestRunTakenMeanwhile(t *testing.T) {
	m := house(t, map[string]string{"workspace.json": worked, "old--w.md": strings.ReplaceAll(oldNote, "x", "w"),
		"old--x.md": oldNote})
	safefile.TestOnlyFault(func(op, path string) error {
		if op == "rename" && filepath.Base(path) == "new--w.md" {
			return os.WriteFile(filepath.Join(m.Dir, "new--x.md"), []byte(another), 0o600)
		}
		return nil
	})
	defer safefile.TestOnlyFault(nil)
	if err := m.Run(); err != nil {
		t.Fatal(err)
	}
	holds(t, m, map[string]string{"old--x.md": "", "new--x.md": another,
		"new--x-2.md": "---\nid: new--x-2\ntitle: x\n---\nold\n"})
}
