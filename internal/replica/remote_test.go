package replica

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/machine"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
)

func (h *home) has(slug string) bool {
	h.t.Helper()
	_, err := h.Store.Read(h.slug + "--" + slug)
	if err != nil && !errors.Is(err, record.ErrNotFound) {
		h.t.Fatal(err)
	}
	return err == nil
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// A remote that somebody made anew, replaced by another, or brought back from a backup takes nothing from a store.
func TestAnotherRemote(t *testing.T) {
	fixture.Long(t, "syncs 9 times")
	t.Parallel()
	remote := bare(t)
	desk, laptop := newHome(t, "desk", "shop", remote), newHome(t, "laptop", "shop", remote)
	desk.save("One", "First.")
	desk.sync()
	old := git(t, remote, "rev-parse", "main")
	desk.save("Two", "Second.")
	desk.sync()
	laptop.sync()
	git(t, remote, "update-ref", "refs/heads/main", old) // from a backup
	laptop.save("Three", "Third.")
	laptop.sync()
	desk.sync()
	for _, slug := range []string{"one", "two", "three"} {
		if !desk.has(slug) || !laptop.has(slug) {
			t.Errorf("%s is gone with a backup", slug)
		}
	}
	other := newHome(t, "other", "shop", bare(t))
	other.save("Four", "Fourth.")
	other.sync()
	for _, dir := range []string{"objects", "refs"} { // replaced by another
		if err := os.RemoveAll(filepath.Join(remote, dir)); err != nil {
			t.Fatal(err)
		}
	}
	git(t, filepath.Dir(remote), "init", "-q", "--bare", remote)
	git(t, remote, "fetch", "-q", other.set.Remote, "main:main")
	desk.sync()
	laptop.sync()
	git(t, remote, "update-ref", "-d", "refs/heads/main") // made anew
	laptop.sync()
	desk.sync()
	for _, slug := range []string{"one", "two", "three", "four"} {
		if !desk.has(slug) || !laptop.has(slug) {
			t.Errorf("%s is gone with a new remote", slug)
		}
	}
}

// What was chosen for one remote does not go to the next, nor does its history.
func TestNextRemote(t *testing.T) {
	fixture.Long(t, "syncs 5 times")
	t.Parallel()
	first, second := bare(t), bare(t)
	desk := newHome(t, "desk", "shop", "")
	desk.save("Hidden", "Nobody may read it.")
	desk.said("aaaa", "Hello.", "Claude knows.")
	desk.set = Choice{Remote: bare(t), All: true, Answers: true}
	desk.sync()
	desk.set = Choice{Remote: first, Projects: []string{"user"}}
	desk.sync()
	for _, words := range []string{"Nobody may read it.", "Hello.", "Claude knows"} {
		if where := holding(t, first, words); where != nil {
			t.Errorf("%q went to the first remote", words)
		}
	}
	desk.set = Choice{Remote: second, Projects: []string{"shop"}}
	desk.sync()
	if where := holding(t, second, "Claude knows."); where != nil {
		t.Error("answers went to the second remote")
	}
	if holding(t, second, "Nobody may read it.") == nil {
		t.Error("the record did not go")
	}
	desk.set = Choice{Remote: first}
	desk.sync()
	if !desk.has("hidden") || holding(t, first, "Nobody may read it.") != nil {
		t.Error("the choice for the second remote went to the first")
	}
}

// A copy of a store on a second machine is told apart, although both have one id.
func TestCopiedStore(t *testing.T) {
	fixture.Long(t, "syncs 8 times")
	t.Parallel()
	remote := bare(t)
	desk, laptop := newHome(t, "desk", "shop", remote), newHome(t, "laptop", "shop", remote)
	desk.save("One", "First.")
	desk.sync()
	if err := os.RemoveAll(laptop.Config.Dir); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(laptop.Config.Dir, os.DirFS(desk.Config.Dir)); err != nil {
		t.Fatal(err)
	}
	for i, h := range []*home{desk, laptop, desk, laptop} {
		h.save([]string{"Two", "Three", "Four", "Five"}[i], "Words.")
		h.sync()
	}
	desk.sync()
	a, err := desk.me()
	if err != nil {
		t.Fatal(err)
	}
	b, err := laptop.me()
	if err != nil || a.ID == b.ID || a.Born != b.Born || b.Name != a.Name {
		t.Errorf("they are %+v and %+v, %v", a, b, err)
	}
	if m, err := machine.Load(laptop.Config.Dir, 0); err != nil || m != b {
		t.Errorf("it does not stay: %+v, %v", m, err)
	}
	for _, slug := range []string{"one", "two", "three", "four", "five"} {
		if !desk.has(slug) || !laptop.has(slug) {
			t.Errorf("%s is gone", slug)
		}
	}
	if s, err := desk.Status(); err != nil || !slices.Equal(s.Machines, []string{"desk"}) {
		t.Errorf("the others are %q, %v", s.Machines, err)
	}
	for _, h := range []*home{desk, laptop} {
		if got := h.sync(); got.Sent != (Count{}) || got.Received != (Count{}) {
			t.Errorf("it is not quiet: %+v", got)
		}
	}
}

// A kill between the sending and the removal of the repository here leaves no forgotten word there for good.
func TestKilledBeforeKeep(t *testing.T) {
	fixture.Long(t, "syncs 5 times")
	desk := newHome(t, "desk", "shop", bare(t))
	desk.save("Plan", "The launch is on 3 May.\n\nBe there.")
	desk.sync()
	desk.forget("launch is on 3 May")
	safefile.TestOnlyFault(func(op, path string) error {
		if op == "remove" && filepath.Base(path) == "repo" {
			return errors.New("killed")
		}
		return nil
	})
	_, err := desk.Sync(context.Background(), desk.set, false)
	safefile.TestOnlyFault(nil)
	if err == nil || holding(t, desk.Config.Dir, "launch is on 3 May") == nil {
		t.Fatalf("it was not stopped there: %v", err)
	}
	desk.sync()
	if where := holding(t, desk.Config.Dir, "launch is on 3 May"); where != nil {
		t.Errorf("it stands in %v", where)
	}
}
