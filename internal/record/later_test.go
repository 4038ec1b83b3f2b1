package record

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// listener is an index that knows no record and notes every call.
type listener func(saved *Record, deleted string)

func (l listener) Saved(all ...*Record)                       { l(all[0], "") }
func (l listener) Deleted(id string)                          { l(nil, id) }
func (listener) Active(string, string) (ids []string, _ bool) { return nil, false }
func (listener) Titled(string, string) (ids []string, _ bool) { return nil, false }

// A deferred store sets the time of the lock file instead of telling the index, except for hidden kinds. When it cannot
// set the time, it tells the index.
func TestDeferred(t *testing.T) {
	s, c := store(t)
	var told []string
	s.Index = listener(func(saved *Record, _ string) { told = append(told, saved.ID) })
	s.Deferred = true
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
		if got := s.LastDeferred().After(long); got != tt.marked {
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
	if none := (Store{Dir: t.TempDir()}).LastDeferred(); !none.IsZero() {
		t.Errorf("of a folder without records: %v", none)
	}
}
