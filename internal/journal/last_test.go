package journal

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/project"
)

// TestReadAgain: a journal that was just read is decoded again only when the file has changed, whoever changed it.
func TestReadAgain(t *testing.T) {
	s := newStore(t)
	s.Last = new(Last)
	open := func(s Store, words string) {
		t.Helper()
		if _, err := s.Update(func(j *Journal) error { j.Mission = words; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	get := func(s Store, mission string) *Journal {
		t.Helper()
		j, err := s.Read()
		if err != nil || j.Mission != mission {
			t.Fatalf("the mission is %v, %v; want %s", j, err, mission)
		}
		return j
	}
	open(s, "Fix the checkout")
	first := get(s, "Fix the checkout")
	if again := get(s, "Fix the checkout"); again != first {
		t.Error("it was decoded again")
	}

	open(s, "Fix the basket") // this process
	mine := get(s, "Fix the basket")
	if _, err := s.Update(func(j *Journal) error { j.Mission = "half"; return errors.New("no") }); err == nil {
		t.Fatal("no error")
	}
	if again := get(s, "Fix the basket"); again == mine {
		t.Error("what a change that failed had in hand is returned")
	}

	other := s // another one
	other.Last = nil
	open(other, "Fix the invoice")
	get(s, "Fix the invoice")

	elsewhere := s // another lane of this one
	elsewhere.Lane = project.NewLane(s.Lane.Dir, "other", "", "alice")
	if j, err := elsewhere.Read(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("another lane's is %v, %v", j, err)
	}
	get(s, "Fix the invoice")

	content := fixture.Read(t, s.Lane.Journal()) // by hand, as many bytes
	fixture.Write(t, s.Lane.Journal(), strings.Replace(content, "invoice", "receipt", 1))
	get(s, "Fix the receipt")
	fixture.Write(t, s.Lane.Journal(), "{")
	if j, err := s.Read(); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a damaged one is %v, %v", j, err)
	}
	if err := os.Remove(s.Lane.Journal()); err != nil {
		t.Fatal(err)
	}
	if j, err := s.Read(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing one is %v, %v", j, err)
	}
}
