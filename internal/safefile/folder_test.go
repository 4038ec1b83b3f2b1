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

func TestPrivate(t *testing.T) {
	dir := t.TempDir()
	for _, was := range []fs.FileMode{0o777, 0o755, 0o750, 0o500, 0o700} {
		path := filepath.Join(dir, was.String())
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, was); err != nil {
			t.Fatal(err)
		}
		if shared, err := Shared(path, true); err != nil || shared != (was != 0o700) {
			t.Errorf("%v: %v, %v", was, shared, err)
		}
		if mode(t, path).Perm() != was {
			t.Errorf("looking made %v of %v", mode(t, path).Perm(), was)
		}
		if err := Private(path, true); err != nil || mode(t, path).Perm() != 0o700 {
			t.Errorf("%v: %v, %v", was, mode(t, path).Perm(), err)
		}
	}
	if shared, err := Shared(filepath.Join(dir, "none"), true); err != nil || shared {
		t.Errorf("a missing one: %v, %v", shared, err)
	}
	if err := Private(filepath.Join(dir, "none"), true); err != nil {
		t.Error(err)
	}
	target := filepath.Join(dir, "target")
	if err := os.Mkdir(target, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	fixture.Write(t, filepath.Join(dir, "file"), "")
	for _, name := range []string{"link", "file"} {
		if err := Private(filepath.Join(dir, name), true); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if mode(t, target).Perm() != 0o755 {
		t.Error("a link was followed")
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
	defer func() { testOnlyForced = nil }()
	forced := func(do func(string) error, path string) (out []string) {
		testOnlyForced = func(path string) { out = append(out, path) }
		if err := do(path); err != nil {
			t.Error(err)
		}
		return out
	}
	home := t.TempDir()
	client := filepath.Join(home, ".claude")
	ours := filepath.Join(client, ".memento")
	if got, want := forced(Dir, ours), []string{client, home}; !slices.Equal(got, want) {
		t.Errorf("making %s forced %q, want %q", ours, got, want)
	}
	if got := forced(Dir, ours); got != nil {
		t.Errorf("a folder that is there forced %q", got)
	}
	if got, want := forced(Dir, filepath.Join(ours, "cache")), []string{ours}; !slices.Equal(got, want) {
		t.Errorf("making a folder in it forced %q, want %q", got, want)
	}
	if got, want := forced(Folder, filepath.Join(home, "skills")), []string{home}; !slices.Equal(got, want) {
		t.Errorf("the client's folder forced %q, want %q", got, want)
	}
}
