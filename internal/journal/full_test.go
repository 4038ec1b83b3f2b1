package journal

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/safefile"
)

// TestFullDisk: a disk that is full at one step of a change, or from it on, loses nothing that was kept before. With
// room again, the same change is kept once, in the journal and in the log.
func TestFullDisk(t *testing.T) {
	t.Cleanup(func() { safefile.TestOnlyFault(nil) })
	for _, stays := range []bool{true, false} {
		for first := 1; fillDisk(t, first, stays); first++ {
		}
	}
}

// fillDisk changes a journal while the disk is full at the step first, and behind it if it stays full. It reports
// whether there was such a step.
func fillDisk(t *testing.T, first int, stays bool) (failed bool) {
	s := newStore(t)
	update(t, s, func(j *Journal) {
		j.OpenMission("Paint the fence", "Paint the fence", "s1", ByUser, "u1")
		j.SetWip("buying paint", ByClaude)
	})
	before := fixture.Read(t, s.Lane.Journal())
	s.Session = "s1"
	s.Turns = []log.Entry{{ID: "u2", Kind: log.Typed, Time: s.Now, Text: "green, not blue", Lane: "--alice"}}
	change := func(j *Journal) error { j.SetWip("painting", ByClaude); return nil }
	steps := 0
	safefile.TestOnlyFault(func(op, _ string) error {
		if strings.Contains("stat open read lock flock list", op) {
			return nil
		}
		if steps++; steps < first || steps > first && !stays {
			return nil
		}
		failed = true
		return syscall.ENOSPC
	})
	_, err := s.Update(change)
	safefile.TestOnlyFault(nil)
	if failed != (err != nil) {
		t.Fatalf("full at step %d: %v, failed: %v", first, err, failed)
	}
	if got := fixture.Read(t, s.Lane.Journal()); failed && got != before {
		t.Fatalf("full at step %d, the journal is\n%s", first, got)
	}
	if _, err := s.Update(change); err != nil {
		t.Fatal(err)
	}
	var kept []string
	if err := history.Read(s.Lane, func(e log.Entry) bool {
		kept = append(kept, e.Kind+" "+e.Text)
		return true
	}); err != nil {
		t.Fatal(err)
	}
	want := "opened Paint the fence|typed green, not blue|wip buying paint"
	if got := strings.Join(kept, "|"); got != want {
		t.Fatalf("full at step %d, then with room, the history is %s, want %s", first, got, want)
	}
	if j, err := s.Read(); err != nil || j.Wip != "painting" {
		t.Fatalf("full at step %d, then with room, it is %+v, %v", first, j, err)
	}
	return failed
}

// TestClock: a clock that jumps changes neither what is kept nor what a torn journal is made of.
func TestClock(t *testing.T) {
	s := newStore(t)
	s.Session = "s1"
	for i, jump := range []time.Duration{0, -400 * 24 * time.Hour, 900 * 24 * time.Hour, -time.Hour, time.Minute} {
		s.Now = morning.Add(jump)
		update(t, s, func(j *Journal) {
			j.OpenMission("Paint the fence", "Paint the fence", "s1", ByUser, "u1")
			j.AddDone(Entry{Act: fmt.Sprint("board ", i)})
		})
		fixture.Write(t, s.Lane.Journal(), `{"mission":"Pai`)
		update(t, s, func(j *Journal) {
			if len(j.Done) != i+1 || j.Done[i].Act != fmt.Sprint("board ", i) || !j.Open() {
				t.Errorf("after a jump of %v, it was made again as %+v", jump, j)
			}
		})
		sessions, err := log.Store{Dir: s.Lane.Dir}.Sessions(s.Lane.Slug)
		if err != nil || len(sessions) != 1 {
			t.Errorf("after a jump of %v there are %v, %v", jump, sessions, err)
		}
	}
}
