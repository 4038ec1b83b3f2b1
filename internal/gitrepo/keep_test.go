package gitrepo

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	r = open(t, dir)
	old = save(t, r, "", "memento.json", "{}", "records/a.md", "the "+erased+" is here", "records/b.md", "innocent")
	if err := r.SetHead(old); err != nil {
		t.Fatal(err)
	}
	root = save(t, r, "", "memento.json", "{}", "records/a.md", "is here", "records/b.md", "innocent")
	if err := r.SetHead(root); err != nil {
		t.Fatal(err)
	}
	return r, old, root
}

func wantDamaged(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("%s: %v", what, err)
	}
}

func TestPrune(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "repo")
	r, old, root := forgetful(t, dir)
	var pack bytes.Buffer
	z := zlib.NewWriter(&pack)
	fmt.Fprint(z, "a pack of a killed git: ", erased)
	z.Close()
	fixture.Write(t, filepath.Join(dir, "objects/pack/tmp_pack_x"), pack.String())
	fixture.Write(t, filepath.Join(dir, "objects/aa/tmp_obj_x"), pack.String())
	fixture.Write(t, filepath.Join(dir, "FETCH_HEAD"), erased)
	for name := range packs(t, dir) { // as a killed fast-import leaves them
		fixture.Write(t, strings.TrimSuffix(name, ".pack")+".keep", "fast-import")
	}
	if _, err := r.Put([]byte("never committed: " + erased)); err != nil {
		t.Fatal(err)
	}
	if len(holding(t, dir, erased)) < 4 {
		t.Fatalf("the word stands only in %q: the test sees nothing", holding(t, dir, erased))
	}
	if err := r.Prune(); err != nil {
		t.Fatal(err)
	}
	if found := holding(t, dir, erased); found != nil {
		t.Errorf("the word is left in %q", found)
	}
	_, err := r.Files(old)
	wantDamaged(t, "the old history", err)
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

// TestKilled: a commit and the move of the branch are killed at any moment. What opens afterwards is the state before
// or after, whole, and the next try succeeds.
func TestKilled(t *testing.T) {
	fixture.Long(t, "kills many times")
	dir := filepath.Join(t.TempDir(), "repo")
	r, _, root := forgetful(t, dir)
	big := strings.Repeat("many words ", 1<<17)
	began := time.Now()
	if err := add(r, root, big); err != nil {
		t.Fatal(err)
	}
	took, killed, done := time.Since(began), 0, 0
	for try := range 20 {
		ctx, cancel := context.WithTimeout(here, time.Duration(try)*took/12)
		r, err := Open(ctx, dir, true)
		if err != nil {
			t.Fatal(err)
		}
		if err = add(r, root, fmt.Sprint(try, big)); err != nil {
			killed++
		} else {
			done++
		}
		r.Close()
		cancel()
		again := open(t, dir)
		at, err := again.Head()
		if err != nil || at == "" {
			t.Fatal(at, err)
		}
		whole(t, again, at)
		whole(t, again, root)
		if err := add(again, root, "again"); err != nil {
			t.Errorf("the next try: %v", err)
		}
		fsck(t, dir)
	}
	if killed == 0 || done == 0 {
		t.Errorf("%d were killed, %d were not", killed, done)
	}
}

// add commits a file on root, and moves the branch.
func add(r *Repo, root ID, content string) error {
	files, err := r.Files(root)
	if err != nil {
		return err
	}
	if files["new.md"], err = r.Put([]byte(content)); err != nil {
		return err
	}
	id, err := r.Commit(files, root, "desk", "sync", noon)
	if err != nil {
		return err
	}
	return r.SetHead(id)
}

// whole: the commit is there with everything.
func whole(t *testing.T, r *Repo, at ID) {
	t.Helper()
	files, err := r.Files(at)
	for _, id := range files {
		if err == nil {
			_, err = r.Read(id, maxObject)
		}
	}
	if err != nil {
		t.Errorf("%s: %v", at, err)
	}
}

// A remote can hold what no memento writes: a folder that holds itself a million times over, links, names that lead
// out, a file that is too large.
func TestHostileTree(t *testing.T) {
	r := open(t, filepath.Join(t.TempDir(), "repo"))
	object := func(kind, content string) string {
		cmd := exec.Command("git", "--git-dir="+r.dir, "hash-object", "--literally", "-w", "--stdin", "-t", kind)
		cmd.Stdin = strings.NewReader(content)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	entry := func(mode, name, id string) string {
		raw, _ := hex.DecodeString(id)
		return mode + " " + name + "\x00" + string(raw)
	}
	commit := func(tree string) ID {
		return ID(object("commit", "tree "+tree+"\nauthor x <> 1 +0000\ncommitter x <> 1 +0000\n\nm"))
	}
	blob := object("blob", "x")
	ok := object("tree", entry("100755", "ok", blob))
	tree := object("tree", entry("100644", "..", blob)+entry("120000", "link", blob)+
		entry("160000", "module", blob)+entry("100755", "ok", blob)+entry("40000", "..", ok)+
		entry("100644", "a/b", blob)+entry("40000", ".GIT", ok)+entry("100644", "\x1b[31m", blob)+
		entry("100644", "a\nreset refs/heads/main", blob))
	if files, err := r.Files(commit(tree)); err != nil || len(files) != 2 || files["ok"] == "" || files["a/b"] == "" {
		t.Error(files, err)
	}
	bomb := object("tree", "") // of folders alone
	for range 20 {
		var b strings.Builder
		for i := range 10 {
			b.WriteString(entry("40000", fmt.Sprint(i), bomb))
		}
		bomb = object("tree", b.String())
	}
	_, err := r.Files(commit(bomb))
	wantDamaged(t, "10^20 folders", err)
	for _, data := range []string{"x", "100644 a", "100644 a\x00short", "\x00 "} {
		_, err := r.Files(commit(object("tree", data)))
		wantDamaged(t, data, err)
	}
	large := object("blob", strings.Repeat("large ", 1<<20))
	if _, err := r.Read(ID(large), 1<<20); !errors.Is(err, safefile.ErrTooLarge) {
		t.Error(err)
	}
	for _, id := range []string{ok, strings.Repeat("1", 40), "main", ""} {
		_, err := r.Read(ID(id), 1<<20)
		wantDamaged(t, "no file", err)
	}
	if data, err := r.Read(ID(blob), 1); err != nil || string(data) != "x" {
		t.Error(string(data), err)
	}
}
