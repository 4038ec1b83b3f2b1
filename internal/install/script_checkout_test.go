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
	once(t, func(t *testing.T, s *shell) {
		dir := built(t, s)
		empty := fixture.Tree(t, s.home)
		s.run(0, "--dry-run")
		s.says("Would build memento 7.8.9 from " + dir + "\nWould write " + s.bin() + "\n")
		fixture.Same(t, "a dry run", empty, fixture.Tree(t, s.home))
		if fixture.Exists(s.note) {
			t.Error("a dry run built")
		}

		s.env = []string{"FAKE=install.one=TERM", "PATH=" + filepath.Dir(s.bin()) + ":" + s.path}
		s.run(0) // nothing interrupts the wiring
		if !strings.Contains(s.out, "one install --check\nInstalled "+s.bin()+"\n") ||
			strings.Contains(s.out, "is not on your PATH") {
			t.Errorf("said %q", s.out)
		}
		s.says("\nTo see it: give a session its first task, then ask Claude: what does memento have on this session?\n")
		if info, err := os.Stat(s.bin()); err != nil || info.Mode() != 0o755 {
			t.Errorf("%v, %v", info, err)
		}
		s.env = []string{"FAKE=uninstall.one=fail"}
		s.run(1, "--uninstall")
		if !fixture.Exists(s.bin()) {
			t.Error("the binary went although its settings stay")
		}
		s.env = nil
		s.run(0, "--uninstall")
		if s.out != "one uninstall\nRemoved "+s.bin()+"\n" {
			t.Errorf("said %q", s.out)
		}
		fixture.Same(t, "uninstalling", empty, fixture.Tree(t, s.home))
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
		{"a version that climbs", nil, nil, []string{"--version", "1/../../2"}, 64, "'1/../../2' is not a version"},
		{"another program in our place", func(t *testing.T) { fixture.Put(t, bin, "#!/bin/sh\n", 0o755) }, nil, nil, 1,
			"is another program"},
		{"another program, at uninstall", func(t *testing.T) { fixture.Put(t, bin, "#!/bin/sh\n", 0o755) }, nil,
			[]string{"--uninstall"}, 1, "is another program"},
		{"a folder in our place", func(t *testing.T) { fixture.Put(t, filepath.Join(bin, "x"), "", 0o644) }, nil, nil,
			1, "is a link or a folder"},
		{"a link, at uninstall", func(t *testing.T) {
			fixture.Put(t, filepath.Join(home, "src", "memento"), build("mine"), 0o755)
			if err := os.MkdirAll(filepath.Dir(bin), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("../../src/memento", bin); err != nil {
				t.Fatal(err)
			}
		}, nil, []string{"--uninstall"}, 1, "is a link or a folder, and is not touched"},
		{"a file where the folder should be", func(t *testing.T) {
			fixture.Put(t, filepath.Join(home, ".local"), "", 0o644)
		}, nil, nil, 1, "cannot be made"},
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
	s := newShell(t, "sh")
	s.file = filepath.Join(checkout(t), "install.sh")
	s.run(0, "--help")
	if !strings.HasPrefix(s.out, "Installs memento") || strings.Contains(s.out, "\x1b") {
		t.Errorf("said %q", s.out)
	}
}
