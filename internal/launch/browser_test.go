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
