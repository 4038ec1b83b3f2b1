package journal

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
)

// at is the same store with the lane of another project; "" for none.
func (s Store) at(slug string) Store {
	s.Lane = project.NewLane(s.Lane.Dir, slug, "", s.Config.Tag)
	return s
}

const seedJournal = `{"mission":"fix auth","project":%,"completed":[{"task":"migrate","result":"ok"}],` +
	`"extra":{"n":1.0}}`

// A journal of the seed's layout goes to the project it names. One that names none is of work outside any project.
func TestAdopt(t *testing.T) {
	for name, file := range map[string]string{`"myapp"`: "myapp--alice.json", `"MyApp"`: "myapp--alice.json",
		`"other"`: "other--alice.json", `null`: "alice.json", `"default"`: "alice.json"} {
		s := newStore(t)
		content := strings.Replace(seedJournal, "%", name, 1)
		fixture.Write(t, s.at("").Lane.Journal(), content)
		if err := s.Adopt(); err != nil {
			t.Fatal(err)
		}
		if got := names(t, s.Lane.Dir); got != file {
			t.Errorf("%s: the folder holds %s", name, got)
		}
		j, err := s.Read()
		if file == "myapp--alice.json" && (err != nil || j.Mission != "fix auth" || j.Done[0].Act != "migrate") {
			t.Errorf("%s: adopted, it is %+v, %v", name, j, err)
		}
	}
}

func TestAdoptNot(t *testing.T) {
	ours := strings.Replace(seedJournal, "%", `"myapp"`, 1)
	t.Run("the lane has one", func(t *testing.T) {
		s := newStore(t)
		fixture.Write(t, s.at("").Lane.Journal(), ours)
		fixture.Write(t, s.Lane.Journal(), `{"mission":"ours"}`)
		if err := s.Adopt(); err != nil || fixture.Read(t, s.Lane.Journal()) != `{"mission":"ours"}` ||
			names(t, s.Lane.Dir) != "alice.json myapp--alice.json" {
			t.Errorf("%v, the folder holds %s", err, names(t, s.Lane.Dir))
		}
	})
	t.Run("it is damaged", func(t *testing.T) {
		s := newStore(t)
		fixture.Write(t, s.at("").Lane.Journal(), ours[:len(ours)-1])
		if err := s.Adopt(); err != nil || names(t, s.Lane.Dir) != "alice.json" {
			t.Errorf("%v, the folder holds %s", err, names(t, s.Lane.Dir))
		}
	})
	t.Run("another instance's", func(t *testing.T) {
		s := newStore(t)
		fixture.Write(t, s.at("").Lane.Journal(), ours)
		s.Config.Tag, s.Lane = "bob", project.NewLane(s.Lane.Dir, "myapp", "", "bob")
		if err := s.Adopt(); err != nil || names(t, s.Lane.Dir) != "alice.json" {
			t.Errorf("%v, the folder holds %s", err, names(t, s.Lane.Dir))
		}
	})
}

// A journal that names a project, met by a session in none, goes where it belongs, or aside.
func TestRehome(t *testing.T) {
	s := newStore(t)
	content := strings.Replace(seedJournal, "%", `"MyApp"`, 1)
	none := s.at("")
	fixture.Write(t, none.Lane.Journal(), content)
	if j, err := none.Read(); !errors.Is(err, fs.ErrNotExist) || j != nil {
		t.Errorf("in no project, Read = %+v, %v", j, err)
	}
	update(t, none, func(j *Journal) {
		if !j.Empty() {
			t.Errorf("in no project it is %+v", j)
		}
		j.OpenMission("sort my photos", "", "s1", ByUser, "")
	})
	if fixture.Read(t, s.Lane.Journal()) != content ||
		!strings.Contains(fixture.Read(t, none.Lane.Journal()), "sort my photos") {
		t.Errorf("the folder holds %s", names(t, s.Lane.Dir))
	}

	fixture.Write(t, none.Lane.Journal(), content+" ")
	update(t, none, func(*Journal) {})
	if fixture.Read(t, s.Lane.Journal()) != content ||
		fixture.Read(t, none.Lane.Journal()+".of-myapp-20260314T092653Z") != content+" " {
		t.Errorf("the folder holds %s", names(t, s.Lane.Dir))
	}
}

// A project called like nothing, or like a path, is kept below the folder.
func TestRehomeStrangeNames(t *testing.T) {
	for _, name := range []string{"../../evil", "/etc", "🚀", "user"} {
		s := newStore(t).at("")
		fixture.Write(t, s.Lane.Journal(), `{"mission":"x","project":`+jsonx.Quote(name)+`}`)
		update(t, s, func(j *Journal) { j.SetWip("deploy", ByClaude) })
		if got := names(t, s.Lane.Dir); got != "alice.json "+naming.Project(name)+"--alice.json" {
			t.Errorf("%s: the folder holds %s", name, got)
		}
	}
}

func TestCopy(t *testing.T) {
	s := newStore(t)
	fork := s
	fork.Lane.Name += "~1f3a9c2e"
	if copied, err := fork.Copy(s.Lane, "s2"); copied || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of nothing: %v, %v", copied, err)
	}
	fixture.Write(t, s.Lane.Journal(),
		`{"extra":1.0,"mission":"fix auth","session":"s1","done":[{"act":"staging only","mood":"calm"}]}`)
	if copied, err := fork.Copy(s.Lane, "s2"); !copied || err != nil {
		t.Fatalf("Copy = %v, %v", copied, err)
	}
	j, err := fork.Read()
	if err != nil || j.Mission != "fix auth" || j.Session != "s2" || !slices.Equal(j.Earlier, []string{"s1"}) {
		t.Errorf("the copy is %+v, %v", j, err)
	}
	if data := fixture.Read(t, fork.Lane.Journal()); !strings.Contains(data, `"extra": 1.0`) ||
		!strings.Contains(data, `"calm"`) {
		t.Errorf("the copy is\n%s", data)
	}
	update(t, s, func(j *Journal) { j.SetWip("deploy", ByClaude) })
	if copied, err := fork.Copy(s.Lane, "s2"); copied || err != nil {
		t.Errorf("a second time: %v, %v", copied, err)
	}
	if j, err := fork.Read(); err != nil || j.Wip != "" {
		t.Errorf("the copy is now %+v, %v", j, err)
	}
}
