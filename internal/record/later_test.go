package record

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// What is written while Later is set is not told at once: a mark says that it was written, but for kinds nobody is shown unasked. Where
// the mark cannot be set it is told all the same.
func TestLater(t *testing.T) {
	s, c := store(t)
	var told []string
	s.Changed = func(saved *Record, _ string) { told = append(told, saved.ID) }
	s.Later = true
	lock := filepath.Join(s.Dir, "state", "records.lock")
	long := c.Add(-time.Hour)
	note := func(kind, title string) *Record {
		return create(t, s, Record{Kind: kind, Title: title, Project: "myapp", Tags: []string{kind}, Body: "x\n"})
	}
	note("session", "session one")
	for _, tt := range []struct {
		kind   string
		marked bool
	}{{"session", true}, {"subagent", false}} {
		if err := os.Chtimes(lock, long, long); err != nil {
			t.Fatal(err)
		}
		note(tt.kind, "another "+tt.kind)
		if got := s.LaterSince().After(long); got != tt.marked {
			t.Errorf("%s: marked is %v, want %v", tt.kind, got, tt.marked)
		}
	}
	if told != nil {
		t.Errorf("told of %v", told)
	}
	safefile.TestOnlyFault(func(op, _ string) error {
		if op == "touch" {
			return os.ErrPermission
		}
		return nil
	})
	defer safefile.TestOnlyFault(nil)
	if r := note("session", "session two"); !slices.Equal(told, []string{r.ID}) {
		t.Errorf("where no mark can be set, told of %v", told)
	}
	if none := (Store{Dir: t.TempDir()}).LaterSince(); !none.IsZero() {
		t.Errorf("of a folder without records: %v", none)
	}
}
