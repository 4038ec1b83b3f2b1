package record

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/schema"
)

// tree returns the files of the store's folder by name, without locks.
func tree(t *testing.T, s Store) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, folder := range []string{"", naming.Archive} {
		entries, err := os.ReadDir(filepath.Join(s.Dir, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Type().IsRegular() {
				data, err := os.ReadFile(filepath.Join(s.Dir, folder, e.Name()))
				if err != nil {
					t.Fatal(err)
				}
				out[filepath.ToSlash(filepath.Join(folder, e.Name()))] = string(data)
			}
		}
	}
	return out
}

func lay(t *testing.T, s Store, name, content string) {
	t.Helper()
	path := filepath.Join(s.Dir, name)
	fixture.Write(t, path, content)
}

// A rename changes two fields and no other byte.
func TestRename(t *testing.T) {
	for _, tt := range []struct{ what, from, before, to, after string }{
		{"whole", "app--x.md", "---\r\n# a\r\nid: 'app--x' # b\r\nproject: app\r\nodd: app--x\r\n---\r\nof app--x\r\n",
			"shop--x.md", "---\r\n# a\r\nid: shop--x # b\r\nproject: shop\r\nodd: app--x\r\n---\r\nof app--x\r\n"},
		{"without fields", "app--x.md", "---\ntitle: t\n---\n", "shop--x.md", "---\ntitle: t\n---\n"},
		{"without front matter", "app--x.md", "# Notes\n", "shop--x.md", "# Notes\n"},
		{"archived", ".completed/app--x.md", "---\nid: app--x\nstatus: archived\n---\n", ".completed/shop--x.md",
			"---\nid: shop--x\nstatus: archived\n---\n"},
		{"active in the archive", ".completed/app--x.md", "---\nid: app--x\nstatus: active\n---\n",
			".completed/shop--x.md", "---\nid: shop--x\nstatus: active\n---\n"},
		{"archived in the folder", "app--x.md", "---\nid: app--x\nstatus: archived\n---\n", "shop--x.md",
			"---\nid: shop--x\nstatus: archived\n---\n"},
		{"not readable", "app--x.md", "---\nkind: &b\nid: app--x\n---\n", "shop--x.md",
			"---\nkind: &b\nid: app--x\n---\n"},
		{"too large", "app--x.md", strings.Repeat("x", schema.MaxBytes+1), "shop--x.md",
			strings.Repeat("x", schema.MaxBytes+1)},
	} {
		s, _ := store(t)
		lay(t, s, tt.from, tt.before)
		if err := s.Rename("app--x", "shop--x"); err != nil {
			t.Errorf("%s: %v", tt.what, err)
		}
		if got := tree(t, s); len(got) != 1 || got[tt.to] != tt.after {
			t.Errorf("%s: there is %q", tt.what, got)
		}
	}
}

func TestRenameRefuses(t *testing.T) {
	s, _ := store(t)
	lay(t, s, "app--x.md", "---\nid: app--x\n---\nmine\n")
	lay(t, s, "app--broken.md", "---\nkind: &b\n---\n")
	lay(t, s, "shop--x.md", "---\nid: shop--x\n---\ntheirs\n")
	lay(t, s, ".completed/shop--broken.md", "---\nid: shop--x\n---\ntheirs\n")
	lay(t, s, "app--y.md", "---\nid: app--y\n---\n")
	lay(t, s, "shop--y.md", "---\nkind: &b\n---\n")
	before := tree(t, s)
	for from, to := range map[string]string{"app--x": "shop--x", "app--broken": "shop--broken", "app--y": "shop--y"} {
		if err := s.Rename(from, to); !errors.As(err, new(*ExistsError)) {
			t.Errorf("%s: %v", from, err)
		}
	}
	if err := s.Rename("app--none", "shop--none"); !errors.Is(err, ErrNotFound) {
		t.Errorf("what is not there: %v", err)
	}
	for _, to := range []string{"../x--y", "shop", "shop--../y"} {
		if err := s.Rename("app--x", to); !errors.As(err, new(*naming.Error)) {
			t.Errorf("to %s: %v", to, err)
		}
	}
	if err := s.Rename("app--x", "app--x"); err != nil {
		t.Errorf("to its own name: %v", err)
	}
	if got := tree(t, s); !maps.Equal(got, before) {
		t.Errorf("there is %q", got)
	}
}

func TestProjects(t *testing.T) {
	s, _ := store(t)
	for _, name := range []string{"app--x.md", "app--y.md", ".completed/app--x.md", ".completed/shop--z.md",
		"user--u.md", "app--alice.json", "odd.md"} {
		lay(t, s, name, "---\nkind: &b\n---\n")
	}
	if got, err := s.Projects(); err != nil || !maps.Equal(got, map[string]int{"app": 2, "shop": 1, "user": 1}) {
		t.Errorf("they are %v, %v", got, err)
	}
}
