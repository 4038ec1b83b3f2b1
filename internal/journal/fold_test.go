package journal

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/safefile"
)

// said returns the line of history of a prompt.
func said(words, session, ref, ts string) log.Entry {
	at, _ := time.Parse(time.RFC3339, ts)
	return log.Entry{ID: ref, Kind: log.Typed, Time: at, Session: session, Text: words}
}

// TestFoldLanes checks that Fold moves the mission of a side lane to the log, once, even when an earlier Fold was
// interrupted at any step.
func TestFoldLanes(t *testing.T) {
	for stop := 0; ; stop++ {
		s := newStore(t)
		side := s
		side.Lane.Name += "~abc"
		at := func(store Store, minute int, change func(*Journal)) {
			store.Now = morning.Add(time.Duration(minute) * time.Minute)
			update(t, store, change)
		}
		at(s, 0, func(j *Journal) { j.Keep(said("first of the base", "s1", "u1", "2026-03-14T09:26:53Z")) })
		at(side, 1, func(j *Journal) { j.OpenMission("Paint the fence", "Paint the fence", "s2", ByUser, "u2") })
		at(side, 2, func(j *Journal) { j.AddDone(Entry{Act: "bought paint"}) })
		at(side, 3, func(j *Journal) { j.Keep(said("green, not blue", "s2", "u3", "2026-03-14T09:29:53Z")) })
		at(s, 9, func(j *Journal) { j.Keep(said("last of the base", "s1", "u4", "2026-03-14T09:35:53Z")) })
		if err := os.Chtimes(side.Lane.Journal(), s.Now, morning.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		s.Now = morning.Add(60 * 24 * time.Hour)
		steps := 0
		safefile.TestOnlyFault(func(op, path string) error {
			if steps++; steps == stop {
				return errors.New("killed")
			}
			return nil
		})
		err := side.Fold()
		safefile.TestOnlyFault(nil)
		done := steps < stop
		if err != nil {
			if err = side.Fold(); err != nil {
				t.Fatalf("stopped at %d: %v", stop, err)
			}
		}
		var kinds []string
		if err := history.Read(s.Lane, func(l log.Entry) bool {
			kinds = append(kinds, l.Kind+" "+l.Text)
			return true
		}); err != nil {
			t.Fatal(err)
		}
		want := "typed first of the base|opened Paint the fence|typed green, not blue|typed last of the " +
			"base|mission Paint the fence"
		if got := strings.Join(kinds, "|"); got != want {
			t.Fatalf("stopped at %d, the history is %s, want %s", stop, got, want)
		}
		if _, err := os.Lstat(side.Lane.Journal()); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("stopped at %d, the journal is there: %v", stop, err)
		}
		update(t, s, func(j *Journal) {
			if ok, err := j.Restore(s.Lane, "s2"); !ok || err != nil || j.Mission != "Paint the fence" ||
				len(j.Done) != 1 {
				t.Errorf("stopped at %d, restored %v, %v: %+v", stop, ok, err, j)
			}
		})
		if done {
			return
		}
	}
}
