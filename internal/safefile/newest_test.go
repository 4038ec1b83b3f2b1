package safefile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

func TestNewest(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"", ""}, {"\n", ""}, {"one", "one"}, {"one\n", "one"}, {"one\ntw", "one"}, {"one\ntwo\n", "two"},
		{"one\ntwo\nthr", "two"},
	} {
		if got := string(Newest([]byte(c.data))); got != c.want {
			t.Errorf("of %q, %q is the newest; want %q", c.data, got, c.want)
		}
	}
}

func TestSupersede(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	put := func(version string, alone bool) {
		t.Helper()
		if err := Supersede(path, []byte(version), alone); err != nil {
			t.Fatal(err)
		}
		if got := string(Newest([]byte(content(t, path)))); got != version {
			t.Fatalf("the newest is %.40q, want %.40q", got, version)
		}
	}
	for _, c := range []struct{ before, want string }{
		{"one\n", "one\ntwo\n"},
		{"", "two\n"},
		{"one", "two\n"},       // as an earlier version wrote it
		{"one\ntw", "two\n"},   // half a line
		{"one\n\ntw", "two\n"}, // the same
	} {
		fixture.Write(t, path, c.before)
		put("two", false)
		if got := content(t, path); got != c.want {
			t.Errorf("behind %q it is %q, want %q", c.before, got, c.want)
		}
	}
	put("three", true)
	if got := content(t, path); got != "three\n" {
		t.Errorf("alone it is %q", got)
	}
	put(strings.Repeat("x", maxVersions), false)
	put("y", false)
	if got := content(t, path); got != "y\n" {
		t.Errorf("where there is no room, it is %.40q", got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	put("first", false)
}

// When any step fails, the newest version is the one before. A file without write permission is replaced.
func TestSupersedeFaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cache")
	if err := os.WriteFile(path, []byte("one\n"), 0o400); err != nil {
		t.Fatal(err)
	}
	TestOnlyFault(func(op, _ string) error {
		if op == "append" { // as a user other than root is told
			return syscall.EACCES
		}
		return nil
	})
	err := Supersede(path, []byte("two"), false)
	TestOnlyFault(nil)
	if got := content(t, path); err != nil || got != "two\n" {
		t.Errorf("one that may only be read: %v, and it is %q", err, got)
	}
	for _, op := range []string{"write", "create"} {
		fixture.Write(t, path, "one\n")
		TestOnlyFault(func(o, _ string) error {
			if o == op || op == "create" && o == "append" {
				return syscall.ENOSPC
			}
			return nil
		})
		err := Supersede(path, []byte("two"), false)
		TestOnlyFault(nil)
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s fails: %v", op, err)
		}
		if got := content(t, path); got != "one\n" {
			t.Errorf("%s failed, and it is %q", op, got)
		}
	}
	elsewhere := filepath.Join(t.TempDir(), "theirs")
	fixture.Write(t, elsewhere, "theirs\n")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	fixture.Link(t, elsewhere, path)
	if err := Supersede(path, []byte("two"), false); !errors.Is(err, ErrRefused) {
		t.Errorf("a link is %v", err)
	}
	if got := content(t, elsewhere); got != "theirs\n" {
		t.Errorf("where it leads, %q stands", got)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
