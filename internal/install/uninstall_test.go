package install

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// lived writes files into home that memento writes over time. It returns those that are journals or belong to them.
func lived(t *testing.T, home string) (journals []string) {
	t.Helper()
	m := filepath.Join(home, ".claude", ".memento")
	for _, name := range []string{
		"shop--alice.json", "history/shop--alice.jsonl", ".completed/shop--x.md", "workspace.json", "config.json",
		"paused.json", "erased.json",
		"shop--alice.json.corrupt-20260101T000000Z", "state/forgotten.json", "state/removed.json",
	} {
		fixture.Put(t, filepath.Join(m, name), name, 0o600)
		journals = append(journals, filepath.Join(".claude", ".memento", name))
	}
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{
		".claude/.memento/state/s1.json", ".claude/.memento/state/s1.lock", ".claude/.memento/state/alice.holder",
		".claude/.memento/shop--alice.debug.json",
		".claude/.memento/index/x.idx",
	} {
		fixture.Put(t, filepath.Join(home, name), "x", 0o600)
		if err := os.Chtimes(filepath.Join(home, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	return journals
}

// world returns a home, and the options of its user.
func world(t *testing.T) (home string, o Options) {
	t.Helper()
	home = t.TempDir()
	o = options(filepath.Join(home, ".claude"))
	o.Cache = filepath.Join(home, ".cache", "memento")
	return home, o
}

func TestNothingStaysButTheJournals(t *testing.T) {
	t.Parallel()
	home, o := world(t)
	fixture.Put(t, filepath.Join(home, ".cache", "other", "x"), "", 0o644)
	fixture.Put(t, o.file(), original, 0o644)
	fixture.Put(t, filepath.Join(home, ".claude", "plugins", "x"), "", 0o644)
	was := fixture.Tree(t, home)
	install(t, o)
	journals := lived(t, home)
	dry := o
	dry.DryRun = true
	is := fixture.Tree(t, home)
	plan := uninstall(t, dry)
	fixture.Same(t, "a dry run", is, fixture.Tree(t, home))
	r := uninstall(t, o)
	if strings.Join(plan.Gone, "\n") != strings.Join(r.Gone, "\n") || plan.Place.Change != r.Place.Change ||
		plan.Skill != r.Skill {
		t.Errorf("the dry run said %+v, the run %+v", plan, r)
	}
	after := fixture.Tree(t, home)
	for _, name := range journals {
		if _, ok := after[name]; !ok {
			t.Errorf("%s is gone", name)
		}
		for p := name; p != ".claude"; p = filepath.Dir(p) {
			delete(after, p)
		}
	}
	fixture.Same(t, "uninstall", was, after)
	stays := strings.Join(r.Stays, "\n")
	for _, want := range []string{filepath.Join(home, ".claude", ".memento"), exe} {
		if !strings.Contains(stays, want) {
			t.Errorf("stays: %q; want %q in it", stays, want)
		}
	}
	if r.Place.Change != Restored {
		t.Errorf("%+v", r.Place)
	}
	if again := uninstall(t, o); len(again.Gone) != 0 || again.Place.Change != Unchanged {
		t.Errorf("a second uninstall: %+v", again)
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{".memento", ".memento/state", ".memento/index", ".memento/history"} {
		home, o := world(t)
		for _, f := range []string{"s1.json", "state/s1.json", "x.debug.json", ".memento-tmp-1", "install/x"} {
			path := filepath.Join(home, "elsewhere", f)
			fixture.Put(t, path, "x", 0o600)
			if old := time.Now().Add(-time.Hour); os.Chtimes(path, old, old) != nil {
				t.Fatal(path)
			}
		}
		link := filepath.Join(o.ConfigDir, name)
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(home, "elsewhere"), link); err != nil {
			t.Fatal(err)
		}
		was := fixture.Tree(t, filepath.Join(home, "elsewhere"))
		if r, err := Uninstall(o); err != nil && !strings.Contains(err.Error(), "link") {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		fixture.Same(t, name, was, fixture.Tree(t, filepath.Join(home, "elsewhere")))
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

func TestAPluginKeepsItsState(t *testing.T) {
	t.Parallel()
	home, o := world(t)
	fixture.Put(t, o.file(), `{"enabledPlugins": {"memento@mementohq": true}}`, 0o644)
	install(t, o)
	lived(t, home)
	r := uninstall(t, o)
	for _, name := range []string{".claude/.memento/state/s1.json"} {
		if isMissing(filepath.Join(home, name)) {
			t.Errorf("%s is gone", name)
		}
	}
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

func TestTheLastCopyOfSettingsStays(t *testing.T) {
	t.Parallel()
	_, o := world(t)
	fixture.Put(t, o.file(), original, 0o600)
	install(t, o)
	fixture.Put(t, o.file(), "\n", 0o600) // for example by a full disk
	for range 2 {
		r := uninstall(t, o)
		if got := fixture.Read(t, o.backup()); got != original {
			t.Fatalf("the backup is %q", got)
		}
		if stays := strings.Join(r.Stays, "\n"); !strings.Contains(stays, "Your settings, in "+o.backup()) {
			t.Errorf("stays %q", stays)
		}
	}
	fixture.Put(t, o.file(), original, 0o600)
	uninstall(t, o)
	if !isMissing(o.backup()) {
		t.Error("the backup stays")
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
