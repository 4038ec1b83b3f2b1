package backfill

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/safefile"
)

func (d *desk) find(paths ...string) []Transcript {
	d.t.Helper()
	found, problems, err := d.Find(paths)
	if err != nil || problems != nil {
		d.t.Fatal(problems, err)
	}
	return found
}

// keep copies every transcript into dir.
func (d *desk) keep(dir string) Kept {
	d.t.Helper()
	k, err := d.Keep(dir, d.find(), false)
	if err != nil {
		d.t.Fatal(err)
	}
	return k
}

// unzip returns the content of a compressed file.
func unzip(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(path, err)
	}
	return string(data)
}

// TestKeep: the copies hold what the transcripts, those of subagents and the results of tools hold; nothing is copied
// twice, and what grew is copied anew.
func TestKeep(t *testing.T) {
	d, dir := newDesk(t), filepath.Join(t.TempDir(), "a", "b")
	secret := "one <private>zeppelin</private> AKIAIOSFODNN7EXAMPLD"
	path := d.put(id(1), lines(id(1), "/srv/shop", morning, secret+"=1"), morning)
	d.put(id(2), lines(id(2), "/srv/shop", morning, "two=2"), morning)
	beside := strings.TrimSuffix(path, ".jsonl")
	fixture.Write(t, filepath.Join(beside, "subagents", "agent-a.jsonl"), `{"type":"user"}`+"\n")
	fixture.Write(t, filepath.Join(beside, "tool-results", "r.txt"), "of a tool")
	fixture.Write(t, filepath.Join(d.Folder(), "-x", "agent-b.jsonl"), lines(id(2), "/srv/shop", morning, "sub=2"))
	fixture.Write(t, filepath.Join(d.Folder(), "-x", "agent-c.jsonl"), lines(id(9), "/srv/shop", morning, "sub=9"))
	if err := os.Symlink("/etc/passwd", filepath.Join(beside, "link")); err != nil {
		t.Log(err)
	}
	all := d.find()
	if k, err := d.Keep(dir, all, true); err != nil || k.Copied != 5 || k.New == 0 {
		t.Errorf("%+v, %v", k, err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("a dry run made the folder")
	}
	k := d.keep(dir)
	if k.Files != 5 || k.Copied != 5 || k.Problems != nil || k.Bytes == 0 || k.Packed == 0 {
		t.Errorf("%+v", k)
	}
	for name, want := range map[string]string{id(1) + ".jsonl": "", id(2) + ".jsonl": "", "agent-b.jsonl": "",
		id(1) + "/subagents/agent-a.jsonl": "", id(1) + "/tool-results/r.txt": ""} {
		data, err := os.ReadFile(filepath.Join(d.Folder(), "-x", name))
		if want = string(data); err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(dir, "-x", name+".gz")
		if got := unzip(t, at); got != want {
			t.Errorf("%s has %q", name, got)
		}
		if info, err := os.Stat(at); err != nil || info.Mode().Perm() != 0o600 {
			t.Error(info.Mode(), err)
		}
	}
	if again := d.keep(dir); again.Copied != 0 || again.Files != 5 || again.Packed != k.Packed {
		t.Errorf("%+v", again)
	}
	fixture.Append(t, path, lines(id(1), "/srv/shop", morning.Add(time.Hour), "three=3"))
	copied := filepath.Join(dir, "-x", id(1)+".jsonl.gz")
	if again := d.keep(dir); again.Copied != 1 || !strings.Contains(unzip(t, copied), "three") {
		t.Errorf("%+v", again)
	}
	d.put(id(1), lines(id(1), "/srv/shop", morning, "x=y"), morning.Add(2*time.Hour)) // as after a full disk
	if again := d.keep(dir); again.Copied != 0 || len(again.Problems) != 1 ||
		!strings.Contains(unzip(t, copied), "zeppelin") {
		t.Errorf("a transcript that lost lines took the place of its copy: %+v", again)
	}
}

// TestKeptComesBack: the copies can be taken in where the transcripts are gone, as the transcripts would.
func TestKeptComesBack(t *testing.T) {
	d, dir := newDesk(t), t.TempDir()
	d.put(id(1), lines(id(1), "/srv/shop", morning, "one <private>zeppelin</private>=1"), morning)
	d.put(id(2), lines(id(2), "/srv/shop", morning, "two=2"), morning)
	d.run()
	want := d.kept("shop")
	d.keep(dir)
	if r := d.run(dir); r.Sessions != 0 || r.Problems != nil {
		t.Errorf("what is kept already was read again: %+v", r)
	}
	other := newDesk(t)
	if r := other.run(dir); r.Sessions != 2 || r.Turns != 2 || r.Problems != nil {
		t.Errorf("%+v", r)
	}
	if got := other.kept("shop"); got != want || !strings.Contains(got, "two=2") {
		t.Errorf("%q, want %q", got, want)
	}
	one := newDesk(t)
	if r := one.run(filepath.Join(dir, "-x", id(2)+".jsonl.gz")); r.Turns != 1 {
		t.Errorf("%+v", r)
	}
	if left, _ := filepath.Glob(filepath.Join(other.Config.Dir, ".memento-tmp-*")); len(left) > 0 {
		t.Error("it left", left)
	}
}

// TestKeepRefuses: no copy goes where the client or memento deletes.
func TestKeepRefuses(t *testing.T) {
	d := newDesk(t)
	d.put(id(1), lines(id(1), "/srv/shop", morning, "one=1"), morning)
	link := filepath.Join(t.TempDir(), "link")
	fixture.Link(t, d.Folder(), link)
	fixture.Write(t, filepath.Join(d.Config.Dir, "x"), "")
	for _, dir := range []string{d.Folder(), filepath.Join(d.Folder(), "copies", "deep"), filepath.Join(link, "copies"),
		filepath.Join(d.Config.Dir, "copies")} {
		if _, err := d.Keep(dir, d.find(), false); !errors.Is(err, ErrOwnFolder) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if k := d.keep(filepath.Join(d.Config.ClaudeDir, "projects-copy")); k.Copied != 1 {
		t.Errorf("%+v", k)
	}
}

// TestKeepFaults: whatever fails while a copy is written, the old copy or none is there, and the next call goes on.
func TestKeepFaults(t *testing.T) {
	for _, op := range []string{"mkdir", "create", "write", "sync", "close", "rename", "touch"} {
		d, dir := newDesk(t), t.TempDir()
		path := d.put(id(1), lines(id(1), "/srv/shop", morning, "one=1"), morning)
		at := filepath.Join(dir, "-x", id(1)+".jsonl.gz")
		for _, step := range []string{"first", "grown"} {
			before, _ := os.ReadFile(at)
			all := d.find()
			safefile.TestOnlyFault(func(o, p string) error {
				if o == op && strings.HasPrefix(p, dir) {
					return syscall.ENOSPC
				}
				return nil
			})
			_, err := d.Keep(dir, all, false)
			safefile.TestOnlyFault(nil)
			if !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%s, %s: %v", op, step, err)
			}
			after, err := os.ReadFile(at)
			if op != "touch" && !bytes.Equal(before, after) || err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s, %s: the copy is another one, %v", op, step, err)
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "-x", ".memento-tmp-*")); len(left) > 0 {
				t.Errorf("%s left %q", op, left)
			}
			if k := d.keep(dir); k.Copied != 1 && op != "touch" { // which fails when the copy is whole
				t.Errorf("%s, %s: %+v", op, step, k)
			}
			fixture.Append(t, path, lines(id(1), "/srv/shop", morning.Add(time.Hour), "two=2"))
		}
	}
}

// TestDamagedCopies: a copy that is cut, that lies about its size or is none is a problem, and nothing of it is kept.
func TestDamagedCopies(t *testing.T) {
	d, dir := newDesk(t), t.TempDir()
	d.put(id(1), lines(id(1), "/srv/shop", morning, "one=1", "two=2"), morning)
	d.keep(dir)
	whole, err := os.ReadFile(filepath.Join(dir, "-x", id(1)+".jsonl.gz"))
	if err != nil {
		t.Fatal(err)
	}
	lies := bytes.Clone(whole)
	binary.LittleEndian.PutUint32(lies[len(lies)-4:], 40)
	for name, data := range map[string][]byte{"cut": whole[:len(whole)-30], "lies": lies, "none": []byte("no gzip")} {
		other, at := newDesk(t), filepath.Join(t.TempDir(), id(1)+".jsonl.gz")
		fixture.Write(t, at, string(data))
		r := other.run(filepath.Dir(at))
		if len(r.Problems) != 1 || !errors.Is(r.Problems[0].Err, past.ErrDamaged) || r.Turns != 0 {
			t.Errorf("%s: %+v", name, r)
		}
		if _, _, err := other.Find([]string{at}); name == "none" && !errors.Is(err, past.ErrDamaged) {
			t.Error(err)
		}
	}
}
