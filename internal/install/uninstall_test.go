package install

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// world returns a home, and the options of its user.
func world(t *testing.T) (home string, o Options) {
	t.Helper()
	home = t.TempDir()
	o = options(filepath.Join(home, ".claude"))
	o.Cache = filepath.Join(home, ".cache", "memento")
	return home, o
}

func TestMementosFolderStays(t *testing.T) {
	t.Parallel()
	home, o := world(t)
	fixture.Put(t, o.file(), original, 0o644)
	fixture.Put(t, filepath.Join(home, ".claude", ".memento", "cache", "s1.json"), "x", 0o600)
	was := fixture.Tree(t, home)
	install(t, o)
	r := uninstall(t, o)
	fixture.Same(t, "uninstall", was, fixture.Tree(t, home))
	stays := strings.Join(r.Stays, "\n")
	for _, want := range []string{filepath.Join(home, ".claude", ".memento"), exe} {
		if !strings.Contains(stays, want) {
			t.Errorf("stays: %q; want %q in it", stays, want)
		}
	}
}

func TestARefusedUserFileChangesNothing(t *testing.T) {
	t.Parallel()
	home, o := world(t)
	install(t, o)
	fixture.Put(t, o.file(), "{,}", 0o600)
	was := fixture.Tree(t, home)
	if _, err := Uninstall(o); err == nil || Hint(err) == "" {
		t.Errorf("got %v", err)
	}
	fixture.Same(t, "refusing", was, fixture.Tree(t, home))
}

func TestThePluginStays(t *testing.T) {
	t.Parallel()
	_, o := world(t)
	fixture.Put(t, o.file(), `{"enabledPlugins": {"memento@mementohq": true}}`, 0o644)
	install(t, o)
	r := uninstall(t, o)
	if !slices.ContainsFunc(r.Stays, func(s string) bool {
		return strings.Contains(s, "claude plugin uninstall memento@mementohq")
	}) {
		t.Errorf("stays %q", r.Stays)
	}
}

func TestALinkMadeSinceStillLeadsSomewhere(t *testing.T) {
	t.Parallel()
	home, o := world(t)
	install(t, o) // a settings.json did not exist
	mine := filepath.Join(home, "dotfiles", "settings.json")
	fixture.Put(t, mine, fixture.Read(t, o.file()), 0o600)
	if err := errors.Join(os.Remove(o.file()), os.Symlink(mine, o.file())); err != nil {
		t.Fatal(err)
	}
	if r := uninstall(t, o); r.Place.Change != Edited {
		t.Errorf("settings %s", r.Place.Change)
	}
	if got := fixture.Read(t, o.file()); got != "{}\n" {
		t.Errorf("left %q", got)
	}
}

// real returns a temporary folder by its own path, without links.
func real(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
