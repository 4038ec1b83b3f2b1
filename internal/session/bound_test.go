package session

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// TestBindFollows: a session goes on with its journal when the journal was renamed without its knowledge. A session
// whose journal stands in its place stays there.
func TestBindFollows(t *testing.T) {
	d := newDesk(t)
	d.bind(t, "a", Place{Cwd: d.myapp})
	if err := project.Rename(d.config.Dir, "myapp", "shop", false, morning, time.Minute); err != nil {
		t.Fatal(err)
	}
	at := func(lane string) string { return filepath.Join(d.config.Dir, lane+".json") }
	if got := d.bind(t, "a", Place{Cwd: d.myapp}); got != "myapp--alice" {
		t.Errorf("with no journal at all it is in %s", got)
	}
	fixture.Write(t, at("shop--alice"), `{"mission":"m"}`)
	fixture.Write(t, at("myapp--alice"), `{"mission":"m"}`)
	if got := d.bind(t, "a", Place{Cwd: d.myapp}); got != "myapp--alice" {
		t.Errorf("with a journal of its own it is in %s", got)
	}
	if err := safefile.Remove(at("myapp--alice")); err != nil {
		t.Fatal(err)
	}
	if got := d.bind(t, "a", Place{Cwd: d.myapp}); got != "shop--alice" {
		t.Errorf("with its journal renamed it is in %s", got)
	}
}
