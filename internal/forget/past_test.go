package forget

import (
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/withheld"
)

// TestPast: the turns of all sessions lose the words too, and no transcript brings them back.
func TestPast(t *testing.T) {
	dir := t.TempDir()
	store := past.Store{Dir: dir, Wait: time.Second}
	turn := func(project, id, prompt, answer string) past.Turn {
		return past.Turn{Project: project, Session: "s-" + project, Time: noon, PromptID: id, Prompt: prompt,
			Answer: answer}
	}
	if err := store.Add([]past.Turn{turn("shop", "u1", "Tell Ann: "+phrase, "told"), turn("shop", "u2", "and?", phrase),
		turn("shop", "u3", "weigh the jars", "120 g"), turn("zoo", "u4", phrase, "so it is")}); err != nil {
		t.Fatal(err)
	}
	what, _ := Phrase(phrase)
	of := func(name string) func(string) bool { return func(s string) bool { return strings.HasPrefix(s, name) } }
	e := &Eraser{Dir: dir, Chosen: of("shop"), Records: of("shop"), Past: of("shop"), What: what, Now: noon,
		Wait: time.Second}
	found, err := e.Run()
	if err != nil || len(found) != 2 {
		t.Fatal(found, err)
	}
	list := func(project string) (out string) {
		for one, err := range store.Read(project, "s-"+project) {
			if err != nil {
				t.Fatal(err)
			}
			out += one.Prompt + "=" + one.Answer + " "
		}
		return out
	}
	if got := list("shop"); got != "and?= weigh the jars=120 g " {
		t.Error(got)
	}
	if got := list("zoo"); !strings.Contains(got, phrase) {
		t.Error("another project lost words:", got)
	}
	gate, err := withheld.Open(dir, withheld.Session{ID: "s-shop", Slug: "shop"}, noon)
	if err != nil || !gate.Erased("u1") || gate.Erased("u2") || !gate.Erased(past.Rest("u2")) {
		t.Error("what was erased is not remembered:", err)
	}

	w := Whole{Dir: dir, Chosen: of("shop--"), Past: of("shop"), Now: noon, Wait: time.Second}
	files, err := w.Files()
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	files, _, err = w.Run()
	if err != nil || len(files) != 1 || fixture.Exists(files[0]) || list("shop") != "" || list("zoo") == "" {
		t.Error(files, err)
	}
	gate, err = withheld.Open(dir, withheld.Session{ID: "s-shop", Slug: "shop"}, noon)
	if err != nil || !gate.Lines()(noon.Add(-time.Minute).Format(time.RFC3339), 0) {
		t.Error("the forgotten session may be taken in again:", err)
	}
}
