package session

import (
	"os"
	"strings"
	"testing"
)

// What another version remembers in a state is kept to the letter, and what did not change is still not written.
func TestUnknown(t *testing.T) {
	dir := t.TempDir()
	change(t, dir, id, func(s *Session) { s.Lane, s.Prompts = "alice", 3 })
	const later = `,"later":{"a":[1,2.50,"\u003cé"],"b":null},"Zürich":""`
	whole := read(t, Path(dir, id))
	write(t, Path(dir, id), strings.TrimSuffix(whole, "}")+later+`,"PROMPTS":4}`)
	if got := load(t, dir, id); got.Prompts != 4 { // as encoding/json reads it
		t.Errorf("there are %d prompts", got.Prompts)
	}
	change(t, dir, id, func(s *Session) { s.Prompts = 5 })
	if got, want := read(t, Path(dir, id)), strings.Replace(strings.TrimSuffix(whole, "}"), `"prompts":3`, `"prompts":5`, 1)+later+"}"; got != want {
		t.Errorf("the state is\n%s, want\n%s", got, want)
	}
	before, err := os.Stat(Path(dir, id))
	if err != nil {
		t.Fatal(err)
	}
	change(t, dir, id, func(*Session) {})
	if after, err := os.Stat(Path(dir, id)); err != nil || !os.SameFile(before, after) {
		t.Errorf("unchanged, it was written again: %v", err)
	}
	change(t, dir, id, func(s *Session) { s.Told = true })
	if got := read(t, Path(dir, id)); !strings.HasSuffix(got, later+"}") || strings.Count(got, "later") != 1 {
		t.Errorf("changed again, the state is\n%s", got)
	}
}
