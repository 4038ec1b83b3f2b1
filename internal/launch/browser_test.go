//go:build linux

package launch

import (
	"errors"
	"io/fs"
	"os"
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

// TestConfined: a desktop's default browser is asked for where the desktop writes it down.
func TestConfined(t *testing.T) {
	home := t.TempDir()
	data := filepath.Join(home, "data")
	env := map[string]string{"XDG_CONFIG_HOME": filepath.Join(home, "config"), "XDG_DATA_DIRS": data,
		"PATH": filepath.Join(home, "bin")}
	getenv := func(name string) string { return env[name] }
	list := filepath.Join(home, "config", "mimeapps.list")
	entry := func(name, exec string) {
		fixture.Write(t, filepath.Join(data, "applications", name),
			"[Desktop Entry]\nExec="+exec+"\n")
	}
	entry("firefox.desktop", "/usr/lib/firefox/firefox %u")
	entry("firefox_firefox.desktop", "env BAMF=/var/lib/snapd/x /snap/bin/firefox %u")
	entry("org.mozilla.firefox.desktop", "/usr/bin/flatpak run org.mozilla.firefox @@u %u @@")
	choose := func(name string) {
		fixture.Write(t, list,
			"[Added Associations]\ntext/html=x.desktop\n[Default Applications]\ntext/html="+name+";\n")
	}
	for _, test := range []struct {
		name string
		want bool
	}{{"firefox.desktop", false}, {"firefox_firefox.desktop", true}, {"org.mozilla.firefox.desktop", true},
		{"gone.desktop", false}, {"../../etc/passwd", false}} {
		if choose(test.name); Confined(home, getenv) != test.want {
			t.Errorf("%s: want %v", test.name, test.want)
		}
	}
	if err := os.Remove(list); err != nil {
		t.Fatal(err)
	}
	if Confined(home, getenv) {
		t.Error("no browser at all")
	}
	fixture.Put(t, filepath.Join(home, "bin", "firefox"), "#!/bin/sh\nexec /snap/bin/firefox \"$@\"\n", 0o700)
	if !Confined(home, getenv) {
		t.Error("Ubuntu's firefox, which runs the snap")
	}
	if got := OpenFolder(home, getenv); got != home {
		t.Errorf("no downloads: %s", got)
	}
	fixture.Write(t, filepath.Join(home, "Bilder", "x"), "")
	fixture.Write(t, filepath.Join(home, "config", "user-dirs.dirs"), "# x\nXDG_DOWNLOAD_DIR=\"$HOME/Bilder\"\n")
	if got := OpenFolder(home, getenv); got != filepath.Join(home, "Bilder") {
		t.Errorf("downloads: %s", got)
	}
}
