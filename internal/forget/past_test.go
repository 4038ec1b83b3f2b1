package forget

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/withheld"
)

// turn returns the entries of a turn.
func turn(id string, later time.Duration, prompt, answer string) []log.Entry {
	return []log.Entry{{ID: id, Kind: log.Typed, Time: noon.Add(later), Text: prompt},
		{Kind: log.Answered, Of: id, Time: noon.Add(later), Text: answer}}
}

// TestPast: the turns of all sessions lose the words too, and no transcript brings them back.
func TestPast(t *testing.T) {
	dir := t.TempDir()
	store := log.Store{Dir: dir, Wait: time.Second}
	shop := slices.Concat(turn("u1", 0, "Tell Ann: "+phrase, "told"), turn("u2", 0, "and?", phrase),
		turn("u3", 0, "weigh the jars", "120 g"))
	add := func() {
		if err := store.Add("shop", "s-shop", shop); err != nil {
			t.Fatal(err)
		}
	}
	add()
	if err := store.Add("zoo", "s-zoo", turn("u4", 0, phrase, "so it is")); err != nil {
		t.Fatal(err)
	}
	of := func(name string) func(string) bool { return func(s string) bool { return strings.HasPrefix(s, name) } }
	e := &Eraser{Dir: dir, Chosen: of("shop"), Records: of("shop"), Past: of("shop"), Phrase: phrase, Now: noon,
		Wait: time.Second}
	found, err := e.Run()
	if err != nil || len(found) != 2 {
		t.Fatal(found, err)
	}
	list := func(project string) (out string) {
		turns, err := past.Read(store, project, "s-"+project)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range turns {
			out += one.Prompt + "=" + one.Answer + " "
		}
		return out
	}
	for range 2 {
		if got := list("shop"); got != "and?= weigh the jars=120 g " {
			t.Error(got)
		}
		add()
	}
	if got := list("zoo"); !strings.Contains(got, phrase) {
		t.Error("another project lost words:", got)
	}
	gate, err := withheld.Open(dir, withheld.Session{ID: "s-shop", Slug: "shop"}, noon)
	if err != nil || !gate.HasID("u1") || gate.HasID("u2") {
		t.Error("what was erased is not remembered:", err)
	}

	w := Eraser{Dir: dir, Chosen: of("shop--"), Past: of("shop"), Now: noon, Wait: time.Second}
	files, err := w.Run()
	if err != nil || len(files) != 1 || fixture.Exists(files[0].Path) || list("shop") != "" || list("zoo") == "" {
		t.Error(files, err)
	}
	gate, err = withheld.Open(dir, withheld.Session{ID: "s-shop", Slug: "shop"}, noon)
	if err != nil || !gate.Lines()(noon.Add(-time.Minute).Format(time.RFC3339), 0) {
		t.Error("the forgotten session may be taken in again:", err)
	}
}

// TestUnknownSessions: a project that was forgotten whole takes in nothing of before, also of sessions that no file
// here names any more. Nor do files that nobody can read stay.
func TestUnknownSessions(t *testing.T) {
	for _, all := range []bool{true, false} {
		dir := fixture.Files(t, filepath.Join(t.TempDir(), ".memento"), map[string]string{
			"workspace.json":     `{"projects":[{"slug":"shop","id":"git:x/shop","roots":["/shop"]}]}`,
			"shop--alice.json":   `{"mission":"` + phrase + `"}`,
			"waiting/s1.0a.json": "{" + phrase,
		})
		unlock, err := safefile.LockIn(dir, "zoo--alice", 0)
		if err != nil {
			t.Fatal(err)
		}
		of := func(name string) func(string) bool {
			return func(s string) bool { return all || strings.HasPrefix(s, name) }
		}
		w := Eraser{Dir: dir, Chosen: of("shop--"), Records: of("shop"), Past: of("shop"), All: all, Now: noon,
			Wait: time.Second}
		if _, err := w.Run(); err != nil {
			t.Fatal(err)
		}
		gate, err := withheld.Open(dir, withheld.Session{ID: "unknown", Slug: "shop"}, noon.Add(time.Hour))
		if err != nil || !gate.Lines()(noon.Add(-time.Hour).Format(time.RFC3339), 0) ||
			gate.Lines()(noon.Add(time.Minute).Format(time.RFC3339), 0) {
			t.Errorf("all %t: an unknown session is taken in again: %v", all, err)
		}
		if left := holding(t, dir, phrase); left != "" {
			t.Errorf("all %t: left in %s", all, left)
		}
		if _, err := safefile.LockIn(dir, "zoo--alice", 0); !errors.Is(err, safefile.ErrBusy) {
			t.Errorf("all %t: a lock that somebody holds is gone: %v", all, err)
		}
		unlock()
	}
}

func is(s string) func(string) bool { return func(other string) bool { return other == s } }

// A person's forget notes the phrase, also where nothing was found, or the prompts of an entry. Nothing notes them in a
// dry run.
func TestNoted(t *testing.T) {
	t.Parallel()
	dir := desk(t)
	load := func() *withheld.Erased {
		t.Helper()
		l, err := withheld.LoadErased(dir)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	e := eraser(t, dir, phrase)
	e.In, e.Dry = []string{"p1"}, true
	if _, err := e.Run(); err != nil || load().Forgets() != 0 {
		t.Errorf("a dry run notes it: %v", err)
	}
	e.Dry = false
	if _, err := e.Run(); err != nil || !load().In("p1").Has(phrase) || load().In("p2").Has(phrase) ||
		load().Forgets() != 1 {
		t.Errorf("the phrase is not noted: %v", err)
	}
}

// A whole project takes its sessions and decisions along, and nothing that comes later.
func TestNotedWhole(t *testing.T) {
	t.Parallel()
	a, b := desk(t), desk(t)
	later := turn("u9", 2*time.Hour, "later", "")
	if err := (log.Store{Dir: b, Wait: time.Second}).Add("shop", "s1", later); err != nil {
		t.Fatal(err)
	}
	w := Eraser{Dir: a, Chosen: shop, Records: is("shop"), Past: is("shop"), Now: noon.Add(time.Hour),
		Wait: time.Second}
	if _, err := w.Run(); err != nil {
		t.Fatal(err)
	}
	fixture.Write(t, withheld.ErasedPath(b), fixture.Read(t, withheld.ErasedPath(a)))
	known, err := withheld.LoadErased(b)
	if err != nil {
		t.Fatal(err)
	}
	e := &Eraser{Dir: b, Chosen: shop, Records: is("shop"), Past: is("shop"), Known: known, Now: noon,
		Wait: time.Second}
	if _, err := e.Run(); err != nil {
		t.Fatal(err)
	}
	var said []string
	turns, err := past.Read(log.Store{Dir: b}, "shop", "s1")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range turns {
		said = append(said, one.Prompt)
	}
	if !slices.Equal(said, []string{"later"}) {
		t.Errorf("left are the turns %q", said)
	}
}

// A prompt that another machine erased by its id takes along what quotes it here, and nothing else.
func TestQuotes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), ".memento")
	journal := `{"mission":"Sell","done":[{"act":"call Ann"}],"wip":"\"Print the blue labels\"","wip_by":"auto"}`
	fixture.Write(t, filepath.Join(dir, "shop--alice.json"), journal)
	store := log.Store{Dir: dir, Wait: time.Second}
	if err := store.Append("shop", "s1", turn("u1", 0, "Print the blue labels. Then rest.", "Printed.")); err != nil {
		t.Fatal(err)
	}
	if err := (withheld.Erasure{IDs: []string{"u1"}}).Add(dir, time.Second); err != nil {
		t.Fatal(err)
	}
	known, err := withheld.LoadErased(dir)
	if err != nil {
		t.Fatal(err)
	}
	e := &Eraser{Dir: dir, Chosen: shop, Past: is("shop"), Known: known, Now: noon, Wait: time.Second}
	if _, err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if where := holding(t, dir, "blue labels"); where != "" {
		t.Errorf("it stands in %s", where)
	}
	if holding(t, dir, "call Ann") == "" {
		t.Error("other words are gone")
	}
}
