package e2e

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/mementohq/memento/internal/fixture"
)

var (
	packed    sync.Once
	packedErr error
)

// assets returns the folder of this checkout's release, made once for all tests. Only this machine's binary is built;
// the five others are a line of text each, since building them takes a minute and nothing here runs them.
func assets(t *testing.T) string {
	t.Helper()
	now, _ := releases(t)
	dist := filepath.Join(scratch, "dist")
	packed.Do(func() { packedErr = pack(now, dist) })
	if packedErr != nil {
		t.Fatal(packedErr)
	}
	return dist
}

// pack makes the release of r in the folder dist, with pins, as for a real release.
func pack(r released, dist string) error {
	tree, program := filepath.Join(scratch, "tree"), filepath.Join(scratch, "release")
	if err := os.CopyFS(tree, os.DirFS(r.tree)); err != nil {
		return err
	}
	build := filepath.Join(tree, "plugin", "build")
	whole, err := os.ReadFile(build)
	if err != nil {
		return err
	}
	_, rest, _ := strings.Cut(string(whole), "\nreleased_with=")
	compiler, _, _ := strings.Cut(rest, "\n")
	if err := os.Rename(build, build+".whole"); err != nil {
		return err
	}
	stub := "#!/bin/sh\nreleased_with=" + compiler + "\ncase $4 in ''|" + runtime.GOOS + "-" + runtime.GOARCH +
		`) exec "$0.whole" "$@" ;; esac` +
		"\necho \"a binary for $4\" >\"$2\"\n"
	if err := os.WriteFile(build, []byte(stub), 0o755); err != nil {
		return err
	}
	for _, line := range [][]string{{"go", "build", "-C", "tools", "-o", program, "./release"}, {program, "--pin"},
		{program, dist, "v" + r.version}} {
		cmd := exec.Command(line[0], line[1:]...)
		cmd.Dir, cmd.Env = tree, append(os.Environ(), "GOTOOLCHAIN="+compiler, "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", strings.Join(line, " "), err, out)
		}
	}
	return nil
}

// unzip unpacks an archive into dir, with the run bits.
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

// TestInstallZip: a person unpacks the release's zip. The client takes the folder for a plugin as it is, without Go
// and without a download.
func TestInstallZip(t *testing.T) {
	w := newWorld(t)
	w.path = w.plain()
	now, _ := releases(t)
	shelf := filepath.Join(filepath.Dir(w.home), "My Plugins", "memento")
	unzip(t, filepath.Join(assets(t), "memento-plugin_"+now.version+".zip"), shelf)
	for _, file := range []string{"memento", filepath.Join(runtime.GOOS+"-"+runtime.GOARCH, "memento")} {
		if info, err := os.Stat(filepath.Join(shelf, "bin", file)); err != nil || info.Mode().Perm()&0o111 != 0o111 {
			t.Errorf("bin/%s may not be run: %v", file, err)
		}
	}
	want(t, "validate", w.client("plugin", "validate", "--strict", "--profile", "directory", shelf),
		"Validation passed")
	listing, err := os.ReadFile(filepath.Join(assets(t), "marketplace.json")) // what a release's address gives
	if err != nil {
		t.Fatal(err)
	}
	market := filepath.Join(filepath.Dir(w.home), "market")
	fixture.Write(t, filepath.Join(market, ".claude-plugin", "marketplace.json"), string(listing))
	want(t, "validate", w.client("plugin", "validate", "--strict", market), "Validation passed")
	w.client("plugin", "marketplace", "add", shelf)
	w.client("plugin", "install", "memento@mementohq")
	web := newHost(t)
	r := w.bare(Session{
		Env:     []string{"MEMENTO_RELEASE_URL=" + web.URL},
		Prompts: []string{mission, second, "/compact", "Go on."},
		Ask:     true,
		Script:  Script{Main: append([]Turn{Say("I will look at the session handling.")}, noted()...)},
	})
	quiet(t, r)
	told(t, r, "^"+back)
	restored(t, one(t, "the block", r.Said("SessionStart:compact")), last(t, r), first)
	if !binary(filepath.Join(shelf, "bin", "memento")) {
		t.Error("the launcher did not make way for the binary")
	}
	if asked := web.Asked(); len(asked) > 0 {
		t.Errorf("downloaded %q", asked)
	}
}
