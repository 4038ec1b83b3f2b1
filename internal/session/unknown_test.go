package session

import (
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
)

// newest returns the newest version of the memory in its file.
func newest(t *testing.T, dir string) string {
	t.Helper()
	return string(safefile.Newest([]byte(fixture.Read(t, Path(dir, id)))))
}

// TestUnknown: fields of another version stay byte for byte, and an unchanged memory is still not written.
func TestUnknown(t *testing.T) {
	dir := t.TempDir()
	change(t, dir, id, func(s *Session) { s.Lane, s.Prompts = "alice", 3 })
	const later = `,"later":{"a":[1,2.50,"\u003cé"],"b":null},"Zürich":""`
	whole := newest(t, dir)
	fixture.Write(t, Path(dir, id), strings.TrimSuffix(whole, "}")+later+`,"PROMPTS":4}`)
	if got := load(t, dir, id); got.Prompts != 4 { // the last of two fields counts, in upper or lower case
		t.Errorf("there are %d prompts", got.Prompts)
	}
	change(t, dir, id, func(s *Session) { s.Prompts = 5 })
	if got, want := newest(t, dir), strings.Replace(strings.TrimSuffix(whole, "}"), `"prompts":3`, `"prompts":5`, 1)+
		later+"}"; got != want {
		t.Errorf("the memory is\n%s, want\n%s", got, want)
	}
	before := fixture.Read(t, Path(dir, id))
	change(t, dir, id, func(*Session) {})
	if got := fixture.Read(t, Path(dir, id)); got != before {
		t.Errorf("unchanged, it was written again:\n%s", got)
	}
	change(t, dir, id, func(s *Session) { s.Introduced = true })
	if got := newest(t, dir); !strings.HasSuffix(got, later+"}") || strings.Count(got, "later") != 1 {
		t.Errorf("changed again, the memory is\n%s", got)
	}
}
