package e2e

import (
	"archive/zip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// pack makes the release of a tree and returns the plugin's zip. Of the six binaries only this machine's is built; the
// others are a line each, as building them takes a minute and nothing here can run them.
func pack(t *testing.T, r released) string {
	t.Helper()
	top := t.TempDir()
	tree, dist, program := filepath.Join(top, "tree"), filepath.Join(top, "dist"), filepath.Join(top, "release")
	if err := os.CopyFS(tree, os.DirFS(r.tree)); err != nil {
		t.Fatal(err)
	}
	build := filepath.Join(tree, "plugin", "build")
	whole, err := os.ReadFile(build)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(whole), "\nreleased_with=")
	compiler, _, _ := strings.Cut(rest, "\n")
	if err := os.Rename(build, build+".whole"); err != nil {
		t.Fatal(err)
	}
	stub := "#!/bin/sh\nreleased_with=" + compiler + "\ncase $4 in ''|" + runtime.GOOS + "-" + runtime.GOARCH + `) exec "$0.whole" "$@" ;; esac` +
		"\necho \"a binary for $4\" >\"$2\"\n"
	if err := os.WriteFile(build, []byte(stub), 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = tree
		cmd.Env = append(os.Environ(), "GOTOOLCHAIN="+compiler)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
		}
	}
	run("go", "build", "-o", program, "./plugin/release")
	run(program, "--pin")
	run(program, dist, "v"+r.version)
	return filepath.Join(dist, "memento-plugin_"+r.version+".zip")
}

// unzip unpacks an archive into dir, run bits and all.
func unzip(t *testing.T, archive, dir string) {
	t.Helper()
	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		in.Close()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, f.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
}

// The release's zip, unpacked: the client takes it for a plugin as it is, and it needs neither Go nor a download. How the client
// itself fetches and unpacks one is not shown: it takes an archive from public hosts alone.
func TestInstallZip(t *testing.T) {
	onUnix(t)
	w := newWorld(t)
	w.path = w.plain()
	now, _ := releases(t)
	shelf := filepath.Join(filepath.Dir(w.home), "My Plugins", "memento")
	unzip(t, pack(t, now), shelf)
	for _, file := range []string{"memento", filepath.Join(runtime.GOOS+"-"+runtime.GOARCH, "memento")} {
		if info, err := os.Stat(filepath.Join(shelf, "bin", file)); err != nil || info.Mode().Perm()&0o111 != 0o111 {
			t.Errorf("bin/%s may not be run: %v", file, err)
		}
	}
	want(t, "validate", w.client("plugin", "validate", "--strict", "--profile", "directory", shelf), "Validation passed")
	w.client("plugin", "marketplace", "add", shelf)
	w.client("plugin", "install", "memento@mementohq")
	web := newHost(t)
	r := w.bare(Session{
		Env:     []string{"MEMENTO_RELEASE_URL=" + web.url},
		Prompts: []string{mission, second, "/compact", "Go on."},
		Ask:     true,
		Script:  Script{Main: append([]Turn{Say("I will look at the session handling.")}, noted()...)},
	})
	quiet(t, r)
	if n := r.Notices(); len(n) > 0 {
		t.Errorf("the person was told: %q", n)
	}
	restored(t, one(t, "the block", r.Said("SessionStart:compact")), last(t, r), first)
	if !binary(filepath.Join(shelf, "bin", "memento")) {
		t.Error("the launcher did not make way for the binary")
	}
	if asked := web.all(); len(asked) > 0 {
		t.Errorf("downloaded %q", asked)
	}
}
