package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/cli"
)

// TestInstallKeepsTheNameItWasCalledBy: install writes the path of the link that started it into the settings. The
// system reports the link's target, in a folder that the next version does not use.
func TestInstallKeepsTheNameItWasCalledBy(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	exe, link := filepath.Join(dir, "apps", "memento", cli.Version, "memento"), filepath.Join(dir, "links", "memento")
	for _, path := range []string{exe, link} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(exe, []byte("x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(exe, link); err != nil {
		t.Fatal(err)
	}
	for _, called := range []string{link, "links/memento", "./links/memento"} {
		var out, errs bytes.Buffer
		home := filepath.Join(dir, "home")
		s := cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Dir: dir, Exe: exe, Called: called,
			Now: time.Now, Getenv: func(name string) string {
				return map[string]string{"HOME": home, "PATH": "/nowhere"}[name]
			}}
		if code := cli.Main([]string{"install"}, s); code != 0 {
			t.Fatalf("%s: %d, %s", called, code, errs.String())
		}
		data, err := os.ReadFile(filepath.Join(home, ".claude", "settings.json"))
		if err != nil || !strings.Contains(string(data), `"`+link+`"`) || strings.Contains(string(data), cli.Version) {
			t.Errorf("%s: wired %s, %v", called, data, err)
		}
		if code := cli.Main([]string{"uninstall"}, s); code != 0 {
			t.Fatalf("%s: %d, %s", called, code, errs.String())
		}
	}
}
