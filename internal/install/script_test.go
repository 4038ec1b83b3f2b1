package install

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// stub stands in for cmd/memento: it says how it was called, and fails, or ends the script, when told to.
const stub = `package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

const build = "BUILD"

func main() {
	verb := strings.Join(os.Args[1:], " ")
	if os.Getenv("STUB_SIGNAL") == verb {
		syscall.Kill(os.Getppid(), syscall.SIGTERM)
	}
	if strings.Contains(os.Getenv("STUB_FAIL"), verb+"."+build) {
		fmt.Fprintf(os.Stderr, "memento: %s: it was told to fail\n", verb)
		os.Exit(1)
	}
	fmt.Println(build, verb)
}
`

// checkout makes a checkout that builds in a moment: install.sh as it is, around the stub.
func checkout(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mein prüfstand")
	script, err := os.ReadFile("../../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "install.sh"), string(script), 0o755)
	write(t, filepath.Join(dir, "plugin", "build"), read(t, "../../plugin/build"), 0o755)
	write(t, filepath.Join(dir, "go.mod"), "module github.com/mementohq/memento\n\ngo 1.25.0\n", 0o644)
	version(t, dir, "one")
	return dir
}

func version(t *testing.T, checkout, build string) {
	t.Helper()
	write(t, filepath.Join(checkout, "cmd", "memento", "main.go"), strings.Replace(stub, "BUILD", build, 1), 0o644)
}

type shell struct {
	t              *testing.T
	sh, home, file string
	env            []string
	out, err       string
}

// run runs the script with nothing of the environment but what Go needs to build offline.
func (s *shell) run(want int, args ...string) {
	s.t.Helper()
	words := append(strings.Fields(s.sh), s.file)
	cmd := exec.Command(words[0], append(words[1:], args...)...)
	cmd.Dir = filepath.Dir(s.home)
	cmd.Env = append([]string{
		"HOME=" + s.home, "TMPDIR=" + s.t.TempDir(), "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8",
		"XDG_CONFIG_HOME=" + s.t.TempDir(), // the go command counts its own use there
	}, s.env...)
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOFLAGS", "GOSUMDB", "GOTOOLCHAIN"} {
		if v, err := exec.Command("go", "env", name).Output(); err == nil {
			cmd.Env = append(cmd.Env, name+"="+strings.TrimSpace(string(v)))
		}
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	s.out, s.err = out.String(), errs.String()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != want {
		s.t.Fatalf("exit %d, want %d\n%s%s", got, want, s.out, s.err)
	}
	if want == 0 && s.err != "" || want != 0 && want < 128 && !strings.Contains(s.err, "memento: hint: ") {
		s.t.Errorf("stderr: %q", s.err)
	}
	temp := strings.TrimPrefix(cmd.Env[1], "TMPDIR=")
	if left, _ := os.ReadDir(temp); len(left) != 0 {
		s.t.Errorf("left in TMPDIR: %v", left)
	}
}

func shells(t *testing.T) []string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("install.sh is for a POSIX shell")
	}
	var found []string
	for _, sh := range []string{"sh", "dash", "bash --posix", "busybox sh", "zsh --emulate sh"} {
		if _, err := exec.LookPath(strings.Fields(sh)[0]); err == nil {
			found = append(found, sh)
		}
	}
	if len(found) == 0 {
		t.Fatal("no shell at all")
	}
	return found
}

func TestScript(t *testing.T) {
	for _, sh := range shells(t) {
		t.Run(sh, func(t *testing.T) {
			dir := checkout(t)
			home := filepath.Join(t.TempDir(), "zoë & co")
			if err := os.Mkdir(home, 0o755); err != nil {
				t.Fatal(err)
			}
			s := &shell{t: t, sh: sh, home: home, file: filepath.Join(dir, "install.sh")}
			bin := filepath.Join(home, ".local", "bin", "memento")
			empty := tree(t, home)

			s.env = []string{"STUB_FAIL=install.one"}
			s.run(1)
			same(t, "a first wiring that fails", empty, tree(t, home))
			s.env = []string{"STUB_FAIL=version.one"}
			s.run(1)
			same(t, "a binary that does not run", empty, tree(t, home))

			s.env = []string{"STUB_SIGNAL=version"}
			s.run(128 + 15)
			same(t, "a signal before the exchange", empty, tree(t, home))

			s.env = []string{"STUB_SIGNAL=install"}
			s.run(0)
			if !strings.Contains(s.out, "one install\nInstalled "+bin+"\n") || !strings.HasSuffix(s.out, "one doctor\n") {
				t.Errorf("said %q", s.out)
			}
			if !strings.Contains(s.out, "is not on your PATH") {
				t.Errorf("said %q", s.out)
			}
			if info, err := os.Stat(bin); err != nil || info.Mode() != 0o755 {
				t.Errorf("%v, %v", info, err)
			}
			installed := tree(t, home)

			version(t, dir, "two")
			s.env = []string{"STUB_FAIL=install.two"}
			s.run(1)
			same(t, "an upgrade that cannot be wired", installed, tree(t, home))
			s.env = []string{"STUB_FAIL=doctor.two", "PATH=" + filepath.Dir(bin) + ":" + os.Getenv("PATH")}
			s.run(1)
			if !strings.Contains(s.err, "memento: doctor: memento is installed") || strings.Contains(s.out, "is not on your PATH") {
				t.Errorf("said %q %q", s.out, s.err)
			}
			if now := tree(t, home); len(now) != len(installed) {
				t.Errorf("left something behind: %v", now)
			}

			s.env = []string{"STUB_FAIL=uninstall.two"}
			s.run(1, "--uninstall")
			if _, err := os.Stat(bin); err != nil {
				t.Errorf("the binary went although its settings stay: %v", err)
			}
			journals := filepath.Join(home, ".claude", ".memento")
			write(t, filepath.Join(journals, "app--zoe.json"), "{}", 0o600)
			s.env = nil
			s.run(0, "--uninstall")
			if !strings.Contains(s.out, "two uninstall\nRemoved "+bin+"\nThe journals stay in "+journals+"; to erase them: rm -r '"+journals+"'\n") {
				t.Errorf("said %q", s.out)
			}
			if _, err := os.Stat(bin); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the binary is still there: %v", err)
			}

			s.run(0, "--uninstall")
			if !strings.Contains(s.out, "two uninstall\nThere was no "+bin+"\n") {
				t.Errorf("unwiring without a binary said %q", s.out)
			}
		})
	}
}

func TestScriptRefuses(t *testing.T) {
	dir := checkout(t)
	home := t.TempDir()
	bin := filepath.Join(home, ".local", "bin", "memento")
	bare := t.TempDir() // a PATH without go
	for _, tool := range []string{"sh", "dirname", "uname", "grep", "mktemp", "rm", "rmdir", "cat"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(bare, tool)); err != nil {
			t.Fatal(err)
		}
	}
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
		{"no Go", nil, []string{"PATH=" + bare}, nil, 1, "memento: install: Go is not on PATH\nmemento: hint: install Go 1.25 or newer"},
		{"an option it does not have", nil, nil, []string{"--purge"}, 64, "no such option: --purge"},
		{"two arguments", nil, nil, []string{"--uninstall", "x"}, 64, "one argument at most"},
		{"another program in our place", func(t *testing.T) { write(t, bin, "#!/bin/sh\n", 0o755) }, nil, nil, 1, "is another program"},
		{"another program, at uninstall", func(t *testing.T) { write(t, bin, "#!/bin/sh\n", 0o755) }, nil, []string{"--uninstall"}, 1, "is another program"},
		{"a folder in our place", func(t *testing.T) { write(t, filepath.Join(bin, "x"), "", 0o644) }, nil, nil, 1, "is a link or a folder"},
		{"a link in our place", func(t *testing.T) {
			if err := os.MkdirAll(filepath.Dir(bin), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("nowhere", bin); err != nil {
				t.Fatal(err)
			}
		}, nil, nil, 1, "is a link or a folder"},
		{"a file where the folder should be", func(t *testing.T) { write(t, filepath.Join(home, ".local"), "", 0o644) }, nil, nil, 1, "cannot be made"},
		{"code that does not compile", func(t *testing.T) {
			write(t, filepath.Join(dir, "cmd", "memento", "broken.go"), "package main\nfunc {", 0o644)
			t.Cleanup(func() { os.Remove(filepath.Join(dir, "cmd", "memento", "broken.go")) })
		}, nil, nil, 1, "memento: install: the build failed\nmemento: hint: memento needs Go 1.25 or newer, and this is go1."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home = t.TempDir()
			bin = filepath.Join(home, ".local", "bin", "memento")
			if tt.prepare != nil {
				tt.prepare(t)
			}
			was := tree(t, home)
			s := &shell{t: t, sh: "sh", home: home, file: filepath.Join(dir, "install.sh"), env: tt.env}
			s.run(tt.code, tt.args...)
			if !strings.Contains(s.err, tt.want) {
				t.Errorf("said %q, want %q", s.err, tt.want)
			}
			same(t, "refusing", was, tree(t, home))
		})
	}
	t.Run("outside a checkout", func(t *testing.T) {
		lone := filepath.Join(t.TempDir(), "install.sh")
		write(t, lone, read(t, filepath.Join(dir, "install.sh")), 0o755)
		s := &shell{t: t, sh: "sh", home: t.TempDir(), file: lone}
		s.run(1)
		if !strings.Contains(s.err, "is not a checkout of memento\nmemento: hint: git clone") {
			t.Errorf("said %q", s.err)
		}
	})
}

func TestScriptBinDir(t *testing.T) {
	dir := checkout(t)
	home := t.TempDir()
	s := &shell{t: t, sh: "sh", home: home, file: filepath.Join(dir, "install.sh"), env: []string{"MEMENTO_BIN_DIR=my tools/bin/", "GOOS=plan9"}}
	s.run(0)
	bin := filepath.Join(filepath.Dir(home), "my tools", "bin", "memento")
	if !strings.Contains(s.out, "Installed "+bin+"\n") {
		t.Errorf("said %q", s.out)
	}
	s.run(0, "--uninstall")
	if _, err := os.Stat(bin); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("still there: %v", err)
	}
}

func TestScriptHelp(t *testing.T) {
	dir := checkout(t)
	for _, arg := range []string{"--help", "-h"} {
		s := &shell{t: t, sh: "sh", home: t.TempDir(), file: filepath.Join(dir, "install.sh")}
		s.run(0, arg)
		if !strings.HasPrefix(s.out, "Installs memento") || strings.Contains(s.out, "\x1b") {
			t.Errorf("said %q", s.out)
		}
	}
}

// TestScriptOnThisCheckout is the whole way with the real program.
func TestScriptOnThisCheckout(t *testing.T) {
	file, err := filepath.Abs("../../install.sh")
	if err != nil {
		t.Fatal(err)
	}
	home := filepath.Join(t.TempDir(), "zoë & co")
	path := filepath.Join(home, ".claude", "settings.json")
	write(t, path, original, 0o640)
	s := &shell{t: t, sh: "sh", home: home, file: file}
	s.run(0)
	w := read(t, path)
	if !strings.Contains(w, `zoë & co/.local/bin/memento"`) || !strings.Contains(s.out, "[MEMENTO] Mission: ") {
		t.Errorf("said %s\nwired %s", s.out, w)
	}
	s.run(0)
	if again := read(t, path); again != w {
		t.Errorf("a second run changed it: %s", again)
	}
	s.run(0, "--uninstall")
	if got := read(t, path); got != original {
		t.Errorf("not put back: %q", got)
	}
}
