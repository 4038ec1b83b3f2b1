package install

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

func TestLasting(t *testing.T) {
	t.Parallel()
	dir := real(t)
	config := filepath.Join(dir, ".claude")
	link := func(name, to string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(dir, to), path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := func(name string) string {
		t.Helper()
		fixture.Put(t, filepath.Join(dir, name), name, 0o755)
		return filepath.Join(dir, name)
	}
	named := file("opt/memento-0.1.0")
	folder := file("apps/memento/0.1.0/bin/memento")
	cellar := file("homebrew/Cellar/memento/7/bin/memento")
	plugin := file(".claude/plugins/cache/mementohq/memento/x/bin/memento")
	stable, brewed, bin := link("bin/memento", "opt/memento-0.1.0"),
		link("homebrew/bin/memento", "homebrew/Cellar/memento/7/bin/memento"),
		link("local/memento", "apps/memento/0.1.0/bin/memento")
	other := file("other/memento")
	versionedLink := link("apps/memento-0.1.0/memento", "apps/memento/0.1.0/bin/memento")

	tests := []struct {
		name, exe string
		names     []string
		want      string // "" for errExe
	}{
		{"a lasting one is itself", other, []string{stable}, other},
		{"a link stays a link", stable, nil, stable},
		{"a file named for its version, with a link", named, []string{other, stable}, stable},
		{"a file named for its version, without", named, []string{other, filepath.Join(dir, "none")}, ""},
		{"a folder named for a version, with a link", folder, []string{versionedLink, bin}, bin},
		{"a folder named for a version, behind another", folder, []string{versionedLink}, folder},
		{"a folder named for a version, alone", folder, nil, folder},
		{"Homebrew", cellar, []string{brewed}, brewed},
		{"Homebrew, unlinked", cellar, nil, ""},
		{"the plugin's", plugin, []string{other}, ""},
		{"not there at all", filepath.Join(dir, "memento-0.1.0"), []string{other}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Options{ConfigDir: config}.findLasting(tt.exe, tt.names, "0.1.0")
			if got != tt.want || (tt.want == "") != errors.Is(err, errExe) {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

func TestPassing(t *testing.T) {
	t.Parallel()
	tests := []struct{ path, why string }{
		{"/home/alice/.local/bin/memento", ""},
		{"/usr/bin/memento", ""},
		{"/home/alice/projects/2.0/bin/memento", ""},
		{"/home/alice/go1.25/bin/memento", ""},
		{"/srv/memento/bin/memento", ""},
		{"/home/alice/memento-2/bin/memento", ""},
		{"/home/alice/memento/2/memento", ""},
		{"/home/10.0.0.7/memento", ""},
		{"/opt/memento-0.1.0/memento", ""},
		{"/home/alice/src/memento/build/memento", ""},
		{"/home/alice/go-builds/memento", ""},
		{"/home/alice/projects/bin/0123456789abcdef/memento", ""},
		{"/nix/store/5xk-memento-1/bin/memento", "package manager"},
		{"/opt/homebrew/Cellar/memento/1/bin/memento", "package manager"},
		{"/home/alice/.cache/memento/build/src/memento/memento", "in a cache"},
		{"/home/alice/.cache/memento/bin/0123456789abcdef/memento", "in a cache"},
		{"/tmp/go-build123/b001/exe/memento", "go removes"},
		{"/x/.claude/plugins/data/memento-mementohq/bin/memento", "belongs to the plugin"},
		{"/x/memento-mori", "must be called memento"},
		{"bin/memento", "not absolute"},
	}
	o := Options{ConfigDir: "/x/.claude", Cache: "/home/alice/.cache/memento"}
	for _, tt := range tests {
		if got := o.whyPassing(tt.path); (got == "") != (tt.why == "") || !strings.Contains(got, tt.why) {
			t.Errorf("%s: %q, want %q", tt.path, got, tt.why)
		}
	}
}
