//go:build unix

package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Tree follows no link, reads nothing outside the folder, and does not wait for the writer of a pipe.
func TestTree(t *testing.T) {
	outside := t.TempDir()
	dir := t.TempDir()
	write := func(at, s string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(outside, "secret"), "secret")
	write(filepath.Join(dir, "a", "one"), "one")
	write(filepath.Join(dir, "a", "two"), "two")
	for name, to := range map[string]string{"link": filepath.Join(outside, "secret"),
		"inner": filepath.Join(dir, "a", "one"), "away": outside, "near": "a"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	tree, err := OpenTree(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if data, changed, err := tree.Read("a/one", 3); err != nil || string(data) != "one" || changed.IsZero() {
		t.Errorf("%q, %v, %v", data, changed, err)
	}
	if _, _, err := tree.Read("a/one", 2); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: %v", err)
	}
	if _, _, err := tree.Read("none", 9); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: %v", err)
	}
	for _, name := range []string{"link", "inner", "away", "pipe", "a"} {
		if data, _, err := tree.Read(name, 99); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	for _, name := range []string{"../" + filepath.Base(outside) + "/secret", "away/secret", "/etc/passwd"} {
		if data, _, err := tree.Read(name, 99); err == nil {
			t.Errorf("%s: %q", name, data)
		}
	}
	if list, err := tree.List("a", 2); err != nil || len(list) != 2 || list[0].Name() != "one" {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := tree.List("a", 1); !errors.Is(err, ErrTooLarge) || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	for _, name := range []string{"away", "near", "pipe"} {
		if list, err := tree.List(name, 9); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v, %v", name, list, err)
		}
	}
	for _, path := range []string{filepath.Join(dir, "near"), filepath.Join(dir, "a", "one")} {
		if _, err := OpenTree(path); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Create overwrites nothing and leaves no half file.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	at := filepath.Join(dir, "new")
	if err := Create(at, []byte("words"), 0o600); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(dir, "target")
	for _, name := range []string{"there", "dangling"} {
		if err := os.Symlink(map[string]string{"there": at, "dangling": target}[name],
			filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"new", "there", "dangling"} {
		if err := Create(filepath.Join(dir, name), []byte("others"), 0o600); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if data, err := os.ReadFile(at); err != nil || string(data) != "words" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the link's target: %v", err)
	}
	TestOnlyFault(func(op, path string) error {
		if op == "write" && strings.HasSuffix(path, "torn") {
			return syscall.ENOSPC
		}
		return nil
	})
	defer TestOnlyFault(nil)
	torn := filepath.Join(dir, "torn")
	if err := Create(torn, []byte("words"), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("no space: %v", err)
	}
	if _, err := os.Lstat(torn); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("it stayed: %v", err)
	}
}
