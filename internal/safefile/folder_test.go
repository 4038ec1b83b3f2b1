//go:build unix

package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

func TestFolder(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o022))
	dir := t.TempDir()
	path := filepath.Join(dir, ".claude")
	for range 2 { // there already is as good
		if err := Folder(path); err != nil || mode(t, path) != fs.ModeDir|0o755 {
			t.Fatalf("%v, %v", mode(t, path), err)
		}
	}
	if err := Folder(filepath.Join(dir, "none", "x")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("made parents: %v", err)
	}
	fixture.Write(t, filepath.Join(dir, "file"), "")
	if err := Folder(filepath.Join(dir, "file")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file in its place: %v", err)
	}
}

func TestRemoveTree(t *testing.T) {
	dir := t.TempDir()
	kept := filepath.Join(dir, "kept", "x")
	for _, path := range []string{kept, filepath.Join(dir, "tree", "a", "b")} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		fixture.Write(t, path, "x")
	}
	for _, link := range []string{filepath.Join(dir, "tree", "link"), filepath.Join(dir, "link")} {
		if err := os.Symlink(filepath.Dir(kept), link); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"tree", "link", "none"} {
		if err := RemoveTree(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(filepath.Join(dir, name)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", name, err)
		}
	}
	if _, err := os.Stat(kept); err != nil {
		t.Errorf("a link was followed: %v", err)
	}
}

// CheckDir asks of an existing folder what Dir asks, and creates no missing one.
func TestCheckDir(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]error{"none": nil, "own": nil, "open": ErrRefused, "link": ErrRefused,
		"file": ErrRefused} {
		path := filepath.Join(dir, name)
		var err error
		switch name {
		case "own":
			err = os.Mkdir(path, 0o700)
		case "open":
			if err = os.Mkdir(path, 0o700); err == nil {
				err = os.Chmod(path, 0o777)
			}
		case "link":
			err = os.Symlink(t.TempDir(), path)
		case "file":
			fixture.Write(t, path, "x")
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckDir(path); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", name, err, want)
		}
	}
	if got := names(t, dir); got != "file link open own" {
		t.Errorf("there is %s", got)
	}
}

// A new folder survives a power cut only when its parent was forced to the disk. The same holds for each new parent.
func TestForceParents(t *testing.T) {
	defer func() { testOnlyFault = nil }()
	home := t.TempDir()
	ours := filepath.Join(home, ".claude", ".memento")
	for _, c := range []struct {
		do   func(string) error
		path string
		want []string
	}{
		{Dir, ours, []string{filepath.Dir(ours), home}},
		{Dir, ours, nil}, // it is there
		{Dir, filepath.Join(ours, "cache"), []string{ours}},
		{Folder, filepath.Join(home, "skills"), []string{home}},
	} {
		var got []string
		testOnlyFault = func(op, path string) error {
			if op == "force" {
				got = append(got, path)
			}
			return nil
		}
		if err := c.do(c.path); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("making %s forced %q, want %q: %v", c.path, got, c.want, err)
		}
	}
}
