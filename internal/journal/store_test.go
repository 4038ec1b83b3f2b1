package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

var morning = time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)

// newStore is the lane of project myapp, instance alice, in a folder of its own.
func newStore(t testing.TB) Store {
	t.Helper()
	dir := filepath.Join(t.TempDir(), ".memento")
	return Store{
		Lane: project.NewLane(dir, "myapp", "", "alice"),
		Config: config.Config{Dir: dir, Tag: "alice", MaxEntries: 6, MaxFileBytes: 6 << 10, StaleDays: 7,
			BudgetTokens: 350},
		Now:  morning,
		Wait: time.Minute,
	}
}

// names lists the files in dir.
func names(t testing.TB, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		if !e.IsDir() {
			out = append(out, e.Name())
		}
	}
	return strings.Join(out, " ")
}

func update(t testing.TB, s Store, change func(*Journal)) *Journal {
	t.Helper()
	j, err := s.Update(func(j *Journal) error { change(j); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestUpdate(t *testing.T) {
	s := newStore(t)
	if _, err := s.Read(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before anything was written: %v", err)
	}
	update(t, s, func(j *Journal) {
		if !j.Empty() || !j.now.Equal(morning) {
			t.Errorf("a new one is %+v", j)
		}
		if _, err := safefile.Lock(s.Lane.Lock(), 0); !errors.Is(err, safefile.ErrBusy) {
			t.Errorf("while it is changed, its lock is %v", err)
		}
		j.OpenMission("fix auth", "fix auth", "s1", ByUser, "u1")
	})
	j, err := s.Read()
	if err != nil || j.Mission != "fix auth" || j.Project != "myapp" || !j.now.Equal(morning) {
		t.Errorf("written, it is %+v, %v", j, err)
	}
	if got := fixture.Logged(t, s.Lane.Dir); !strings.Contains(got,
		`"kind":"opened","ts":"2026-03-14T09:26:53Z","of":"u1","lane":"--alice","by":"user","text":"fix auth"`) ||
		strings.Count(got, "\n") != 2 {
		t.Errorf("the history holds %s", got)
	}
}

// TestUpdateChangesNothing: a change without effect writes nothing, and an error leaves every file unchanged.
func TestUpdateChangesNothing(t *testing.T) {
	s := newStore(t)
	update(t, s, func(*Journal) {})
	if names(t, s.Lane.Dir) != "" || fixture.Logged(t, s.Lane.Dir) != "" {
		t.Error("nothing was said, and something written")
	}
	update(t, s, func(j *Journal) { j.SetWip("deploy", ByClaude) })
	before, err := os.Stat(s.Lane.Journal())
	if err != nil {
		t.Fatal(err)
	}
	logged := fixture.Logged(t, s.Lane.Dir)
	update(t, s, func(*Journal) {})
	boom := errors.New("boom")
	if _, err := s.Update(func(j *Journal) error { j.SetWip("other", ByClaude); return boom }); !errors.Is(err, boom) {
		t.Errorf("Update: %v", err)
	}
	after, err := os.Stat(s.Lane.Journal())
	if err != nil || !os.SameFile(before, after) || fixture.Logged(t, s.Lane.Dir) != logged {
		t.Errorf("it was written anew: %v", err)
	}
	update(t, s, func(j *Journal) {
		j.Keep(said("only for the history", "s1", "u1", ""))
	})
	if after, err := os.Stat(s.Lane.Journal()); err != nil || !os.SameFile(before, after) ||
		!strings.Contains(fixture.Logged(t, s.Lane.Dir), "only for the history") {
		t.Errorf("it was written anew, or not in the history: %v", err)
	}
}

// folderAt puts a folder in the place of a file.
func folderAt(t *testing.T, path string) {
	t.Helper()
	_ = os.Remove(path)
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
}

// TestHistoryFirst: history is written before the journal drops the fact. When history cannot be written, the journal
// stays unchanged.
func TestHistoryFirst(t *testing.T) {
	s := newStore(t)
	update(t, s, func(j *Journal) { j.SetWip("deploy", ByClaude) })
	before := fixture.Read(t, s.Lane.Journal())
	folderAt(t, log.Store{Dir: s.Lane.Dir}.Own("myapp"))
	if _, err := s.Update(func(j *Journal) error { j.SetWip("other", ByClaude); return nil }); !errors.Is(err,
		safefile.ErrRefused) {
		t.Errorf("with a folder in the history's place: %v", err)
	}
	if got := fixture.Read(t, s.Lane.Journal()); got != before {
		t.Errorf("the journal is now\n%s", got)
	}
}

func TestUpdateBusy(t *testing.T) {
	s := newStore(t)
	update(t, s, func(*Journal) {})
	unlock, err := safefile.Lock(s.Lane.Lock(), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	s.Wait = 0
	if _, err := s.Update(func(*Journal) error { t.Error("changed without the lock"); return nil }); !errors.Is(err,
		safefile.ErrBusy) {
		t.Errorf("while another holds the lock: %v", err)
	}
}

// The project a journal names is its lane's; somebody's other spelling of it stays.
func TestUpdateProject(t *testing.T) {
	for written, want := range map[string]string{`null`: "myapp", `"default"`: "default", `"MyApp"`: "MyApp",
		`"other"`: "myapp"} {
		s := newStore(t)
		fixture.Write(t, s.Lane.Journal(), `{"mission":"fix auth","project":`+written+`}`)
		if j := update(t, s, func(*Journal) {}); j.Project != want {
			t.Errorf("%s is now %q, want %q", written, j.Project, want)
		}
	}
}

// A damaged journal is never shown and never destroyed, and the work goes on. What the log has of it comes back.
func TestDamagedJournal(t *testing.T) {
	for name, content := range map[string]string{
		"cut off": `{"mission":"fix auth`, "empty": "", "binary": "\x00\xff\xfe",
		"another type": `{"mission":["fix auth"]}`, "conflict": "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n",
		"oversized": `{"mission":"` + strings.Repeat("x", 13<<10) + `"}`, "huge": strings.Repeat("[", 10<<20),
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			fixture.Write(t, s.Lane.Journal(), content)
			if j, err := s.Read(); !errors.Is(err, ErrCorrupt) || j != nil {
				t.Errorf("Read = %+v, %v, want ErrCorrupt", j, err)
			}
			if got := fixture.Read(t, s.Lane.Journal()); got != content {
				t.Error("reading changed it")
			}
			aside := s.Lane.Journal() + ".corrupt-20260314T092653Z"
			j := update(t, s, func(j *Journal) {
				if !j.Empty() {
					t.Errorf("the new one is %+v", j)
				}
				j.SetWip("deploy", ByClaude)
			})
			if got := fixture.Read(t, aside); got != content {
				t.Errorf("set aside are %d bytes of %d", len(got), len(content))
			}
			if len(j.Notes()) != 1 || !strings.Contains(j.Notes()[0], aside) {
				t.Errorf("the writer is told %q", j.Notes())
			}
			fixture.Write(t, s.Lane.Journal(), "damaged again, in the same second")
			if j := update(t, s, func(*Journal) {}); j.Wip != "deploy" {
				t.Errorf("of the log is made %+v", j)
			}
			if got := names(t, s.Lane.Dir); !strings.HasSuffix(got, aside[len(s.Lane.Dir)+1:]+" "+
				aside[len(s.Lane.Dir)+1:]+"-1") || fixture.Read(t, aside) != content {
				t.Errorf("the folder holds %s", got)
			}
		})
	}
}

// TestEditedByHand: a file that is a little too long was edited by somebody. It is brought within its limits.
func TestEditedByHand(t *testing.T) {
	s := newStore(t)
	long := strings.TrimSpace(strings.Repeat("staging only ", 60))
	fixture.Write(t, s.Lane.Journal(), `{"mission":`+jsonx.Quote(long)+`,"done":["`+
		strings.Repeat(`migrated a table","`, 60)+`"],"plan":["a1","b2","c3","d4"],"mine":1.0}`)
	j := update(t, s, func(*Journal) {})
	if text.Runes(j.Mission) > MaxMission || len(j.Done) != 6 || len(j.Plan) != planItems ||
		!strings.Contains(fixture.Read(t, s.Lane.Journal()), `"mine": 1.0`) {
		t.Errorf("it is %+v", j)
	}
	if history := fixture.Logged(t, s.Lane.Dir); !strings.Contains(history, jsonx.Quote(long)) ||
		strings.Count(history, "migrated a table") < 54 || !strings.Contains(history, `"d4"`) {
		t.Errorf("the history holds %s", history)
	}
}

// TestByteOrder: an editor that puts a byte order mark before the text damages no journal.
func TestByteOrder(t *testing.T) {
	s := newStore(t)
	update(t, s, func(j *Journal) { j.SetWip("glue", ByUser) })
	edited := "\ufeff" + strings.Replace(fixture.Read(t, s.Lane.Journal()), "glue", "glue the lids", 1)
	fixture.Write(t, s.Lane.Journal(), edited)
	if left, gone := Erase(erasing("lids"), []byte(edited)); left == nil || len(gone) != 1 {
		t.Errorf("of the journal %q is left, without %+v", left, gone)
	}
	if j := update(t, s, func(j *Journal) { j.SetPlan([]string{"rest"}, ByUser) }); j.Wip != "glue the lids" {
		t.Errorf("it is %+v", j)
	}
}

// TestRefusedJournal: memento neither follows nor replaces a thing in the journal's place that is no file of the
// user's.
func TestRefusedJournal(t *testing.T) {
	s := newStore(t)
	elsewhere := filepath.Join(t.TempDir(), "theirs.json")
	fixture.Write(t, elsewhere, `{"mission":"theirs"}`)
	update(t, s, func(*Journal) {})
	fixture.Link(t, elsewhere, s.Lane.Journal())
	if _, err := s.Read(); !errors.Is(err, safefile.ErrRefused) {
		t.Errorf("Read: %v", err)
	}
	if _, err := s.Update(func(*Journal) error { t.Error("it is open for change"); return nil }); !errors.Is(err,
		safefile.ErrRefused) {
		t.Errorf("Update: %v", err)
	}
	if err := s.Adopt(); !errors.Is(err, safefile.ErrRefused) {
		t.Errorf("Adopt: %v", err)
	}
	if to, err := os.Readlink(s.Lane.Journal()); err != nil || to != elsewhere ||
		fixture.Read(t, elsewhere) != `{"mission":"theirs"}` {
		t.Errorf("the link leads to %s, %v", to, err)
	}
}
