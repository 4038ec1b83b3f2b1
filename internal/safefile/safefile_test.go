package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

const journal = `{"mission":"fix auth pipeline -- staging only"}`

// names lists the entries of dir.
func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

func TestReplace(t *testing.T) {
	for name, replace := range map[string]func(string, []byte, fs.FileMode) error{"durable": Replace,
		"volatile": ReplaceVolatile} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "myapp--alice.json")
			for _, content := range []string{journal, "", strings.Repeat("x", 1<<20), journal} {
				if err := replace(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
				data, err := Read(path, 1<<20)
				if err != nil || string(data) != content {
					t.Fatalf("Read = %d bytes, %v, want the %d written", len(data), err, len(content))
				}
			}
			if got := names(t, dir); got != "myapp--alice.json" {
				t.Errorf("the folder holds %s", got)
			}
			if err := replace(filepath.Join(dir, "missing", "x.json"), nil, 0o600); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("in a missing folder: %v", err)
			}
		})
	}
}

func TestReadTooLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "myapp--alice.json")
	fixture.Write(t, path, journal)
	size := int64(len(journal))
	if data, err := Read(path, size); err != nil || string(data) != journal {
		t.Errorf("just as large as allowed: %q, %v", data, err)
	}
	if data, err := Read(path, size-1); !errors.Is(err, ErrTooLarge) || data != nil {
		t.Errorf("one byte larger: %q, %v, want ErrTooLarge", data, err)
	}
	if _, err := Read(path+".none", size); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v, want fs.ErrNotExist", err)
	}
}

func TestAppend(t *testing.T) {
	path := filepath.Join(t.TempDir(), "myapp--alice.jsonl")
	for _, step := range []struct{ before, add, want string }{
		{"", "{\"kind\":\"said\"}\n", "{\"kind\":\"said\"}\n"},
		{"{\"kind\":\"said\"}\n", "{\"kind\":\"done\"}\n", "{\"kind\":\"said\"}\n{\"kind\":\"done\"}\n"},
		{"{\"kind\":\"said\"}\n{\"kind\":\"do", "{\"kind\":\"wip\"}\n",
			"{\"kind\":\"said\"}\n{\"kind\":\"do\n{\"kind\":\"wip\"}\n"},
	} {
		if step.before != "" {
			fixture.Write(t, path, step.before)
		}
		if err := Append(path, []byte(step.add), true); err != nil {
			t.Fatal(err)
		}
		if got := fixture.Read(t, path); got != step.want {
			t.Errorf("%q and %q make %q, want %q", step.before, step.add, got, step.want)
		}
	}
}

func TestSetAside(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "myapp--alice.json")
	now := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	var aside []string
	for _, content := range []string{"first", "second", "third"} {
		fixture.Write(t, path, content)
		name, err := SetAside(path, "corrupt", now)
		if err != nil {
			t.Fatal(err)
		}
		aside = append(aside, filepath.Base(name))
	}
	want := "myapp--alice.json.corrupt-20260314T092653Z myapp--alice.json.corrupt-20260314T092653Z-1 " +
		"myapp--alice.json.corrupt-20260314T092653Z-2"
	if got := names(t, dir); got != want || strings.Join(aside, " ") != want {
		t.Errorf("the folder holds %s, named %s, want %s", got, aside, want)
	}
	for i, content := range []string{"first", "second", "third"} {
		if got := fixture.Read(t, filepath.Join(dir, aside[i])); got != content {
			t.Errorf("%s holds %q, want %q", aside[i], got, content)
		}
	}
	if _, err := SetAside(path, "corrupt", now); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing to set aside: %v", err)
	}
}

// SetAside overwrites no file, even when a hundred names are taken.
func TestSetAsideNoFreeName(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	now := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	for range 100 {
		fixture.Write(t, path, "old")
		if _, err := SetAside(path, "corrupt", now); err != nil {
			t.Fatal(err)
		}
	}
	fixture.Write(t, path, "new")
	if name, err := SetAside(path, "corrupt", now); err == nil {
		t.Errorf("set aside as %s", name)
	}
	if got := fixture.Read(t, path); got != "new" {
		t.Errorf("the file holds %q", got)
	}
}

func TestMove(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "alice.json"), filepath.Join(dir, "myapp--alice.json")
	fixture.Write(t, from, journal)
	fixture.Write(t, to, "taken")
	if err := Move(from, to); !errors.Is(err, fs.ErrExist) {
		t.Errorf("onto a file: %v, want fs.ErrExist", err)
	}
	if fixture.Read(t, from) != journal || fixture.Read(t, to) != "taken" {
		t.Error("a refused move moved something")
	}
	if err := Remove(to); err != nil {
		t.Fatal(err)
	}
	if err := Move(from, to); err != nil || fixture.Read(t, to) != journal {
		t.Errorf("Move: %v", err)
	}
	if err := Move(from, from+"2"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v, want fs.ErrNotExist", err)
	}
}

func TestRemove(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	fixture.Write(t, path, journal)
	for range 2 { // the second time there is nothing, which is no error
		if err := Remove(path); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("still there: %v", err)
		}
	}
}

func TestScratch(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	a, remove, err := Scratch("")
	if err != nil {
		t.Fatal(err)
	}
	b, removeB, err := Scratch("")
	if err != nil || a == b {
		t.Fatalf("a second one: %s, %v", b, err)
	}
	defer removeB()
	fixture.Write(t, filepath.Join(a, "x"), "x")
	remove()
	if _, err := os.Lstat(a); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is still there: %v", a, err)
	}
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	now := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	for name, age := range map[string]time.Duration{tempPrefix + "old": 2 * time.Hour, tempPrefix + "new": time.Minute,
		"myapp--alice.json": 100 * time.Hour} {
		path := filepath.Join(dir, name)
		fixture.Write(t, path, "x")
		if err := os.Chtimes(path, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	folder := filepath.Join(dir, tempPrefix+"folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(folder, now.Add(-9*time.Hour), now.Add(-9*time.Hour)); err != nil {
		t.Fatal(err)
	}
	Sweep(dir, time.Hour, now)
	if got, want := names(t, dir), tempPrefix+"folder "+tempPrefix+"new myapp--alice.json"; got != want {
		t.Errorf("left: %s, want %s", got, want)
	}
	Sweep(filepath.Join(dir, "missing"), time.Hour, now) // no panic
}

// Sweep finds the file that a killed Replace leaves.
func TestSweepKnowsTemporaryNames(t *testing.T) {
	dir := t.TempDir()
	testOnlyFault = func(op, path string) error {
		if op == "rename" {
			if got := names(t, dir); !strings.HasPrefix(got, tempPrefix) {
				t.Errorf("the folder holds %s", got)
			}
		}
		return nil
	}
	defer func() { testOnlyFault = nil }()
	if err := Replace(filepath.Join(dir, "z.json"), []byte(journal), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "myapp--alice.jsonl")
	lines := func(max, stop int) string {
		t.Helper()
		var out []string
		if err := Lines(path, max, func(l []byte) bool {
			out = append(out,
				string(l))
			return len(out) != stop
		}); err != nil {
			t.Fatal(err)
		}
		return strings.Join(out, "|")
	}
	if got := lines(100, 0); got != "" {
		t.Errorf("a missing file has lines %q", got)
	}
	long := strings.Repeat("x", 300<<10) // more than is read at a time
	fixture.Write(t, path, "one\n\ntwo\r\n"+long+"\nthree\nunfinished")
	for _, tt := range []struct {
		max, stop int
		want      string
	}{
		{1 << 20, 0, "one||two|" + long + "|three|unfinished"}, {300 << 10, 0, "one||two|three|unfinished"},
		{300<<10 + 1, 0, "one||two|" + long + "|three|unfinished"},
		{5, 0, "one||two"}, {6, 0, "one||two|three"}, {1 << 20, 1, "one"}, {1 << 20, 3, "one||two"},
	} {
		if got := lines(tt.max, tt.stop); got != tt.want {
			t.Errorf("at most %d bytes, until the %dth, the lines are %.60q, want %.60q", tt.max, tt.stop, got, tt.want)
		}
	}
}
