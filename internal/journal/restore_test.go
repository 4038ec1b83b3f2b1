package journal

import (
	"reflect"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/log"
)

func restore(t *testing.T, s Store, session string) (*Journal, bool) {
	t.Helper()
	var found bool
	j := update(t, s, func(j *Journal) {
		var err error
		if found, err = j.Restore(s.Lane, session); err != nil {
			t.Error(err)
		}
	})
	return j, found
}

// TestRestore: a session finds its mission again as it left it. The mission that had taken its place is parked for
// its own session.
func TestRestore(t *testing.T) {
	s := newStore(t)
	update(t, s, func(j *Journal) {
		j.OpenMission("fix auth", "fix auth", "s1", ByUser, "u1")
		j.AddDone(Entry{Act: "migrate", Ctx: "user: go", By: ByClaude, Verified: yes()})
		j.SetWip("deploy", ByClaude)
	})
	first, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	update(t, s, func(j *Journal) { j.OpenMission("build the invoice importer", "", "s2", ByUser, "u3") })
	for range 2 { // there and back, twice
		j, found := restore(t, s, "s1")
		if got, want := plain(j), plain(first); !found || !reflect.DeepEqual(got, want) {
			t.Errorf("the first session finds\n%+v, want\n%+v", got, want)
		}
		if j, found = restore(t, s, "s1"); found || j.Mission != "fix auth" {
			t.Errorf("having it already, it finds %v %+v", found, j)
		}
		if j, found = restore(t, s, "s2"); !found || j.Mission != "build the invoice importer" || j.Session != "s2" ||
			len(j.Done) != 0 {
			t.Errorf("the second session finds %+v", j)
		}
	}
	for _, session := range []string{"", "s3"} {
		if j, found := restore(t, s, session); found || j.Mission != "build the invoice importer" {
			t.Errorf("session %q finds %+v", session, j)
		}
	}
}

// TestRestoreClosed: a cleared mission comes back, a closed one does not, and facts noted since then are kept.
func TestRestoreClosed(t *testing.T) {
	for why, back := range map[string]bool{"cleared": true, "closed": false} {
		s := newStore(t)
		update(t, s, func(j *Journal) {
			j.OpenMission("fix auth", "fix auth", "s1", ByUser, "u1")
			j.AddDone(Entry{Act: "migrate"})
		})
		update(t, s, func(j *Journal) { j.Close(why, "") })
		update(t, s, func(j *Journal) {
			j.AddDone(Entry{Act: "noted since"})
			j.SetWip("begun since", ByClaude)
			j.SetPlan([]string{"planned since"}, ByClaude)
			j.Files = []string{"touched/since.go"}
			j.Error = &Failure{Cmd: "failed since"}
		})
		j, found := restore(t, s, "s1")
		if found != back || j.Open() != back || back &&
			(len(j.Done) != 1 || j.Done[0].Act != "migrate" || j.Wip != "" || j.Summary != "migrate") {
			t.Errorf("%s: found %v %+v", why, found, j)
		}
		all := fixture.Read(t, s.Lane.Journal()) + fixture.Logged(t, s.Lane.Dir)
		for _, words := range []string{"noted since", "begun since", "planned since", "touched/since.go",
			"failed since"} {
			if !strings.Contains(all, words) {
				t.Errorf("%s: %q left without a trace", why, words)
			}
		}
	}
}

// TestRestoreKeepsTheFile: a restored mission keeps the file's present unknown fields, not those of the day when it
// left.
func TestRestoreKeepsTheFile(t *testing.T) {
	s := newStore(t)
	fixture.Write(t, s.Lane.Journal(), `{"extra":"then","mission":"fix auth","mission_by":"user","session":"s1"}`)
	update(t, s, func(j *Journal) { j.OpenMission("other", "other", "s2", ByUser, "") })
	fixture.Write(t, s.Lane.Journal(), strings.Replace(fixture.Read(t, s.Lane.Journal()), `"then"`, `"now"`, 1))
	restore(t, s, "s1")
	if data := fixture.Read(t, s.Lane.Journal()); !strings.Contains(data, `"extra": "now"`) ||
		!strings.Contains(data, "fix auth") {
		t.Errorf("it is\n%s", data)
	}
}

// A history that cannot be read is an error, and changes nothing.
func TestRestoreRefused(t *testing.T) {
	s := newStore(t)
	update(t, s, func(j *Journal) { j.SetWip("deploy", ByClaude) })
	folderAt(t, log.Store{Dir: s.Lane.Dir}.Own("myapp"))
	j := &Journal{Wip: "deploy", now: morning}
	if found, err := j.Restore(s.Lane, "s1"); found || err == nil || j.Wip != "deploy" {
		t.Errorf("Restore = %v, %v, %+v", found, err, j)
	}
}
