package main

import (
	"bytes"
	"debug/buildinfo"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

// goenv is what Go needs to build offline with a HOME of the test's own: where its caches, its modules and its
// temporary files are.
func goenv(t *testing.T) []string {
	t.Helper()
	var env []string
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GONOPROXY", "GOSUMDB", "GONOSUMDB",
		"GOPRIVATE", "GOINSECURE"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		env = append(env, name+"="+strings.TrimSpace(string(out)))
	}
	return append(env, "PATH="+os.Getenv("PATH"), "HOME="+t.TempDir(), "TMPDIR="+os.TempDir(), "GIT_CONFIG_NOSYSTEM=1")
}

// TestReleaseOfThisCheckout makes a whole release of this repository as it stands. The commit with the pins that
// --pin wrote builds exactly the pinned binaries, in another folder and with any environment. The test takes 20 s of
// processor time when Go's cache is warm and two minutes when it is cold.
func TestReleaseOfThisCheckout(t *testing.T) {
	fixture.Long(t, "builds memento for six platforms, twice")
	t.Parallel()
	dir := t.TempDir()
	src, clone, dist := filepath.Join(dir, "src"), filepath.Join(dir, "böse 1", "clone"), filepath.Join(dir, "dist")
	copyTree(t, repository, src)
	fixture.Git(t, src, "init", "-q")
	env := goenv(t)
	// plugin/build names the Go that makes releases; the program under test is built with the same one
	_, rest, _ := strings.Cut(string(read(t, src, "plugin/build")), "\nreleased_with=")
	goversion, _, _ := strings.Cut(rest, "\n")
	program := filepath.Join(dir, "release")
	shell(t, src, append(env, "GOTOOLCHAIN="+goversion), "go build -C tools -o '"+program+"' ./release")
	shell(t, src, env, program+" --pin")
	fixture.Git(t, src, "add", "-A")
	fixture.Git(t, src, "commit", "-qm", "Pin")
	fixture.Git(t, dir, "clone", "-q", src, clone)

	// what `go env -w` writes, where Go looks for it unasked and where it is told to look
	home, bad := t.TempDir(), filepath.Join(dir, "go.env")
	for _, name := range []string{bad, filepath.Join(home, ".config/go/env"),
		filepath.Join(home, "Library/Application Support/go/env")} {
		write(t, name, "GOFLAGS=-tags=other\nGOAMD64=v3\n")
	}
	p, err := readProject(src)
	if err != nil {
		t.Fatal(err)
	}
	out := shell(t, clone, append(env, "HOME="+home, "GOENV="+bad, "GOFLAGS=-gcflags=-N -ldflags=-linkmode=external",
		"GOAMD64=v4", "GOARM64=v9.0,lse",
		"GOEXPERIMENT=nogreenteagc", "GOFIPS140=latest", "GODEBUG=madvdontneed=1", "GOTOOLCHAIN=local", "GOOS=plan9",
		"GOARCH=mips", "CGO_ENABLED=1",
		"GOWORK=/nowhere/go.work", "GO111MODULE=off", "TZ=Asia/Kathmandu", "LC_ALL=tr_TR.UTF-8", "SOURCE_DATE_EPOCH=1"),
		"umask 077; "+program+" '"+dist+"' v"+p.Version)
	if !strings.Contains(out, "memento: release "+p.Version) {
		t.Errorf("said %q", out)
	}

	for name, want := range map[string]fs.FileMode{".": fs.ModeDir | 0o755, "install.sh": 0o755,
		"checksums.txt": 0o644} {
		if i, err := os.Stat(filepath.Join(dist, name)); err != nil || i.Mode() != want {
			t.Errorf("%s: mode %v, %v; want %v whatever the umask", name, i.Mode(), err, want)
		}
	}
	for _, p := range every() {
		info, err := buildinfo.ReadFile(filepath.Join(dist, p.asset()))
		if err != nil {
			t.Fatal(err)
		}
		set := map[string]string{}
		for _, s := range info.Settings {
			set[s.Key] = s.Value
		}
		for key, want := range map[string]string{"GOOS": p.os, "GOARCH": p.arch, "CGO_ENABLED": "0",
			"-trimpath": "true", "-tags": "", "-gcflags": "",
			"vcs": "", "GOEXPERIMENT": "", "GOFIPS140": ""} {
			if set[key] != want {
				t.Errorf("%s was built with %s=%q, want %q", p, key, set[key], want)
			}
		}
		if info.GoVersion != goversion {
			t.Errorf("%s was built with %s, want %s", p, info.GoVersion, goversion)
		}
		if data := read(t, dist, p.asset()); bytes.Contains(data, []byte(dir)) ||
			bytes.Contains(data, []byte(env[0][len("GOCACHE="):])) {
			t.Errorf("%s contains the path it was built in", p)
		}
	}

	// the bundle runs after unzipping with this machine's own program
	zip := filepath.Join(dist, "memento-plugin_"+p.Version+".zip")
	bundle := filepath.Join(dir, "a bundle")
	for _, f := range unzip(t, read(t, zip)) {
		write(t, filepath.Join(bundle, f.name), string(f.data))
		if err := os.Chmod(filepath.Join(bundle, f.name), f.mode()); err != nil {
			t.Fatal(err)
		}
	}
	bundles := []string{bundle}
	if _, err := exec.LookPath("unzip"); err == nil {
		bundles = append(bundles, filepath.Join(dir, "unzipped"))
		shell(t, dir, env, "umask 022; unzip -q '"+zip+"' -d unzipped")
		if diff := changed(tree(t, bundle), tree(t, bundles[1])); diff != nil {
			t.Errorf("unzip and Go differ about %q", diff)
		}
	}
	for _, b := range bundles {
		out := shell(t, dir, []string{"HOME=" + t.TempDir()},
			"'"+b+"/bin/"+runtime.GOOS+"-"+runtime.GOARCH+"/memento' version")
		want := "memento " + p.Version + " (" + runtime.GOOS + "/" + runtime.GOARCH + ", " + goversion + ")\n"
		if out != want {
			t.Errorf("%s: said %q, want %q", b, out, want)
		}
		// the launcher finds the binary and makes way for it
		if out := shell(t, dir, []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")},
			"'"+b+"/bin/memento' version"); out != want {
			t.Errorf("%s: the launcher said %q, want %q", b, out, want)
		}
	}
}

// shell runs a line under sh in dir and returns its stdout. The line must succeed and print nothing on stderr.
func shell(t *testing.T, dir string, env []string, line string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = dir, env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil || stderr.Len() > 0 {
		t.Fatalf("%s: %v\n%s%s", line, err, stdout.Bytes(), stderr.Bytes())
	}
	return stdout.String()
}

// copyTree copies a checkout without .git, without the results of a build and without what npm installed.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(from, p)
		if rel == ".git" || rel == "dist" || d.Name() == "node_modules" {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		i, err := d.Info()
		if err != nil || !i.Mode().IsRegular() {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), data, i.Mode().Perm())
	})
	if err != nil {
		t.Fatal(err)
	}
}
