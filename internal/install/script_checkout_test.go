package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// builder stands in for the go command: a build copies the checkout's file "fake". It also notes the folder that Go
// would use as its cache.
const builder = `go: case $1 in build) ;; *) exit 0 ;; esac
printf '%s\n' "$HOME" "$GOCACHE" "$GOMODCACHE" "$XDG_CONFIG_HOME" >"$GONOTE"
while [ "$1" != -o ]; do shift; done
cp fake "$2" && chmod +x "$2"`

// checkout makes a checkout that builds at once: the real install.sh with a fake program.
func checkout(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mein prüfstand")
	fixture.Put(t, filepath.Join(dir, "install.sh"), fixture.Read(t, "../../install.sh"), 0o755)
	fixture.Put(t, filepath.Join(dir, "plugin", "build"), fixture.Read(t, "../../plugin/build"), 0o755)
	fixture.Put(t, filepath.Join(dir, "go.mod"), "module github.com/mementohq/memento\n\ngo 1.25.0\n", 0o644)
	fixture.Put(t, filepath.Join(dir, "internal", "cli", "version.go"), "package cli\n\nconst Version = \"7.8.9\"\n",
		0o644)
	fixture.Put(t, filepath.Join(dir, "cmd", "memento", "main.go"), "package main\n\nfunc main() {}\n", 0o644)
	fixture.Put(t, filepath.Join(dir, "cmd", "memento-sync", "main.go"), "package main\n\nfunc main() {}\n", 0o644)
	fixture.Put(t, filepath.Join(dir, "fake"), build("one"), 0o644)
	return dir
}

// built returns a shell with a checkout in which install.sh runs, and the builder as its Go.
func built(t *testing.T, s *shell) (dir string) {
	t.Helper()
	dir = checkout(t)
	s.file = filepath.Join(dir, "install.sh")
	s.path = toolbox(t, builder)
	s.note = filepath.Join(t.TempDir(), "note")
	return dir
}

func TestScriptCheckout(t *testing.T) {
	each(t, func(t *testing.T, s *shell) {
		dir := built(t, s)
		home, bin := s.home, s.bin()
		empty := fixture.Tree(t, home)

		s.env = []string{"FAKE=install.one=fail"}
		s.run(1)
		fixture.Same(t, "a first wiring that fails", empty, fixture.Tree(t, home))
		s.env = []string{"FAKE=version.one=fail"}
		s.run(1)
		fixture.Same(t, "a binary that does not run", empty, fixture.Tree(t, home))
		s.env = []string{"FAKE=doctor.one=fail"}
		s.run(1)
		s.says("memento: doctor: the check found something, so the binary was removed again")
		fixture.Same(t, "a check that fails", empty, fixture.Tree(t, home))
		for _, verb := range []string{"version", "install", "doctor"} {
			s.env = []string{"FAKE=" + verb + ".one=TERM"}
			s.run(128 + 15)
			fixture.Same(t, "a signal during "+verb, empty, fixture.Tree(t, home))
		}

		s.env = nil
		s.run(0)
		if !strings.Contains(s.out, "one install\none doctor\nInstalled "+bin+"\n") {
			t.Errorf("said %q", s.out)
		}
		s.says("is not on your PATH")
		s.says("\nTo see it: give a session its first task, then ask Claude: what does memento have on this session?\n")
		if info, err := os.Stat(bin); err != nil || info.Mode() != 0o755 {
			t.Errorf("%v, %v", info, err)
		}
		if info, err := os.Stat(s.companion()); err != nil || info.Mode() != 0o755 {
			t.Errorf("memento-sync: %v, %v", info, err)
		}
		installed := fixture.Tree(t, home)

		fixture.Put(t, filepath.Join(dir, "fake"), build("two"), 0o644)
		s.env = []string{"FAKE=install.two=fail"}
		s.run(1)
		fixture.Same(t, "an upgrade that cannot be wired", installed, fixture.Tree(t, home))
		s.env = []string{"FAKE=doctor.two=fail"}
		s.run(1)
		s.says("so the earlier binary was put back")
		fixture.Same(t, "an upgrade that does not pass the check", installed, fixture.Tree(t, home))
		s.env = []string{"PATH=" + filepath.Dir(bin) + ":" + s.path}
		s.run(0)
		if strings.Contains(s.out, "is not on your PATH") {
			t.Errorf("said %q", s.out)
		}
		if now := fixture.Tree(t, home); len(now) != len(installed) {
			t.Errorf("left something behind: %v", now)
		}

		s.env = []string{"FAKE=uninstall.two=fail"}
		s.run(1, "--uninstall")
		if _, err := os.Stat(bin); err != nil {
			t.Errorf("the binary went although its settings stay: %v", err)
		}
		s.env = nil
		s.run(0, "--uninstall")
		if !strings.Contains(s.out, "two uninstall\nRemoved "+bin+"\n") {
			t.Errorf("said %q", s.out)
		}
		fixture.Same(t, "uninstalling", empty, fixture.Tree(t, home))

		s.run(0, "--uninstall")
		s.says("There is no " + bin + ", and nothing in " + filepath.Join(home, ".claude", "settings.json") +
			" that names memento.")
		journals := filepath.Join(home, ".claude", ".memento")
		fixture.Put(t, filepath.Join(journals, "app--zoe.json"), "{}", 0o600)
		fixture.Put(t, filepath.Join(home, ".claude", "settings.json"), bin, 0o600)
		s.run(0, "--uninstall")
		s.says("two uninstall\nThere was no " + bin + "\nYour journals, their history, your records and memento's " +
			"own settings stay in " + journals + "; to erase them: rm -r '" + journals + "'\n")
	})
}

func TestScriptRefuses(t *testing.T) {
	fixture.Long(t, "runs install.sh many times")
	t.Parallel()
	dir := checkout(t)
	home := t.TempDir()
	bin := filepath.Join(home, ".local", "bin", "memento")
	tests := []struct {
		name    string
		prepare func(t *testing.T)
		env     []string
		args    []string
		code    int
		want    string
	}{
		{"no HOME", nil, []string{"HOME="}, nil, 1, "memento: install: HOME is not set"},
		{"a relative HOME", nil, []string{"HOME=home"}, nil, 1, "not an absolute path"},
		{"an option it does not have", nil, nil, []string{"--purge"}, 64, "no such option: --purge"},
		{"a word", nil, nil, []string{"--uninstall", "x"}, 64, "no such option: x"},
		{"a scope there is not", nil, nil, []string{"--scope", "global"}, 64, "--scope takes user, project or local"},
		{"no scope", nil, nil, []string{"--scope"}, 64, "--scope takes user, project or local"},
		{"an empty scope", nil, nil, []string{"--scope="}, 64, "--scope takes user, project or local"},
		{"no version", nil, nil, []string{"--version", "latest"}, 64, "'latest' is not a version"},
		{"a version that climbs", nil, nil, []string{"--version", "1/../../2"}, 64, "'1/../../2' is not a version"},
		{"an empty version", nil, nil, []string{"--version="}, 64, "'' is not a version"},
		{"another program in our place", func(t *testing.T) { fixture.Put(t, bin, "#!/bin/sh\n", 0o755) }, nil, nil, 1,
			"is another program"},
		{"another program, at uninstall", func(t *testing.T) { fixture.Put(t, bin, "#!/bin/sh\n", 0o755) }, nil,
			[]string{"--uninstall"}, 1, "is another program"},
		{"a folder in our place", func(t *testing.T) { fixture.Put(t, filepath.Join(bin, "x"), "", 0o644) }, nil, nil,
			1,
			"is a link or a folder"},
		{"a link in our place", func(t *testing.T) {
			if err := os.MkdirAll(filepath.Dir(bin), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("nowhere", bin); err != nil {
				t.Fatal(err)
			}
		}, nil, nil, 1, "is a link or a folder"},
		{"a link, at uninstall", func(t *testing.T) {
			fixture.Put(t, filepath.Join(home, "src", "memento"), build("mine"), 0o755)
			if err := os.MkdirAll(filepath.Dir(bin), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("../../src/memento", bin); err != nil {
				t.Fatal(err)
			}
		}, nil, []string{"--uninstall"}, 1, "is a link, which this script does not make"},
		{"a file where the folder should be", func(t *testing.T) {
			fixture.Put(t, filepath.Join(home, ".local"), "",
				0o644)
		},
			nil, nil, 1, "cannot be made"},
		{"code that does not compile", func(t *testing.T) {
			fixture.Put(t, filepath.Join(dir, "cmd", "memento", "broken.go"), "package main\nfunc {", 0o644)
			t.Cleanup(func() { os.Remove(filepath.Join(dir, "cmd", "memento", "broken.go")) })
		}, nil, nil, 1, "memento: install: the build failed\nmemento: hint: memento needs Go 1.25 or newer, and " +
			"this is go1."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home = t.TempDir()
			bin = filepath.Join(home, ".local", "bin", "memento")
			if tt.prepare != nil {
				tt.prepare(t)
			}
			was := fixture.Tree(t, home)
			s := &shell{t: t, sh: "sh", home: home, dir: filepath.Dir(home), file: filepath.Join(dir, "install.sh"),
				env: tt.env}
			s.run(tt.code, tt.args...)
			s.says(tt.want)
			fixture.Same(t, "refusing", was, fixture.Tree(t, home))
		})
	}
}

func TestScriptBinDir(t *testing.T) {
	t.Parallel()
	s := newShell(t, "sh")
	built(t, s)
	s.env = []string{"MEMENTO_BIN_DIR=my tools/bin/"}
	was := fixture.Tree(t, s.dir)
	s.run(0)
	bin := filepath.Join(s.dir, "my tools", "bin", "memento")
	s.says("Installed " + bin + "\n")
	s.run(0, "--uninstall")
	if _, err := os.Stat(bin); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("still there: %v", err)
	}
	fixture.Same(t, "uninstalling", was, fixture.Tree(t, s.dir))
}

func TestScriptHelp(t *testing.T) {
	t.Parallel()
	dir := checkout(t)
	for _, arg := range []string{"--help", "-h"} {
		s := newShell(t, "sh")
		s.file = filepath.Join(dir, "install.sh")
		s.run(0, arg)
		if !strings.HasPrefix(s.out, "Installs memento") || strings.Contains(s.out, "\x1b") {
			t.Errorf("said %q", s.out)
		}
	}
}

// TestScriptDryRunBuildsNothing: a dry run says in a few lines what it would build, and asks the installed binary, if
// there is one.
func TestScriptDryRunBuildsNothing(t *testing.T) {
	each(t, func(t *testing.T, s *shell) {
		dir := built(t, s)
		settings := filepath.Join(s.home, ".claude", "settings.json")
		short := func(args ...string) {
			t.Helper()
			was := fixture.Tree(t, s.dir)
			s.run(0, append(args, "--dry-run")...)
			fixture.Same(t, "a dry run", was, fixture.Tree(t, s.dir))
			if n := strings.Count(s.out, "\n"); n > 10 {
				t.Errorf("it says %d lines:\n%s", n, s.out)
			}
			if _, err := os.Stat(s.note); err == nil {
				t.Error("it built")
			}
		}
		short()
		s.says("Would build memento 7.8.9 from " + dir + "\nWould make " + filepath.Join(s.home, ".local"))
		s.says("Would write " + s.bin() + "\nWould write " + settings + ", with its hooks\n")
		short("--scope", "local")
		s.says("Would wire its hooks into the project's .claude/settings.local.json\n")
		fixture.Put(t, settings, "{}", 0o600)
		short()
		s.says("Would wire its hooks into " + settings + ", beside what is there; the file as it was is kept in " +
			settings + ".memento-backup\n")

		s.run(0)
		if err := os.Remove(s.note); err != nil {
			t.Fatal(err)
		}
		short("--scope", "local")
		s.says("Would replace " + s.bin() + ", now memento one version\nwould edit " + settings +
			"\none install --dry-run --scope local\n")
	})
}

// TestScriptOnThisCheckout installs and uninstalls the real program.
func TestScriptOnThisCheckout(t *testing.T) {
	fixture.Long(t, "runs install.sh many times")
	t.Parallel()
	file, err := filepath.Abs("../../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	s := newShell(t, "sh")
	s.file = file
	path := filepath.Join(s.home, ".claude", "settings.json")
	fixture.Put(t, path, original, 0o640)
	was := fixture.Tree(t, s.home)
	s.run(0)
	w := fixture.Read(t, path)
	if !strings.Contains(w, `zoë & co/.local/bin/memento"`) || !strings.Contains(s.out, "[MEMENTO] Mission: ") {
		t.Errorf("said %s\nwired %s", s.out, w)
	}
	s.run(0)
	if again := fixture.Read(t, path); again != w {
		t.Errorf("a second run changed it: %s", again)
	}
	s.run(0, "--uninstall")
	if strings.Contains(s.out, "stays: The binary") { // the next line removes the binary
		t.Errorf("said %s", s.out)
	}
	fixture.Same(t, "uninstalling", was, fixture.Tree(t, s.home))

	elsewhere := filepath.Join(s.home, "else where")
	s.env = []string{"MEMENTO_BIN_DIR=" + elsewhere}
	s.run(0)
	s.env = nil
	s.run(0, "--uninstall")
	s.says("There was no " + s.bin() + "\nA binary stays, " + filepath.Join(elsewhere, "memento") +
		": --uninstall with MEMENTO_BIN_DIR set to its folder removes it\n")
	s.env = []string{"MEMENTO_BIN_DIR=" + elsewhere}
	s.run(0, "--uninstall")
	fixture.Same(t, "uninstalling from elsewhere", was, fixture.Tree(t, s.home))
}
