package journal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/fixture"
)

func debugging(t *testing.T) Store {
	s := newStore(t)
	s.Config.Debug = true
	return s
}

// events lists what the shadow journal notes, as event/what.
func events(t *testing.T, s Store) string {
	t.Helper()
	data := fixture.Read(t, s.Lane.Debug())
	if !gjson.Valid(data) {
		t.Fatalf("the shadow journal is\n%s", data)
	}
	var out []string
	for _, e := range gjson.Parse(data).Array() {
		out = append(out, e.Get("event").Str+"/"+e.Get("what").Str)
	}
	return strings.Join(out, " ")
}

func TestDebug(t *testing.T) {
	s := debugging(t)
	fixture.Write(t, s.at("").Lane.Journal(), `{"mission":"fix auth"}`)
	if err := s.Adopt(); err != nil {
		t.Fatal(err)
	}
	update(t, s, func(j *Journal) {
		j.OpenMission("other \"x\"\n", "", "s1", ByUser, "")
		j.SetWip("a", "")
		j.SetWip("b", "")
	})
	s.Injected("SessionStart:compact", "[MEMENTO] …")
	got := events(t, s)
	for _, want := range []string{"adopted/" + s.at("").Lane.Journal(), "history/reworded", "history/wip",
		"injected/SessionStart:compact"} {
		if !strings.Contains(got, want) {
			t.Errorf("it notes %s, not %s", got, want)
		}
	}
	if n := strings.Count(got, "write/"); n != 2 {
		t.Errorf("it notes %d writes in %s", n, got)
	}
	fixture.Write(t, s.Lane.Journal(), "damaged")
	update(t, s, func(*Journal) {})
	if got := events(t, s); !strings.Contains(got, "set aside/") {
		t.Errorf("it notes %s", got)
	}

	s.EndDebug()
	if _, err := os.Lstat(s.Lane.Debug()); err != nil {
		t.Errorf("while it is wanted, it is removed: %v", err)
	}
	s.Config.Debug = false
	s.EndDebug()
	update(t, s, func(j *Journal) { j.SetWip("c", "") })
	s.Injected("x", "y")
	if _, err := os.Lstat(s.Lane.Debug()); err == nil {
		t.Error("while nobody wants it, there is one")
	}
}

// It is bounded, begun anew when damaged, and never in the way.
func TestDebugBounds(t *testing.T) {
	s := debugging(t)
	fixture.Write(t, s.Lane.Debug(), "["+strings.Repeat(`{"event":"old"},`, maxDebugEvents+5)+`{"event":"last"}]`)
	s.debug("new", "", "")
	if data := fixture.Read(t, s.Lane.Debug()); gjson.Get(data, "#").Int() != maxDebugEvents ||
		!strings.HasSuffix(events(t, s), " last/ new/") {
		t.Errorf("it notes %d events", gjson.Get(data, "#").Int())
	}
	for range 5 {
		s.debug("large", "", strings.Repeat("x", 300<<10))
		if data := fixture.Read(t, s.Lane.Debug()); len(data) > maxDebugFile ||
			!strings.Contains(events(t, s), "large/") {
			t.Errorf("it has %d bytes", len(data))
		}
	}
	for _, damage := range []string{"{", strings.Repeat("x", maxDebugFile+1), "", strings.Repeat("[", 100_000)} {
		fixture.Write(t, s.Lane.Debug(), damage)
		s.debug("after", "damage", "")
		if got := events(t, s); got != "after/damage" {
			t.Errorf("after damage it notes %s", got)
		}
	}
	elsewhere := filepath.Join(t.TempDir(), "theirs")
	fixture.Write(t, elsewhere, "theirs")
	if err := os.Remove(s.Lane.Debug()); err != nil {
		t.Fatal(err)
	}
	fixture.Link(t, elsewhere, s.Lane.Debug())
	update(t, s, func(j *Journal) { j.SetWip("deploy", "") })
	if got := fixture.Read(t, elsewhere); got != "theirs" {
		t.Errorf("what a link leads to holds %s", got)
	}
}
