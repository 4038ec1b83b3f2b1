package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/safefile"
)

// TestForgetMeanwhile: the question names the project, so forget also erases a record that was written while the
// question was open.
func TestForgetMeanwhile(t *testing.T) {
	home := t.TempDir()
	shop := filepath.Join(home, "shop")
	if err := os.MkdirAll(filepath.Join(shop, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	save := func(title string) {
		if code, _, err := at(t, home, shop, "", "save", "debt", title); code != 0 {
			t.Error(err)
		}
	}
	save("one")
	var o, e bytes.Buffer
	s := person{home, shop}.streams(&meanwhile{do: func() { save("two") }}, &o, &e)
	s.Terminal = true
	if code := Main([]string{"forget"}, s); code != 0 || !strings.Contains(o.String(), "shop--two.md") {
		t.Errorf("%d, %s, %s", code, &o, &e)
	}
	if left, err := filepath.Glob(filepath.Join(home, ".claude", ".memento", "shop--*.md")); err != nil || left != nil {
		t.Errorf("left are %q, %v", left, err)
	}
}

// TestForgetWithoutTheList: forget --project works when the disk fails to list the projects. It calls no name unknown
// then.
func TestForgetWithoutTheList(t *testing.T) {
	p := newPerson(t)
	p.run("mission", "Ship the loyalty card")
	safefile.TestOnlyFault(func(op, path string) error {
		if filepath.Base(path) == "workspace.json" && op != "stat" {
			return syscall.EIO
		}
		return nil
	})
	defer safefile.TestOnlyFault(nil)
	if _, errs, code := p.run("forget", "--project", "shpo"); code != exitFail ||
		!strings.Contains(errs, "workspace.json") {
		t.Errorf("another: %d, %s", code, errs)
	}
	out, errs, code := p.run("forget", "--project", "shop", "--yes")
	if _, err := os.Lstat(filepath.Join(p.home, ".claude", ".memento", "shop--alice.json")); code != exitOK ||
		!os.IsNotExist(err) {
		t.Errorf("%d, %s%s: %v", code, out, errs, err)
	}
}

// TestForgetPurges: the history that syncs keep goes at once with what is forgotten, and not in a dry run.
func TestForgetPurges(t *testing.T) {
	home := t.TempDir()
	shop := fixture.Repository(t, filepath.Join(home, "shop"), "https://git.example.com/alice/shop.git")
	remote := filepath.Join(home, "memory.git")
	fixture.Git(t, home, "init", "-q", "--bare", remote)
	run := func(args ...string) {
		t.Helper()
		if code, out, errs := at(t, home, shop, "", args...); code != 0 {
			t.Fatalf("%q: %d, %s%s", args, code, out, errs)
		}
	}
	run("save", "debt", "Weigh the jars")
	run("sync", remote, "--all")
	repo, _ := pace.History(filepath.Join(home, ".claude", ".memento"))
	if run("forget", "jars", "--dry-run"); !fixture.Exists(repo) {
		t.Error("a dry run takes the history")
	}
	if run("forget", "jars", "--yes"); fixture.Exists(repo) {
		t.Error("the history stays")
	}
}
