package gitrepo

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/safefile"
)

// holding returns where a word stands below dir: in a file as it is, or compressed anywhere in a file, as in an object
// or a pack, with or without an index, whole or cut off.
func holding(t *testing.T, dir, word string) (found []string) {
	t.Helper()
	for _, parent := range []string{dir, dir + ".new"} {
		_ = filepath.WalkDir(parent, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(data, []byte(word)) {
				found = append(found, path)
			}
			for i := range data {
				if data[i] != 0x78 { // zlib begins so
					continue
				}
				in, err := zlib.NewReader(bytes.NewReader(data[i:]))
				if err != nil {
					continue
				}
				text, _ := io.ReadAll(io.LimitReader(in, 1<<20))
				if bytes.Contains(text, []byte(word)) {
					found = append(found, fmt.Sprintf("%s, byte %d", path, i))
				}
			}
			return nil
		})
	}
	return found
}

const erased = "Wolpertinger"

// forgetful makes a repository with a commit that holds the erased word, whatever may lie around, and a new root
// without.
func forgetful(t *testing.T, dir string) (r *Repo, old, root ID) {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	old = save(t, r, "", "memento.json", "{}", "records/a.md", "the "+erased+" is here", "records/b.md", "innocent")
	if err := r.SetRef("main", old); err != nil {
		t.Fatal(err)
	}
	root = save(t, r, "", "memento.json", "{}", "records/a.md", "is here", "records/b.md", "innocent")
	if err := r.SetRef("main", root); err != nil {
		t.Fatal(err)
	}
	return r, old, root
}

func TestPrune(t *testing.T) {
	at := Remote{Git: needGit(t), Batch: true}
	dir := filepath.Join(t.TempDir(), "repo")
	r, old, root := forgetful(t, dir)
	var pack bytes.Buffer
	z := zlib.NewWriter(&pack)
	fmt.Fprint(z, "a pack of a killed git: ", erased)
	z.Close()
	fixture.Write(t, filepath.Join(dir, "objects/pack/tmp_pack_x"), pack.String())
	fixture.Write(t, filepath.Join(dir, "objects/aa/tmp_obj_x"), pack.String())
	fixture.Write(t, filepath.Join(dir, "FETCH_HEAD"), erased)
	if _, err := r.Put([]byte("never committed: " + erased)); err != nil {
		t.Fatal(err)
	}
	if len(holding(t, dir, erased)) < 4 {
		t.Fatalf("the word stands only in %q: the test sees nothing", holding(t, dir, erased))
	}
	if err := r.Prune(here, at); err != nil {
		t.Fatal(err)
	}
	if found := holding(t, dir, erased); found != nil {
		t.Errorf("the word is left in %q", found)
	}
	if _, err := r.Files(old); !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
	if files, err := r.Files(root); err != nil || len(files) != 3 {
		t.Error(files, err)
	}
	next := save(t, r, root, "c.md", "next") // and it goes on
	fsck(t, dir)
	if _, err := r.Files(next); err != nil {
		t.Error(err)
	}
	private(t, dir)
}

var errKilled = errors.New("killed")

// TestKilled: a commit and a branch's move are killed at each step. What opens afterwards is the state before
// or after, whole, and the next try succeeds.
func TestKilled(t *testing.T) {
	fixture.Long(t, "kills at each step")
	defer safefile.TestOnlyFault(nil)
	for name, do := range map[string]func(r *Repo, root ID) error{
		"Commit": func(r *Repo, root ID) error {
			files, err := r.Files(root)
			if err != nil {
				return err
			}
			if files["new.md"], err = r.Put([]byte("new")); err != nil {
				return err
			}
			id, err := r.Commit(files, []ID{root}, "desk", "sync", noon)
			if err != nil {
				return err
			}
			return r.SetRef("main", id)
		},
	} {
		t.Run(name, func(t *testing.T) {
			steps := 0
			for killed := true; killed; steps++ {
				dir := filepath.Join(t.TempDir(), "repo")
				r, _, root := forgetful(t, dir)
				step, last := 0, ""
				killed = false
				safefile.TestOnlyFault(func(op, path string) error {
					if step++; step > steps {
						killed, last = true, op+" "+path
						return errKilled // and every later step: nobody is there to clean up
					}
					return nil
				})
				err := do(r, root)
				safefile.TestOnlyFault(nil)
				r.Close()
				isDone := strings.HasPrefix(last, "list ") // to open again what is whole by then
				if killed != (err != nil) && !isDone {
					t.Fatalf("step %d, %s: %v", steps, last, err)
				}
				whole(t, dir, root, fmt.Sprint(name, " killed at step ", steps))
				again, err := Open(dir)
				if err != nil {
					t.Fatal(err)
				}
				if err := do(again, root); err != nil {
					t.Errorf("step %d: the next try: %v", steps, err)
				}
				again.Close()
			}
			if steps < 2 {
				t.Errorf("%d steps", steps)
			}
			t.Logf("%d steps", steps-1)
		})
	}
}

// whole: the repository opens, and its branches point to commits that are there with everything.
func whole(t *testing.T, dir string, root ID, when string) {
	t.Helper()
	r, err := Open(dir)
	if err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	defer r.Close()
	for _, name := range []string{"main"} {
		at, err := r.Ref(name)
		if err != nil {
			t.Errorf("%s: %v", when, err)
		}
		if at == "" {
			continue
		}
		files, err := r.Files(at)
		for _, id := range files {
			if err == nil {
				_, err = r.Read(id)
			}
		}
		if err != nil {
			t.Errorf("%s: %s: %v", when, name, err)
		}
	}
	if files, err := r.Files(root); err != nil || len(files) != 3 {
		t.Errorf("%s: %v", when, err)
	}
	fsck(t, dir)
}

// A remote can hold what no memento writes: a folder that holds itself a million times over, links, names that lead
// out.
func TestHostileTree(t *testing.T) {
	r := open(t, filepath.Join(t.TempDir(), "repo"))
	blob, _ := r.put(plumbing.BlobObject, []byte("x"))
	entry := func(mode, name string, h plumbing.Hash) string { return mode + " " + name + "\x00" + string(h[:]) }
	commit := func(tree plumbing.Hash) ID {
		h, err := r.put(plumbing.CommitObject, fmt.Appendf(nil, "tree %s\nauthor x\ncommitter >\n\nm", tree))
		if err != nil {
			t.Fatal(err)
		}
		return ID(h.String())
	}
	tree, _ := r.put(plumbing.TreeObject, []byte(entry("100644", "..", blob)+entry("120000", "link", blob)+
		entry("160000", "module", blob)+entry("100755", "ok", blob)+entry("40000", "..", blob)+
		entry("100644", "a/b", blob)+entry("40000", ".GIT", blob)+entry("100644", "\x1b[31m", blob)))
	if files, err := r.Files(commit(tree)); err != nil || len(files) != 1 || files["ok"] == "" {
		t.Error(files, err)
	}
	bomb := tree
	for range 20 {
		var b strings.Builder
		for i := range 10 {
			b.WriteString(entry("40000", fmt.Sprint(i), bomb))
		}
		bomb, _ = r.put(plumbing.TreeObject, []byte(b.String()))
	}
	if _, err := r.Files(commit(bomb)); err == nil {
		t.Error("10^20 files were read")
	}
	for range 100 {
		tree, _ = r.put(plumbing.TreeObject, []byte(entry("40000", "d", tree)))
	}
	deep := commit(tree)
	if _, err := r.Files(deep); err == nil {
		t.Error("120 folders deep")
	}
	for _, data := range []string{"x", "100644 a", "100644 a\x00short", "\x00 "} {
		h, _ := r.put(plumbing.TreeObject, []byte(data))
		if _, err := r.Files(commit(h)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%q: %v", data, err)
		}
	}
}
