package gitrepo

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, dir string) *Repo {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// save commits files, given as pairs of path and content.
func save(t *testing.T, r *Repo, parent ID, pairs ...string) ID {
	t.Helper()
	files, parents := map[string]ID{}, []ID(nil)
	if parent != "" {
		var err error
		if files, err = r.Files(parent); err != nil {
			t.Fatal(err)
		}
		parents = []ID{parent}
	}
	for i := 0; i < len(pairs); i += 2 {
		id, err := r.Put([]byte(pairs[i+1]))
		if err != nil {
			t.Fatal(err)
		}
		files[pairs[i]] = id
	}
	id, err := r.Commit(files, parents, "desk", "sync", noon)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestFirst(t *testing.T) {
	dir := t.TempDir()
	r := open(t, filepath.Join(dir, "repo"))
	a := save(t, r, "", "a.txt", "one", "a/b/c.txt", "two")
	b := save(t, r, a, "a/b/c.txt", "three")
	if err := r.SetRef("main", b); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "--git-dir="+filepath.Join(dir, "repo"), "fsck", "--full",
		"--strict").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	n := 0
	if err := r.Log(b, "a/b/c.txt", func(Commit) bool { n++; return true }); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	remote := filepath.Join(dir, "remote")
	if out, err := exec.Command("git", "init", "-q", "--bare", remote).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	git, _ := exec.LookPath("git")
	to := Remote{URL: remote, Git: git}
	if head, err := r.Fetch(context.Background(), to); head != "" || err != nil {
		t.Fatal(head, err)
	}
	if err := r.Push(context.Background(), to, b, ""); err != nil {
		t.Fatal(err)
	}
	if err := r.Push(context.Background(), to, a, a); !errors.Is(err, ErrRejected) {
		t.Fatal(err)
	}
	o := open(t, filepath.Join(dir, "other"))
	if head, err := o.Fetch(context.Background(), to); head != b || err != nil {
		t.Fatal(head, err)
	}
	if err := r.Keep(b); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Ref("main"); got != b || err != nil {
		t.Fatal(got, err)
	}
}
