package gitrepo

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
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

// A hundred commits stay in few packs, all readable by git and by a new Repo, and the versions of a folder as
// differences.
func TestManyCommits(t *testing.T) {
	fixture.Long(t, "makes a hundred commits, each of which is forced to the disk")
	dir := filepath.Join(t.TempDir(), "repo")
	r := open(t, dir)
	pairs := []string{}
	for i := range 500 {
		pairs = append(pairs, fmt.Sprintf("records/record-%d.md", i), fmt.Sprint("text ", i))
	}
	id := save(t, r, "", pairs...)
	ids := []ID{id}
	for i := range 100 {
		id = save(t, r, id, "records/record-7.md", fmt.Sprint("version ", i))
		ids = append(ids, id)
	}
	if err := r.SetRef("main", id); err != nil {
		t.Fatal(err)
	}
	if err := r.Gather(here, Remote{Git: needGit(t), Batch: true}); err != nil {
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
}

func fsck(t *testing.T, dir string) {
	t.Helper()
	if Git() != "" {
		run(t, "git", "--git-dir="+dir, "fsck", "--full", "--strict")
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
	r := open(t, dir)
	if _, err := r.Put([]byte("text 7")); err != nil {
		t.Fatal(err)
	}
	if len(r.pending.Objects) > 0 {
		t.Error("what is there is written again")
	}
	before, _ := filepath.Glob(filepath.Join(dir, "objects/pack/*.pack"))
	save(t, r, id, "records/7/other.md", "text 501")
	after, _ := filepath.Glob(filepath.Join(dir, "objects/pack/*.pack"))
	size := 0
	for _, pack := range after {
		if !slices.Contains(before, pack) {
			size += len(fixture.Read(t, pack))
		}
	}
	if size == 0 || size > 20<<10 { // a folder of 500 names
		t.Errorf("it wrote %d bytes", size)
	}
}

func TestCommon(t *testing.T) {
	with := Remote{Git: needGit(t)}
	r := open(t, filepath.Join(t.TempDir(), "repo"))
	first := save(t, r, "", "a", "1")
	left, right := save(t, r, first, "a", "2"), save(t, r, first, "a", "3")
	other, none := save(t, r, "", "a", "4"), ID(strings.Repeat("1", 40))
	for _, tt := range []struct{ a, b, want ID }{{first, left, first}, {left, first, first}, {left, right, first},
		{left, left, left}, {none, left, ""}, {other, left, ""}} {
		if got, err := r.Common(here, with, tt.a, tt.b); got != tt.want || err != nil {
			t.Errorf("%s and %s: %s, %v", tt.a, tt.b, got, err)
		}
	}
	if _, err := r.Common(here, with, first, none); !errors.Is(err, ErrDamaged) {
		t.Error(err)
	}
}

func TestNames(t *testing.T) {
	r := open(t, filepath.Join(t.TempDir(), "repo"))
	id, err := r.Put([]byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	if id != BlobID([]byte("x")) || id != "c1b0730e0133447badcfd47fd144e254807b06e1" {
		t.Error(id)
	}
	for _, bad := range []string{"", "/a", "a/", "a//b", ".", "a/../b", ".git/config", "a/.GIT/x", "a\nb", "a\x00",
		`a\b`} {
		if _, err := r.Commit(map[string]ID{bad: id}, nil, "desk", "m", noon); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	if _, err := r.Commit(map[string]ID{"a": id, "a/b": id}, nil, "desk", "m", noon); err == nil {
		t.Error("a file that is a folder is taken")
	}
	for _, bad := range []string{"", "HEAD", "../x", "a/b", "-x", "a.lock"} {
		if err := r.SetRef(bad, ""); err == nil {
			t.Errorf("branch %q is taken", bad)
		}
	}
	if err := r.SetRef("main", ID(strings.Repeat("1", 40))); !errors.Is(err, ErrMissing) {
		t.Error(err)
	}
	// names that git sorts its own way, a name that an author's line cannot hold, and a message of several lines
	c, err := r.Commit(map[string]ID{"a": id, "a.b": id, "a-b/c": id, "a0": id, "ab/c": id, "é/ü": id}, nil, "a <b>\n",
		"one\n\ntwo", noon)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.SetRef("main", c); err != nil {
		t.Fatal(err)
	}
	if Git() != "" {
		out := run(t, "git", "--git-dir="+r.dir, "log", "--format=%an|%at|%B", "main")
		if want := fmt.Sprintf("a b|%d|one\n\ntwo", noon.Unix()); strings.TrimSpace(out) != want {
			t.Errorf("%q, want %q", out, want)
		}
	}
	if files, failed := r.Files(c); err != nil || failed != nil || len(files) != 6 {
		t.Error(files, err, failed)
	}
	fsck(t, r.dir)
}
