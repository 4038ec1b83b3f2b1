// Package plugin_test tests how a checkout becomes an installation: the bundle that plugin/build writes, the launcher
// at bin/memento, and the manifests. This folder has no other Go code. The binary's packages test what the binary
// does, and tools/e2e tests the bundle with the client.
package plugin_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/cli"
	"github.com/mementohq/memento/internal/fixture"
)

// tools lists the programs that plugin/build and bin/memento may call, besides Go.
var tools = []string{"sh", "cat", "chmod", "cp", "date", "dd", "dirname", "env", "find", "ln", "ls", "mkdir", "mktemp",
	"mv", "readlink", "rm", "rmdir",
	"sed", "sleep", "tail", "touch", "tr", "uname"}

// checkout copies the files that the scripts use into a folder with a space in its name, with a small program for
// memento. After that only the test itself changes files there.
func checkout(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "my checkout")
	for _, f := range []string{"bin/memento", "plugin/launcher", "plugin/build", "hooks/hooks.json",
		"skills/memento/SKILL.md", "LICENSE",
		".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", ".claude-plugin/icon.png"} {
		write(t, filepath.Join(dir, f), string(read(t, root, f)))
	}
	write(t, filepath.Join(dir, "README.md"), "# memento\n")
	write(t, filepath.Join(dir, "CHANGELOG.md"), "# Changelog\n")
	write(t, filepath.Join(dir, "go.mod"), "module example.com/memento\n\ngo 1.25.0\n")
	write(t, filepath.Join(dir, "cmd/memento/main.go"), "package main\n\nfunc main() { print(\"it runs\") }\n")
	write(t, filepath.Join(dir, "internal/hook/stop.go"), "package hook\n")
	write(t, filepath.Join(dir, "internal/hook/start.go"), "package hook\n")
	// Every file gets the time of an hour ago: what a test changes is newer than a build, and the rest is older.
	err := filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		then := time.Now().Add(-time.Hour)
		return os.Chtimes(p, then, then)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// write makes the file, executable when it is a script.
func write(t *testing.T, name, data string) {
	t.Helper()
	mode := fs.FileMode(0o644)
	if strings.HasPrefix(data, "#!") {
		mode = 0o755
	}
	fixture.Put(t, name, data, mode)
}

// path returns a PATH with the tools alone. script becomes its go command: "" stands for the machine's own, and
// "none" for no go command.
func path(t *testing.T, script string) string {
	t.Helper()
	bin := fixture.Path(t, tools...)
	for _, tool := range []string{"setsid", "nohup"} { // some machines lack these
		if _, err := exec.LookPath(tool); err == nil {
			fixture.Tool(t, bin, tool)
		}
	}
	switch script {
	case "none":
	case "":
		real, err := exec.LookPath("go")
		if err != nil {
			t.Fatal(err)
		}
		fixture.Tool(t, bin, "go: exec '"+real+"' \"$@\"")
	default:
		fixture.Tool(t, bin, "go: "+script)
	}
	return bin
}

func link(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(to, name); err != nil {
		t.Fatal(err)
	}
}

// tree lists the files under dir, each with its mode and time, so that two listings differ when anything was written.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			rel, _ := filepath.Rel(dir, p)
			i, err := d.Info()
			if err != nil {
				return err
			}
			names = append(names, i.Mode().String()+" "+rel+" "+i.ModTime().String())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// unchanged fails the test if anything under dir was written since tree listed before.
func unchanged(t *testing.T, dir string, before []string) {
	t.Helper()
	if after := tree(t, dir); !slices.Equal(after, before) {
		t.Errorf("%s changed\nfrom %q\nto   %q", dir, before, after)
	}
}

// files is tree without modes and times.
func files(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	for _, line := range tree(t, dir) {
		words := strings.Split(line, " ") // the time has four words
		names = append(names, strings.Join(words[1:len(words)-4], " "))
	}
	return names
}

// build runs plugin/build of the checkout, with path as PATH and with Go's caches.
func build(t *testing.T, checkout, path string, args ...string) (out string, code int) {
	t.Helper()
	cmd := exec.Command(filepath.Join(checkout, "plugin/build"), args...)
	cmd.Dir = t.TempDir()
	cmd.Env = []string{"PATH=" + path, "HOME=" + t.TempDir(), "GOCACHE=" + goenv(t, "GOCACHE"), "GOMODCACHE=" +
		goenv(t, "GOMODCACHE"),
		"GOFLAGS=", "GOOS=plan9", "GOWORK=/nowhere/go.work"}
	b, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

func goenv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// TestBundle builds the bundle of this very repository, as it is installed.
func TestBundle(t *testing.T) {
	fixture.Long(t, "builds a program")
	t.Parallel()
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "new", "a bundle")
	if out, code := build(t, here, path(t, ""), dir); code != 0 {
		t.Fatalf("exit %d: %s", code, out)
	}
	want := []string{".bundle", ".claude-plugin/icon.png", ".claude-plugin/marketplace.json",
		".claude-plugin/plugin.json", "CHANGELOG.md",
		"LICENSE", "README.md", "bin/memento", "hooks/hooks.json", "skills/handoff/SKILL.md", "skills/memento/SKILL.md",
		"skills/recall/SKILL.md",
		"skills/remember/SKILL.md", "skills/rules/SKILL.md", "skills/status/SKILL.md"}
	if got := files(t, dir); !slices.Equal(got, want) {
		t.Errorf("the bundle holds\n%q, want\n%q", got, want)
	}
	for _, f := range want {
		i, err := os.Stat(filepath.Join(dir, f))
		if err != nil {
			t.Fatal(err)
		}
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(f, "bin/") {
			mode = 0o755
		}
		if i.Mode().Perm() != mode {
			t.Errorf("%s: mode %v, want %v", f, i.Mode().Perm(), mode)
		}
	}
	bin := read(t, dir, "bin/memento")
	if strings.HasPrefix(string(bin), "#!") {
		t.Error("bin/memento is the launcher, want the binary")
	}
	out, err := exec.Command(filepath.Join(dir, "bin/memento"), "version").Output()
	if err != nil || !strings.HasPrefix(string(out), "memento "+cli.Version+" (") {
		t.Errorf("bin/memento says %q, %v; want version %s", out, err, cli.Version)
	}
	// -trimpath, or every bundle says where it was built.
	if strings.Contains(string(bin), here) {
		t.Errorf("bin/memento contains the path it was built in, %s", here)
	}
	// A hook may start while the launcher gives way to the binary. Then sh reads the binary, and must not exit with
	// 2.
	for _, shell := range []string{"sh", "dash", "bash", "bash --posix", "busybox sh"} {
		argv := append(strings.Fields(shell), filepath.Join(dir, "bin/memento"), "hook")
		cmd := exec.Command(argv[0], argv[1:]...)
		if out, _ := cmd.CombinedOutput(); cmd.ProcessState == nil {
			t.Logf("SKIPPED: %s is not here", shell)
		} else if code := cmd.ProcessState.ExitCode(); code != 126 && code != 127 {
			t.Errorf("%s reads the binary and exits %d: %q", shell, code, out)
		}
	}
	if out, err := exec.Command(filepath.Join(dir, "bin/memento"), "version").CombinedOutput(); err != nil {
		t.Errorf("%v: %q", err, out)
	}
	cmd := exec.Command(filepath.Join(dir, "bin/memento"), "sync", "--status")
	cmd.Env = []string{"HOME=" + t.TempDir()}
	if out, err := cmd.CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "sync is off") {
		t.Errorf("memento sync: %v: %q", err, out)
	}
}

// TestBuildReplacesABundleWhole: also behind a link, which stays. The old bundle returns when the build fails, since a
// session may run from it.
func TestBuildReplacesABundleWhole(t *testing.T) {
	fixture.Long(t, "builds a program")
	t.Parallel()
	src, path, at := checkout(t), path(t, ""), t.TempDir()
	before := tree(t, src)
	dir, name := filepath.Join(at, "bundle"), filepath.Join(at, "link")
	if out, code := build(t, src, path, dir); code != 0 {
		t.Fatalf("exit %d: %s", code, out)
	}
	want := files(t, dir)
	write(t, filepath.Join(dir, "skills/old/SKILL.md"), "of an earlier version")
	link(t, "bundle", name)
	if out, code := build(t, src, path, name); code != 0 {
		t.Fatalf("the second time: exit %d: %s", code, out)
	}
	if got := files(t, dir); !slices.Equal(got, want) {
		t.Errorf("the bundle holds\n%q, want\n%q", got, want)
	}
	if to, err := os.Readlink(name); to != "bundle" {
		t.Errorf("the link is gone: %v", err)
	}
	if out, err := exec.Command(filepath.Join(dir, "bin/memento")).CombinedOutput(); string(out) != "it runs" {
		t.Errorf("the binary: %q, %v", out, err)
	}
	unchanged(t, src, before)

	mv, err := os.Readlink(filepath.Join(path, "mv"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(path, "mv")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(path, "mv"), "#!/bin/sh\ncase $2 in */new) echo no space left >&2; exit 1 ;; esac\n"+
		"exec '"+mv+"' \"$@\"\n")
	before = tree(t, at)
	if out, code := build(t, src, path, dir); code != 1 || !strings.Contains(out, "memento: writing ") {
		t.Errorf("exit %d: %q, want 1 and what failed", code, out)
	}
	unchanged(t, at, before)
}

// TestBuildRefuses: every failure says what and why, and leaves the target and its folder as they were.
func TestBuildRefuses(t *testing.T) {
	fixture.Long(t, "runs a shell for each refusal")
	t.Parallel()
	src := checkout(t)
	broken := `case $1 in build) echo "main.go:3: no such thing" >&2; exit 2 ;; *) echo go version go1.25.0 ;; esac`
	for _, c := range []struct {
		name, file, go_ string // file is the target's content before, if any
		args            []string
		code            int
		says            string
	}{
		{"a folder of someone's", "target/thesis.txt", "", []string{"target"}, 1,
			"holds something other than a bundle"},
		{"a file", "target", "", []string{"target"}, 1, "it is not a folder"},
		{"no Go", "", "none", []string{"target"}, 1, "no Go on the PATH"},
		{"sources that do not build, over a bundle", "target/.bundle", broken, []string{"target"}, 1,
			"main.go:3: no such thing"},
		{"a binary over a folder", "target/thesis.txt", "", []string{"--binary", "target"}, 1, "it is a folder"},
		{"a binary that does not build", "target", broken, []string{"--binary", "target"}, 1,
			"main.go:3: no such thing"},
		{"a platform of no release", "", "", []string{"--binary", "target", "--platform", "linux-386"}, 1,
			"linux-386 is not a platform memento is released for"},
		{"no platform", "", "", []string{"--binary", "target", "--platform"}, 64, "usage:"},
		{"no argument", "", "", nil, 64, "usage:"},
		{"two", "", "", []string{"target", "other"}, 64, "usage:"},
		{"an empty name", "", "", []string{""}, 64, "usage:"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if c.file != "" {
				write(t, filepath.Join(dir, c.file), "someone's")
			}
			before := tree(t, dir)
			args := slices.Clone(c.args)
			for i, a := range args {
				if a == "target" || a == "other" {
					args[i] = filepath.Join(dir, a)
				}
			}
			out, code := build(t, src, path(t, c.go_), args...)
			if code != c.code || !strings.Contains(out, c.says) {
				t.Errorf("exit %d, want %d; said %q, want it to contain %q", code, c.code, out, c.says)
			}
			if c.code == 1 && !strings.Contains(out, "memento: ") {
				t.Errorf("said %q, want a line that begins memento:", out)
			}
			unchanged(t, dir, before)
			if left, err := os.ReadDir(dir); err != nil || len(left) > 1 {
				t.Errorf("left behind %v: %v", left, err)
			}
		})
	}
}

// TestBuildBinary replaces the file in one step. A plain copy would fail while the file runs, and a session could
// find half a file.
func TestBuildBinary(t *testing.T) {
	fixture.Long(t, "builds a program")
	t.Parallel()
	file := filepath.Join(t.TempDir(), "bin dir", "memento")
	write(t, file, "#!/bin/sh\necho old\n")
	old, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if out, code := build(t, checkout(t), path(t, ""), "--binary", file); code != 0 || out != "" {
		t.Fatalf("exit %d: %q, want 0 and silence", code, out)
	}
	now, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if os.SameFile(old, now) {
		t.Error("the old file was written over")
	}
	if out, err := exec.Command(file).CombinedOutput(); string(out) != "it runs" {
		t.Errorf("the binary: %q, %v", out, err)
	}
	if got := files(t, filepath.Dir(file)); !slices.Equal(got, []string{"memento"}) {
		t.Errorf("left behind: %q", got)
	}
}

// TestBuildReleased: for a release, Go gets only the paths of its folders from the environment. tools/release tests
// the effect on the bytes.
func TestBuildReleased(t *testing.T) {
	t.Parallel()
	// not beside the fake: that folder has links to the machine's own tools, and a write would go through one of them
	notes := t.TempDir()
	path := path(t, `case $1 in
env) shift; for n; do case $n in GOTMPDIR) echo ;; *) echo "/of $n" ;; esac; done ;;
build) env >'`+notes+`/given'; echo "$*" >'`+notes+`/called'; while [ "$1" != -o ]; do shift; done; echo built >"$2" ;;
esac
`)
	file := filepath.Join(t.TempDir(), "memento.exe")
	cmd := exec.Command(filepath.Join(checkout(t), "plugin/build"), "--binary", file, "--platform", "windows-arm64")
	cmd.Env = []string{"PATH=" + path, "HOME=/home/alice", "HTTPS_PROXY=http://proxy.example.com:3128",
		"GOFLAGS=-tags=other", "GOAMD64=v4", "GOARM64=v9.0",
		"GOEXPERIMENT=x", "GOFIPS140=latest", "GOENV=/nowhere/env", "GOTOOLCHAIN=local", "GOOS=plan9", "GOARCH=mips",
		"CGO_ENABLED=1", "GOWORK=/nowhere/go.work",
		"GODEBUG=x=1", "GOROOT=/nowhere", "GO111MODULE=off", "CC=evil", "TZ=Asia/Tokyo", "LC_ALL=tr_TR.UTF-8"}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %q, want 0 and silence", err, out)
	}
	if got := string(read(t, file)); got != "built\n" {
		t.Errorf("%s holds %q", file, got)
	}
	script := string(read(t, root, "plugin/build"))
	_, rest, _ := strings.Cut(script, "\nreleased_with=")
	version, _, _ := strings.Cut(rest, "\n")
	want := []string{"CGO_ENABLED=0", "GOAMD64=v1", "GOARCH=arm64", "GOARM64=v8.0", "GOENV=off", "GOOS=windows",
		"GOTOOLCHAIN=" + version, "GOWORK=off",
		"HOME=/home/alice", "HTTPS_PROXY=http://proxy.example.com:3128", "PATH=" + path}
	for _, name := range strings.Fields("GOAUTH GOCACHE GOINSECURE GOMODCACHE GONOPROXY GONOSUMDB GOPATH " +
		"GOPRIVATE GOPROXY GOSUMDB") {
		want = append(want, name+"=/of "+name)
	}
	slices.Sort(want)
	var got []string
	for line := range strings.Lines(string(read(t, notes, "given"))) {
		name, _, _ := strings.Cut(line, "=")
		if !slices.Contains([]string{"PWD", "OLDPWD", "SHLVL", "_"}, name) { // variables of the shell
			got = append(got, strings.TrimSuffix(line, "\n"))
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("Go was given\n%q, want\n%q", got, want)
	}
	args, _, _ := strings.Cut(string(read(t, notes, "called")), " -o ")
	if want := "build -mod=readonly -trimpath -buildvcs=false -ldflags -s -w"; args != want {
		t.Errorf("Go was called with %q, want %q", args, want)
	}
}
