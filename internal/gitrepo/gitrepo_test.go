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
	packs, _ := filepath.Glob(filepath.Join(dir, "objects/pack/*.pack"))
	if len(packs) > manyPacks+1 {
		t.Errorf("%d packs", len(packs))
	}
	size := 0
	for _, p := range packs {
		size += len(fixture.Read(t, p))
	}
	if size > 500_000 { // 101 folders of 10 KB of names each, which do not compress
		t.Errorf("%d bytes in packs", size)
	}
	t.Logf("%d packs of %d bytes", len(packs), size)
	fresh := open(t, dir)
	for _, id := range ids {
		if files, err := fresh.Files(id); err != nil || len(files) != 500 {
			t.Fatal(len(files), err)
		}
	}
	fsck(t, dir)
	// a pack without its index, of a killed git, is passed over
	fixture.Write(t, filepath.Join(dir, "objects/pack/pack-"+strings.Repeat("0", 40)+".pack"), "PACK")
	if _, err := open(t, dir).Files(id); err != nil {
		t.Error(err)
	}
	if Git() == "" {
		return
	}
	// an object that stands alone, as somebody's git in this folder writes it
	file := filepath.Join(t.TempDir(), "alone.md")
	fixture.Write(t, file, "alone")
	run(t, "git", "--git-dir="+dir, "hash-object", "-w", file)
	run(t, "git", "--git-dir="+dir, "pack-refs", "--all")
	again := open(t, dir)
	if data, err := again.Read(BlobID([]byte("alone"))); err != nil || string(data) != "alone" {
		t.Error(data, err)
	}
	if at, err := again.Ref("main"); at != id || err != nil {
		t.Error(at, err)
	}
	if err := again.SetRef("main", ""); err != nil {
		t.Error(err)
	}
	if at, err := again.Ref("main"); at != "" || err != nil {
		t.Error(at, err)
	}
}

func fsck(t *testing.T, dir string) {
	t.Helper()
	if Git() != "" {
		run(t, "git", "--git-dir="+dir, "fsck", "--full", "--strict")
	}
}

// log returns what Log tells about a path: who, and the content.
func logOf(t *testing.T, r *Repo, at ID, path string) (lines []string) {
	t.Helper()
	err := r.Log(at, path, func(c Commit) bool {
		text := "removed"
		if c.Blob != "" {
			data, err := r.Read(c.Blob)
			if err != nil {
				t.Fatal(err)
			}
			text = string(data)
		}
		lines = append(lines, c.Who+": "+text)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestLog(t *testing.T) {
	r := open(t, filepath.Join(t.TempDir(), "repo"))
	minute := 0
	commit := func(who string, files map[string]string, parents ...ID) ID {
		ids := map[string]ID{}
		for p, text := range files {
			id, err := r.Put([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			ids[p] = id
		}
		minute++
		id, err := r.Commit(ids, parents, who, "m", noon.Add(time.Duration(minute)*time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	type files = map[string]string
	first := commit("desk", files{"d/a": "1", "b": "x"})
	same := commit("desk", files{"d/a": "1", "b": "y"}, first)
	left := commit("desk", files{"d/a": "2", "b": "y"}, same)
	right := commit("laptop", files{"d/a": "3", "b": "y"}, same)
	merged := commit("desk", files{"d/a": "2+3", "b": "y"}, left, right)
	aside := commit("laptop", files{"d/a": "2+3", "c": "z"}, right) // the same by itself
	taken := commit("desk", files{"d/a": "2+3", "b": "y", "c": "z"}, merged, aside)
	gone := commit("desk", files{"b": "y"}, taken)
	for path, want := range map[string]string{
		"d/a":  "desk: removed|desk: 2+3|laptop: 3|desk: 2|desk: 1",
		"b":    "desk: y|desk: x",
		"c":    "desk: removed|laptop: z",
		"none": "",
	} {
		if got := strings.Join(logOf(t, r, gone, path), "|"); got != want {
			t.Errorf("%s: %s\n\twant %s", path, got, want)
		}
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
