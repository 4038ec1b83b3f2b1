package gitrepo

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, dir string) *Repo {
	t.Helper()
	r, err := Open(here, dir, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// save commits files, given as pairs of path and content.
func save(t *testing.T, r *Repo, parent ID, pairs ...string) ID {
	t.Helper()
	files := map[string]ID{}
	if parent != "" {
		var err error
		if files, err = r.Files(parent); err != nil {
			t.Fatal(err)
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		id, err := r.Put([]byte(pairs[i+1]))
		if err != nil {
			t.Fatal(err)
		}
		files[pairs[i]] = id
	}
	id, err := r.Commit(files, parent, "desk", "sync", noon)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func fsck(t *testing.T, dir string) {
	t.Helper()
	run(t, "git", "--git-dir="+dir, "fsck", "--full", "--strict")
}

// packs returns the bytes of each pack in the repository.
func packs(t *testing.T, dir string) map[string]int {
	t.Helper()
	found, _ := filepath.Glob(filepath.Join(dir, "objects/pack/*.pack"))
	sizes := map[string]int{}
	for _, path := range found {
		sizes[path] = len(fixture.Read(t, path))
	}
	return sizes
}

// Many commits stay in few packs, all readable by git and by a new Repo, and the versions of a folder as differences.
func TestManyCommits(t *testing.T) {
	fixture.Long(t, "makes 40 commits, each of which is forced to the disk")
	dir := filepath.Join(t.TempDir(), "repo")
	r := open(t, dir)
	pairs := []string{}
	for i := range 500 {
		pairs = append(pairs, fmt.Sprintf("records/record-%d.md", i), fmt.Sprint("text ", i))
	}
	id := save(t, r, "", pairs...)
	ids := []ID{id}
	for i := range 40 {
		id = save(t, r, id, "records/record-7.md", fmt.Sprint("version ", i))
		ids = append(ids, id)
	}
	if err := r.Gather(); err != nil {
		t.Fatal(err)
	}
	size, all := 0, packs(t, dir)
	for _, n := range all {
		size += n
	}
	if len(all) > manyPacks+1 || size > 200_000 { // 41 folders of 10 KB of names each, which do not compress
		t.Errorf("%d packs of %d bytes", len(all), size)
	}
	fresh := open(t, dir)
	for _, id := range ids {
		if files, err := fresh.Files(id); err != nil || len(files) != 500 {
			t.Fatal(len(files), err)
		}
	}
	fsck(t, dir)
	// what somebody's git does in this folder: an object that stands alone, and a branch without a file
	file := filepath.Join(t.TempDir(), "alone.md")
	fixture.Write(t, file, "alone")
	run(t, "git", "--git-dir="+dir, "hash-object", "-w", file)
	run(t, "git", "--git-dir="+dir, "pack-refs", "--all")
	if data, err := r.Read(BlobID([]byte("alone")), 10); err != nil || string(data) != "alone" {
		t.Error(data, err)
	}
}

// A commit writes what is new, and nothing that the repository has, also what an earlier process wrote.
func TestWritesNews(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "repo")
	pairs := []string{}
	for i := range 500 {
		pairs = append(pairs, fmt.Sprintf("records/%d/record.md", i), fmt.Sprint("text ", i))
	}
	id := save(t, open(t, dir), "", pairs...)
	before := packs(t, dir)
	save(t, open(t, dir), id, "records/7/other.md", "text 501", "records/7/record.md", "text 7")
	size := 0
	for pack, n := range packs(t, dir) {
		if before[pack] == 0 {
			size += n
		}
	}
	if size == 0 || size > 20<<10 { // a folder of 500 names
		t.Errorf("it wrote %d bytes", size)
	}
}

func TestCommon(t *testing.T) {
	r := open(t, filepath.Join(t.TempDir(), "repo"))
	first := save(t, r, "", "a", "1")
	left, right := save(t, r, first, "a", "2"), save(t, r, first, "a", "3")
	other, none := save(t, r, "", "a", "4"), ID(strings.Repeat("1", 40))
	for _, tt := range []struct{ a, b, want ID }{{first, left, first}, {left, first, first}, {left, right, first},
		{left, left, left}, {other, left, ""}} {
		if got, err := r.Common(tt.a, tt.b); got != tt.want || err != nil {
			t.Errorf("%s and %s: %s, %v", tt.a, tt.b, got, err)
		}
	}
	_, err := r.Common(first, none)
	wantDamaged(t, "a commit that is not there", err)
	if !r.Has(first) || r.Has(none) {
		t.Error("it does not know which commits it has")
	}
}

// A git that was killed while it made the repository leaves no HEAD, and its lock.
func TestHalfMade(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "r")
	fixture.Write(t, filepath.Join(dir, "config.lock"), "")
	if _, err := Open(here, dir, true); err != nil {
		t.Error(err)
	}
}

func TestNames(t *testing.T) {
	r := open(t, filepath.Join(t.TempDir(), "repo"))
	id, err := r.Put([]byte("x"))
	if err != nil || id != BlobID([]byte("x")) || id != "c1b0730e0133447badcfd47fd144e254807b06e1" {
		t.Fatal(id, err)
	}
	for _, bad := range []string{"", "/a", "a/", "a//b", ".", "a/../b", ".git/config", "a/.GIT/x", "a\nb", "a\x00",
		`a\b`} {
		if _, err := r.Commit(map[string]ID{bad: id}, "", "desk", "m", noon); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	// names that git sorts its own way, a name that an author's line cannot hold, and a message of several lines
	names := []string{"a", "a.b", "a-b/c", "a0", "ab/c d", "é/ü"}
	files := map[string]ID{}
	for _, name := range names {
		files[name] = id
	}
	c, err := r.Commit(files, "", "a <b>\n", "one\n\ntwo", noon)
	if err != nil {
		t.Fatal(err)
	}
	out := run(t, "git", "--git-dir="+r.dir, "log", "--format=%an|%at|%B", "main")
	if want := fmt.Sprintf("a b|%d|one\n\ntwo", noon.Unix()); strings.TrimSpace(out) != want {
		t.Errorf("%q, want %q", out, want)
	}
	if got, err := r.Files(c); err != nil || !maps.Equal(got, files) {
		t.Error(got, err)
	}
	if refs := run(t, "git", "--git-dir="+r.dir, "for-each-ref"); strings.Count(refs, "\n") != 1 {
		t.Errorf("there are %s", refs)
	}
	fsck(t, r.dir)
}
