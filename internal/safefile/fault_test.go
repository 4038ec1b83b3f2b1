package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// When any step fails, the old content stays, the error names its cause, and no temporary file stays.
func TestFaults(t *testing.T) {
	fixture.Long(t, "lets each file operation fail")
	now := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	reading := 2
	if noFollow == 0 {
		reading++ // what stands there is looked at first
	}
	for _, tt := range []struct {
		name  string
		run   func(path string) error
		steps int
	}{
		{"Replace", func(p string) error { return Replace(p, []byte("new"), 0o600) }, 6},
		{"Replace with other permissions", func(p string) error { return Replace(p, []byte("new"), 0o644) }, 6},
		{"ReplaceVolatile", func(p string) error { return ReplaceVolatile(p, []byte("new"), 0o600) }, 5},
		{"ReplaceAll", func(p string) error { return ReplaceAll(map[string][]byte{p: []byte("new")}, 0o600) }, 6},
		{"Append", func(p string) error { return Append(p, []byte("new\n"), true) }, 4},
		{"Read", func(p string) error { _, err := Read(p, 1<<10); return err }, reading},
		{"Lines", func(p string) error { return Lines(p, 1<<10, func([]byte) bool { return true }) }, reading},
		{"ReadForeign", func(p string) error { _, err := ReadForeign(p, 1<<10); return err }, 2},
		{"Open", func(p string) error {
			f, err := Open(p)
			if err == nil {
				f.Close()
			}
			return err
		}, 1},
		{"List", func(p string) error { _, err := List(filepath.Dir(p)); return err }, 1},
		{"SetAside", func(p string) error { _, err := SetAside(p, "corrupt", now); return err }, 1},
		{"Move", func(p string) error { return Move(p, p+".moved") }, 2},
		{"MoveFolder", func(p string) error { return MoveFolder(filepath.Dir(p), filepath.Dir(p)+".moved") }, 2},
		{"Remove", Remove, 1},
		{"Lock", func(p string) error {
			unlock, err := Lock(p, time.Minute)
			if err == nil {
				unlock()
			}
			return err
		}, 2},
		{"Dir", func(p string) error { return Dir(filepath.Dir(p)) }, 1},
		{"CheckDir", func(p string) error { return CheckDir(filepath.Dir(p)) }, 1},
	} {
		for _, cause := range []error{syscall.ENOSPC, syscall.EIO, syscall.EACCES, syscall.EROFS, syscall.EMFILE} {
			t.Run(tt.name+"/"+cause.Error(), func(t *testing.T) {
				defer func() { testOnlyFault = nil }()
				for fail := 0; ; fail++ {
					dir := t.TempDir()
					path := filepath.Join(dir, "myapp--alice.json")
					fixture.Write(t, path, journal+"\n")
					step, op := 0, ""
					testOnlyFault = func(o, _ string) error {
						if step++; step-1 == fail {
							op = o
							return cause
						}
						return nil
					}
					err := tt.run(path)
					testOnlyFault = nil
					if op == "" { // it went through: every step has failed once
						if err != nil {
							t.Errorf("without a fault: %v", err)
						}
						if fail != tt.steps {
							t.Errorf("%d steps can fail, want %d", fail, tt.steps)
						}
						return
					}
					if !errors.Is(err, cause) {
						t.Errorf("%s fails with %v: %v", op, cause, err)
					}
					if got := fixture.Read(t, path); got != journal+"\n" {
						t.Errorf("%s fails: the file holds %q", op, got)
					}
					if got := names(t, dir); got != "myapp--alice.json" {
						t.Errorf("%s fails: the folder holds %s", op, got)
					}
				}
			})
		}
	}
}

// A fault creates no file.
func TestFaultsOnNewFile(t *testing.T) {
	defer func() { testOnlyFault = nil }()
	for _, op := range []string{"create", "write", "sync", "close", "rename"} {
		dir := t.TempDir()
		testOnlyFault = func(o, _ string) error {
			if o == op {
				return syscall.ENOSPC
			}
			return nil
		}
		if err := Replace(filepath.Join(dir, "a.json"), []byte(journal), 0o600); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v", op, err)
		}
		if got := names(t, dir); got != "" {
			t.Errorf("%s fails: the folder holds %s", op, got)
		}
	}
}

// TestReplaceAllOpen: however many files there are, few are open at once, since some systems allow few.
func TestReplaceAllOpen(t *testing.T) {
	dir := t.TempDir()
	files := map[string][]byte{}
	for i := range 3*manyOpen + 1 {
		files[filepath.Join(dir, strconv.Itoa(i))] = []byte(strconv.Itoa(i))
	}
	open, most := 0, 0
	testOnlyFault = func(op, _ string) error {
		switch op {
		case "create":
			open++
		case "close":
			open--
		}
		most = max(most, open)
		return nil
	}
	defer func() { testOnlyFault = nil }()
	if err := ReplaceAll(files, 0o600); err != nil {
		t.Fatal(err)
	}
	if most > manyOpen {
		t.Errorf("%d files were open at once", most)
	}
	for path, want := range files {
		if got, err := os.ReadFile(path); string(got) != string(want) {
			t.Fatalf("%s: %q, %v", path, got, err)
		}
	}
}

// The error of a path through a file names the folder.
func TestDirBelowFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), ".claude")
	fixture.Write(t, file, "not a folder")
	err := Dir(filepath.Join(file, ".memento"))
	var pathErr *fs.PathError
	if !errors.As(err, &pathErr) {
		t.Errorf("Dir below a file: %v", err)
	}
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the file: %v, %v", info, err)
	}
}

// Replace waits for a file that another process has open for a moment. A file that stays open is unchanged.
func TestInUse(t *testing.T) {
	fixture.Long(t, "waits for files in use")
	testOnlyInUse = errors.New("it is open elsewhere")
	defer func() { testOnlyFault, testOnlyInUse = nil, nil }()
	for _, tt := range []struct {
		op  string
		run func(path string) error
	}{
		{"rename", func(p string) error { return Replace(p, []byte("new"), 0o600) }},
		{"rename", func(p string) error { return Move(p, p+".moved") }},
		{"rename", func(p string) error { _, err := SetAside(p, "corrupt", time.Now()); return err }},
		{"open", func(p string) error { _, err := Read(p, 1<<10); return err }},
		{"remove", Remove},
	} {
		for _, busy := range []int{0, 1, 5, 1 << 30} {
			dir := t.TempDir()
			path := filepath.Join(dir, "myapp--alice.json")
			fixture.Write(t, path, journal)
			tries := 0
			testOnlyFault = func(op, _ string) error {
				if op == tt.op {
					if tries++; tries <= busy {
						return testOnlyInUse
					}
				}
				return nil
			}
			err := tt.run(path)
			testOnlyFault = nil
			if busy < 1<<30 {
				if err != nil || tries != busy+1 {
					t.Errorf("%s, open for %d tries: %v after %d", tt.op, busy, err, tries)
				}
				continue
			}
			if !errors.Is(err, testOnlyInUse) || tries < 5 {
				t.Errorf("%s, always open: %v after %d tries", tt.op, err, tries)
			}
			if left, _ := os.ReadDir(dir); len(left) != 1 || fixture.Read(t, path) != journal {
				t.Errorf("%s, always open: there are %v", tt.op, left)
			}
		}
	}
}
