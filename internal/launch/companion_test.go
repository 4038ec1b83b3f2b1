//go:build unix

package launch

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain runs Companion in a copy of this binary.
func TestMain(m *testing.M) {
	if os.Getenv("RUN_COMPANION") == "" {
		os.Exit(m.Run())
	}
	code, err := Companion(os.Args[1:])
	switch {
	case errors.Is(err, fs.ErrNotExist):
		code = 90
	case err != nil:
		code = 91
	}
	os.Exit(code)
}

func TestCompanion(t *testing.T) {
	dir, elsewhere := filepath.Join(t.TempDir(), "a b"), t.TempDir()
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	exe, link := filepath.Join(dir, "memento"), filepath.Join(elsewhere, "memento")
	if err := os.Link(self, exe); err != nil {
		data, err := os.ReadFile(self)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(exe, data, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(exe, link); err != nil {
		t.Fatal(err)
	}
	program := func(folder, says string, mode fs.FileMode) {
		if err := os.WriteFile(filepath.Join(folder, "memento-sync"), []byte("#!/bin/sh\n"+says), mode); err != nil {
			t.Fatal(err)
		}
	}
	program(elsewhere, "echo wrong\n", 0o700) // on the PATH, and beside the link
	run := func() (int, string) {
		cmd := exec.Command(link, "sync", "a  b", "--x=$HOME")
		cmd.Env = []string{"RUN_COMPANION=1", "PATH=" + elsewhere, "KEPT=yes"}
		cmd.Stdin = strings.NewReader("typed\n")
		out, _ := cmd.CombinedOutput()
		return cmd.ProcessState.ExitCode(), string(out)
	}
	if code, out := run(); code != 90 || out != "" {
		t.Errorf("none beside the binary: exit %d, %q", code, out)
	}
	program(dir, `read in; echo "$#|$1|$2|$3|$KEPT|$in"; echo err >&2; exit 75`+"\n", 0o700)
	if code, out := run(); code != 75 || out != "3|sync|a  b|--x=$HOME|yes|typed\nerr\n" {
		t.Errorf("exit %d, %q", code, out)
	}
	program(dir, "kill -INT $$\n", 0o700)
	if code, _ := run(); code != -1 { // ended by a signal
		t.Errorf("interrupted: exit %d", code)
	}
	if err := os.Chmod(filepath.Join(dir, "memento-sync"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out := run(); code != 91 || out != "" {
		t.Errorf("no program: exit %d, %q", code, out)
	}
}
