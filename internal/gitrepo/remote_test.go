package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

var here = context.Background()

// fetchOf fetches, and fails the test on an error.
func fetchOf(t *testing.T, r *Repo, url string) ID {
	t.Helper()
	head, err := r.Fetch(url)
	if err != nil {
		t.Fatalf("fetching %s: %v", url, err)
	}
	return head
}

// testExchange: two clones exchange commits by an empty remote, race for it, and one of them begins a new history.
func testExchange(t *testing.T, at string) {
	t.Helper()
	dir := t.TempDir()
	a, b := open(t, filepath.Join(dir, "a")), open(t, filepath.Join(dir, "b"))
	if head := fetchOf(t, a, at); head != "" {
		t.Fatalf("an empty remote has %s", head)
	}
	first := save(t, a, "", "memento.json", "{}", "projects/x/records/one.md", strings.Repeat("one ", 100_000))
	if err := a.Push(at, first, ""); err != nil {
		t.Fatal(err)
	}
	if err := a.Push(at, first, ""); err != nil {
		t.Errorf("what is there already: %v", err)
	}
	if head := fetchOf(t, b, at); head != first {
		t.Fatalf("fetched %s, want %s", head, first)
	}
	if got, err := b.Files(first); err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	fromA, fromB := save(t, a, first, "a.md", "from a"), save(t, b, first, "b.md", "from b")
	if err := b.Push(at, fromB, first); err != nil {
		t.Fatal(err)
	}
	if err := a.Push(at, fromA, first); !errors.Is(err, ErrRejected) {
		t.Fatalf("a slower push: %v", err)
	}
	if err := a.Push(at, fromA, ""); !errors.Is(err, ErrRejected) {
		t.Fatalf("a first push to what is there: %v", err)
	}
	head := fetchOf(t, a, at)
	files, err := a.Files(head)
	if err != nil || head != fromB {
		t.Fatal(head, err)
	}
	files["a.md"] = BlobID([]byte("from a"))
	merged, err := a.Commit(files, head, "desk", "merge", noon)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Push(at, merged, head); err != nil {
		t.Fatalf("the next try: %v", err)
	}
	root := save(t, a, "", "memento.json", "{}") // a new history
	if err := a.Push(at, root, merged); err != nil {
		t.Fatalf("a new history: %v", err)
	}
	if head := fetchOf(t, b, at); head != root {
		t.Errorf("fetched %s, want the new history %s", head, root)
	}
	if head := fetchOf(t, b, at); head != root {
		t.Errorf("nothing new: fetched %s", head)
	}
	if common, err := b.Common(fromB, root); common != "" || err != nil {
		t.Errorf("the new history has %s of the old one: %v", common, err)
	}
	private(t, b.dir)
	run(t, "git", "--git-dir="+b.dir, "fsck", "--strict", "--full")
}

// foreign: a remote with another branch, and none called main.
func testForeign(t *testing.T, dir string) {
	t.Helper()
	r := open(t, filepath.Join(t.TempDir(), "r"))
	id := save(t, r, "", "README", "something else")
	run(t, "git", "--git-dir="+r.dir, "push", "-q", dir, string(id)+":refs/heads/trunk")
	if head, err := r.Fetch(dir); !errors.Is(err, ErrForeign) {
		t.Errorf("a remote with something else: %s, %v", head, err)
	}
}

func TestFolder(t *testing.T) {
	scratch(t)
	testExchange(t, bare(t, filepath.Join(t.TempDir(), "it's a remote")))
	if testing.Short() {
		return // one kind of address does
	}
	testExchange(t, "file://"+bare(t, filepath.Join(t.TempDir(), "remote")))
	testForeign(t, bare(t, filepath.Join(t.TempDir(), "foreign")))
}

func TestNoGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var p *Problem
	if _, err := Open(here, filepath.Join(t.TempDir(), "r"), true); !errors.As(err, &p) ||
		!strings.Contains(p.Hint, "install git") {
		t.Error(err)
	}
}

// wantProblem fetches, and wants a Problem that says what, whose hint helps, and that tells no password.
func wantProblem(t *testing.T, r *Repo, url, what string) {
	t.Helper()
	_, err := r.Fetch(url)
	wantIs(t, err, what)
}

func wantIs(t *testing.T, err error, what string) {
	t.Helper()
	var p *Problem
	if !errors.As(err, &p) {
		t.Errorf("%v (%T), want a problem with %q", err, err, what)
		return
	}
	t.Logf("%s: %s\n\thint: %s", p.What, p.Why, p.Hint)
	if !strings.Contains(p.What, what) || p.Why == "" || p.Hint == "" ||
		strings.Contains(fmt.Sprint(p, p.Hint), "s3cret") || strings.Contains(p.Why, "\x1b") {
		t.Errorf("%v (%s), want %q", p, p.Hint, what)
	}
}

func TestFolderProblems(t *testing.T) {
	scratch(t)
	r, o := open(t, filepath.Join(t.TempDir(), "r")), open(t, filepath.Join(t.TempDir(), "o"))
	id := save(t, r, "", "memento.json", "{}")
	next := save(t, r, id, "a.md", "a")
	root := save(t, r, "", "memento.json", "{2}")
	wantProblem(t, r, "/no/such/folder", "no repository")
	r.program = "/no/such/git"
	wantProblem(t, r, "/no/such/folder", "git cannot be started")
	r.program = o.program

	work := filepath.Join(t.TempDir(), "work")
	run(t, "git", "init", "-q", "-b", "main", work)
	wantIs(t, r.Push(work, id, ""), "refuses")

	strict := bare(t, filepath.Join(t.TempDir(), "strict"))
	run(t, "git", "--git-dir="+strict, "config", "receive.denyNonFastForwards", "true")
	if err := r.Push(strict, next, ""); err != nil {
		t.Fatal(err)
	}
	wantIs(t, r.Push(strict, root, next), "refuses")

	hooked := bare(t, filepath.Join(t.TempDir(), "hooked"))
	hook := filepath.Join(hooked, "hooks", "pre-receive")
	fixture.Put(t, hook, "#!/bin/sh\nprintf 'GH013: \\033[31mno\\n' >&2\nexit 1\n", 0o700)
	wantIs(t, r.Push(hooked, id, ""), "refuses")

	// A push that was killed leaves a file, which stops all others: the hint names it.
	locked := bare(t, filepath.Join(t.TempDir(), "locked"))
	lock := filepath.Join(locked, "refs", "heads", "main.lock")
	fixture.Write(t, lock, "")
	var p *Problem
	if err := r.Push(locked, id, ""); !errors.As(err, &p) || !strings.Contains(p.Hint, ": rm ") ||
		!strings.HasSuffix(p.Hint, "/refs/heads/main.lock") {
		t.Errorf("a file of a killed push: %v", err)
	}

	damaged := bare(t, filepath.Join(t.TempDir(), "damaged"))
	if err := r.Push(damaged, id, ""); err != nil {
		t.Fatal(err)
	}
	filepath.WalkDir(filepath.Join(damaged, "objects"), func(path string, d os.DirEntry, _ error) error {
		if !d.IsDir() {
			os.Chmod(path, 0o600)
			os.WriteFile(path, nil, 0o600)
		}
		return nil
	})
	wantProblem(t, o, damaged, "damaged")
}

// A hook of git has GIT_DIR: it leads git to no other repository. No hook and no helper of an address runs.
func TestEnvironment(t *testing.T) {
	home := scratch(t)
	dir := t.TempDir()
	other := bare(t, filepath.Join(dir, "other"))
	for _, pair := range []string{"GIT_DIR=" + other, "GIT_WORK_TREE=" + dir, "GIT_OBJECT_DIRECTORY=" + other +
		"/objects",
		"GIT_NAMESPACE=ns", "GIT_INDEX_FILE=" + dir + "/index", "GIT_QUARANTINE_PATH=" + dir, "GIT_TRACE=1",
		"GIT_CONFIG_PARAMETERS='core.bare=false'", "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + dir, "LC_ALL=de_DE.UTF-8"} {
		name, value, _ := strings.Cut(pair, "=")
		t.Setenv(name, value)
	}
	hooks := filepath.Join(dir, "hooks")
	hook := func(name string) {
		fixture.Put(t, filepath.Join(hooks, name), "#!/bin/sh\ntouch "+dir+"/ran\n", 0o700)
	}
	hook("pre-push") // of those that a push runs, a folder as remote runs the others: they are the remote's
	fixture.Write(t, filepath.Join(home, ".gitconfig"), "[core]\n\thooksPath = "+hooks+
		"\n[push]\n\tgpgSign = if-asked\n"+
		"\tfollowTags = true\n[fetch]\n\tprune = true\n[protocol \"ext\"]\n\tallow = always\n"+
		"[url \"ext::sh -c touch% "+dir+"/ran\"]\n\tinsteadOf = sly:\n[safe]\n\tbareRepository = explicit\n")
	remote := filepath.Join(dir, "remote")
	r := open(t, filepath.Join(dir, "a"))
	func() { // without what leads elsewhere, for this git
		for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE",
			"GIT_QUARANTINE_PATH",
			"GIT_CONFIG_PARAMETERS", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_TRACE", "GIT_INDEX_FILE"} {
			value := os.Getenv(name)
			os.Unsetenv(name)
			defer os.Setenv(name, value)
		}
		bare(t, remote)
	}()
	id := save(t, r, "", "memento.json", "{}")
	if err := r.Push(remote, id, ""); err != nil {
		t.Fatal(err)
	}
	hook("reference-transaction")
	if head := fetchOf(t, open(t, filepath.Join(dir, "b")), remote); head != id {
		t.Errorf("fetched %s", head)
	}
	if _, err := r.Fetch("sly:x"); err == nil {
		t.Error("an address that becomes a command is taken")
	}
	if exists(filepath.Join(dir, "ran")) {
		t.Error("a hook or a command ran")
	}
	if refs, _ := os.ReadDir(filepath.Join(other, "refs", "heads")); len(refs) != 0 {
		t.Error("the other repository was written to")
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(here)
	cancel()
	if _, err := Open(ctx, filepath.Join(t.TempDir(), "r"), false); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestCheckURL(t *testing.T) {
	for _, url := range []string{"", " ", "-u", "--upload-pack=touch x", "ext::sh -c x", "EXT::x", "fd::7", "ext://x",
		"a\nb",
		"https://host/\x1b[31m", "ssh://-oProxyCommand=x/y", "ssh://me@-oProxyCommand=x/y", "Fd://3"} {
		var p *Problem
		if err := CheckURL(url); !errors.As(err, &p) || p.Hint == "" {
			t.Errorf("%q: %v", url, err)
		}
	}
	for _, url := range []string{"git@github.com:alice/memory.git", "https://host/x.git", "/srv/x.git", "../x", `C:\x`,
		"host:x",
		"ssh://me@host:22/x", "file:///srv/x", "codecommit::eu-west-1://x", "https://me:-x@host/y"} {
		if err := CheckURL(url); err != nil {
			t.Errorf("%q: %v", url, err)
		}
	}
	if err := CheckURL("https://me:s3cret@host/\x01"); strings.Contains(err.Error(), "s3cret") {
		t.Error(err)
	}
}
