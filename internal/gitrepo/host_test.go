package gitrepo

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// scratch gives the test a home of its own, without the settings of whoever runs it, and returns the home.
func scratch(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	for _, pair := range os.Environ() {
		if name, value, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "GIT_") ||
			strings.HasPrefix(name, "SSH_") {
			t.Setenv(name, value) // so that the end of the test restores it
			os.Unsetenv(name)
		}
	}
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	return home
}

// run runs a program and returns what it wrote.
func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

// bare makes an empty bare repository that anybody with an account may push to.
func bare(t *testing.T, dir string) string {
	t.Helper()
	run(t, "git", "init", "-q", "--bare", dir)
	run(t, "git", "--git-dir="+dir, "config", "gc.auto", "0")
	return dir
}
