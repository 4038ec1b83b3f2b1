//go:build linux

package launch

import (
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// TestBrowser: the program of the desktop gets the file as one argument, and nothing waits for it.
func TestBrowser(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin+":/usr/bin:/bin")
	t.Setenv("BROWSER", "")
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	told := filepath.Join(t.TempDir(), "told")
	fixture.Put(t, filepath.Join(bin, "xdg-open"), "#!/bin/sh\necho \"$#|$1\" >'"+told+".new'; mv '"+told+".new' '"+
		told+
		"'; sleep 20\n", 0o700)
	if err := Browser("/a b/$(x).html"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a desktop: %v", err)
	}
	t.Setenv("DISPLAY", ":9")
	if err := Browser("/a b/$(x).html"); err != nil {
		t.Fatal(err)
	}
	fixture.Await(t, "the browser", func() bool { return fixture.Exists(told) })
	if got := fixture.Read(t, told); got != "1|/a b/$(x).html\n" {
		t.Errorf("it got %q", got)
	}
}

// TestConfined: a script that runs the snap counts as the snap.
func TestConfined(t *testing.T) {
	bin := t.TempDir()
	getenv := func(name string) string { return map[string]string{"PATH": bin}[name] }
	for _, test := range []struct {
		script string
		want   bool
	}{{"", false}, {"exec /usr/lib/firefox/firefox", false}, {"exec /snap/bin/firefox", true},
		{"exec flatpak run org.mozilla.firefox", true}} {
		if test.script != "" {
			fixture.Put(t, filepath.Join(bin, "firefox"), "#!/bin/sh\n"+test.script+" \"$@\"\n", 0o700)
		}
		if Confined(getenv) != test.want {
			t.Errorf("%q: want %v", test.script, test.want)
		}
	}
}
