package journal

import (
	"errors"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"
)

func acts(all []Entry) string {
	var out []string
	for _, e := range all {
		out = append(out, e.Act)
	}
	return strings.Join(out, " ")
}

func TestMerge(t *testing.T) {
	entries := func(names string) (out []Entry) {
		for _, n := range strings.Fields(names) {
			out = append(out, Entry{Act: n})
		}
		return out
	}
	for _, c := range []struct{ was, now, want string }{
		{"a b c", "a b c", "a b c"},
		{"a b c", "b", "a b c"},
		{"a b c", "", "a b c"},
		{"a b c", "x", "a b c x"},
		{"a b c", "b x", "a b c x"},
		{"a b c", "x b", "a x b c"},
		{"a b c d", "a d x", "a b c d x"},
		{"a b c", "c b", "a c b"},
		{"a a b", "a x", "a a b x"},
		{"", "x y", "x y"},
	} {
		was, now := entries(c.was), entries(c.now)
		if got := acts(merge(was, now, missing(was, now))); got != c.want {
			t.Errorf("%s, written as %s, becomes %s, want %s", c.was, c.now, got, c.want)
		}
		if acts(now) != c.now || acts(was) != c.was {
			t.Errorf("%s, written as %s: the arguments were changed", c.was, c.now)
		}
	}
}

// TestMissingReworded: an entry in other words is still there when it carries a time that only it had.
func TestMissingReworded(t *testing.T) {
	was := []Entry{{Act: "a", TS: "1"}, {Act: "b", TS: "2"}, {Act: "c", TS: "2"}}
	for _, c := range []struct {
		now  []Entry
		want []int
	}{
		{[]Entry{{Act: "A better", TS: "1"}, {Act: "b"}, {Act: "c"}}, nil},
		{[]Entry{{Act: "a", TS: "1"}, {Act: "x", TS: "2"}}, []int{1, 2}},
		{[]Entry{{Act: "x"}}, []int{0, 1, 2}},
	} {
		if got := missing(was, c.now); !reflect.DeepEqual(got, c.want) {
			t.Errorf("of %v, %v are missing in %v, want %v", was, got, c.now, c.want)
		}
	}
}

// Killed before the note was removed, the next change gives nothing back a second time.
func TestRegainTwice(t *testing.T) {
	s := newStore(t)
	update(t, s, func(j *Journal) {
		j.OpenMission("fix auth", "fix auth", "s1", ByUser, "u1")
		j.AddDone(Entry{Act: "migrate", By: ByClaude})
		j.AddSaid(Saying{Text: "staging only", Ref: "u2", Rule: true})
	})
	content := `{"mission":"fix auth","done":[{"act":"deploy"}]}`
	if err := s.Overwrite(content); err != nil {
		t.Fatal(err)
	}
	note := read(t, s.overwritePath())
	if err := os.WriteFile(s.Lane.Journal(), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Regain(); err != nil {
			t.Fatal(err)
		}
		j, err := s.Read()
		if err != nil {
			t.Fatal(err)
		}
		if acts(j.Done) != "migrate deploy" || len(j.Said) != 1 || j.Session != "s1" || j.MissionBy != ByUser {
			t.Errorf("it became %+v", plain(j))
		}
		if _, err := os.Lstat(s.overwritePath()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the note is still there: %v", err)
		}
		if err := os.WriteFile(s.overwritePath(), []byte(note), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if h := read(t, s.Lane.History()); strings.Contains(h, "migrate") || strings.Contains(h, "staging only") {
		t.Errorf("what is in the journal went to history: %s", h)
	}
}

// What only memento knows survives a Write that leaves it out: every field of the journal and of what it kept.
func TestRegainKeepsMachinery(t *testing.T) {
	s := newStore(t)
	want := full()
	want.MissionClosed = ""
	update(t, s, func(j *Journal) { now, out := j.now, j.out; *j = want; j.now, j.out = now, out })
	before, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	content := `{"mission":` + str(want.Mission) + `,"wip":` + str(want.Wip) + `,"plan":["pricing decision","run integration tests"],
		"done":[{"act":"fix auth middleware","result":"PASETO impl","ctx":"user: auth is broken"}],"said":["don't change the token format"]}`
	if err := s.Overwrite(content); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.Lane.Journal(), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := s.Regain(); err != nil {
		t.Fatal(err)
	}
	after, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := plain(after), plain(before); !reflect.DeepEqual(got, want) {
		t.Errorf("it became\n%+v, want\n%+v", got, want)
	}
	// Of the fields a journal may have, none is taken for one that memento does not know.
	for _, line := range strings.Split(read(t, s.Lane.Journal()), "\n") {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, `  "`), `":`); ok && strings.HasPrefix(line, `  "`) && !known(name) {
			t.Errorf("%s is a field of the schema", name)
		}
	}
}
