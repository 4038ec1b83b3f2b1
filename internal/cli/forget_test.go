package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

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
	if code := Main([]string{"forget"}, s); code != 0 || !strings.Contains(o.String(), "2 records") {
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

// TestForgetPurges: what is forgotten goes from the history that syncs keep at once, by memento-sync, or with the whole
// history when all is forgotten or memento-sync is missing.
func TestForgetPurges(t *testing.T) {
	for _, one := range []struct {
		args           []string
		missing, stays bool
		ran            string
	}{
		{args: []string{"forget", "jars", "--yes"}, stays: true, ran: "sync --purge"},
		{args: []string{"forget", "jars", "--dry-run"}, stays: true},
		{args: []string{"forget", "jars", "--yes"}, missing: true},
		{args: []string{"forget", "--yes"}, stays: true, ran: "sync --purge"},
		{args: []string{"forget", "--all", "--yes"}},
	} {
		home := t.TempDir()
		shop := filepath.Join(home, "shop")
		if err := os.MkdirAll(filepath.Join(shop, ".git"), 0o700); err != nil {
			t.Fatal(err)
		}
		if code, _, errs := at(t, home, shop, "", "save", "debt", "Weigh the jars"); code != 0 {
			t.Fatal(errs)
		}
		repo, _ := pace.History(filepath.Join(home, ".claude", ".memento"))
		if err := os.MkdirAll(filepath.Join(repo, "objects"), 0o700); err != nil {
			t.Fatal(err)
		}
		var o, e bytes.Buffer
		ran := ""
		s := person{home, shop}.streams(strings.NewReader(""), &o, &e)
		s.RunCompanion = func(args []string) (int, error) {
			if one.missing {
				return 0, os.ErrNotExist
			}
			ran = strings.Join(args, " ")
			return 0, nil
		}
		code := Main(one.args, s)
		if _, err := os.Lstat(repo); code != 0 || ran != one.ran || (err == nil) != one.stays {
			t.Errorf("%q: %d, ran %q, the repository: %v, %s%s", one.args, code, ran, err, &o, &e)
		}
	}
}
