//go:build unix

package launch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain runs Companion in a copy of this binary.
func TestMain(m *testing.M) {
	if os.Getenv("RUN_COMPANION") == "" {
		os.Exit(m.Run())
	}
	var code int
	var err error
	switch os.Args[1] {
	case "background":
		err = Sync(os.Args[2])
	case "version":
		var says string
		if says, err = CompanionVersion(); err == nil {
			fmt.Printf("%q\n", says)
		}
	default:
		code, err = Companion(os.Args[1:])
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		code = 90
	case err != nil:
		code = 91
	}
	os.Exit(code)
}

// installed returns a folder with a copy of this binary, and another folder with a link to the copy.
func installed(t *testing.T) (dir, elsewhere string) {
	dir, elsewhere = filepath.Join(t.TempDir(), "a b"), t.TempDir()
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "memento")
	if err := os.WriteFile(exe, data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(exe, filepath.Join(elsewhere, "memento")); err != nil {
		t.Fatal(err)
	}
	return dir, elsewhere
}

// program makes a memento-sync in a folder.
func program(t *testing.T, folder, says string, mode fs.FileMode) {
	if err := os.WriteFile(filepath.Join(folder, "memento-sync"), []byte("#!/bin/sh\n"+says), mode); err != nil {
		t.Fatal(err)
	}
}

func TestCompanion(t *testing.T) {
	dir, elsewhere := installed(t)
	link := filepath.Join(elsewhere, "memento")
	program(t, elsewhere, "echo wrong\n", 0o700) // on the PATH, and beside the link
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
	program(t, dir, `read in; echo "$#|$1|$2|$3|$KEPT|$in"; echo err >&2; exit 75`+"\n", 0o700)
	if code, out := run(); code != 75 || out != "3|sync|a  b|--x=$HOME|yes|typed\nerr\n" {
		t.Errorf("exit %d, %q", code, out)
	}
	program(t, dir, "kill -INT $$\n", 0o700)
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

// TestSync: the sync in the background is in a session of its own and holds no file of its parent's, so that a pipe of
// the parent's ends with the parent.
func TestSync(t *testing.T) {
	dir, _ := installed(t)
	store := t.TempDir()
	if code, out := background(t, dir, store, nil); code != 90 || out != "" {
		t.Errorf("none beside the binary: exit %d, %q", code, out)
	}
	release := filepath.Join(store, "release")
	program(t, dir, `for fd in 3 4 5 6 7 8 9; do if (: >&$fd) 2>/dev/null; then open="$open $fd"; fi; done
set -- "$PWD|$*|open:$open|$(ps -o sid= -p $$ | tr -d ' ')=$$"
echo heard; echo heard >&2; read typed && set -- "$1|$typed"
n=0; while [ ! -e release ] && [ $n -lt 200 ]; do sleep 0.05; n=$((n+1)); done
echo "$1" >told.new; mv told.new told
`, 0o700)
	pipe, inherited, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	code, out := background(t, dir, store, inherited)
	inherited.Close()
	if rest, err := io.ReadAll(pipe); err != nil || len(rest) > 0 { // it ends while memento-sync still runs
		t.Errorf("the inherited pipe: %q, %v", rest, err)
	}
	if code != 0 || out != "" {
		t.Errorf("exit %d, %q", code, out)
	}
	if _, err := os.Stat(filepath.Join(store, "told")); err == nil {
		t.Error("the parent waited for memento-sync")
	}
	if err := os.WriteFile(release, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var told []byte
	for range 400 {
		if told, err = os.ReadFile(filepath.Join(store, "told")); err == nil {
			break
		}
		time.Sleep(25 * time.Millisecond)
	}
	got, pids, _ := strings.Cut(strings.TrimSpace(string(told)), "open:|")
	sid, pid, _ := strings.Cut(pids, "=")
	real, _ := filepath.EvalSymlinks(store)
	if want := real + "|sync --auto|"; got != want || sid != "" && sid != pid {
		t.Errorf("memento-sync says %q, want %q, and its session %s is that of process %s", told, want, sid, pid)
	}
}

// background runs Sync in a process with an open file that is not one of its streams.
func background(t *testing.T, dir, store string, inherited *os.File) (int, string) {
	t.Helper()
	cmd := exec.Command(filepath.Join(dir, "memento"), "background", store)
	cmd.Env = []string{"RUN_COMPANION=1", "PATH=" + os.Getenv("PATH")}
	cmd.Stdin = strings.NewReader("typed\n")
	if inherited != nil {
		cmd.ExtraFiles = []*os.File{inherited, inherited}
	}
	out, _ := cmd.CombinedOutput()
	return cmd.ProcessState.ExitCode(), string(out)
}

// TestCompanionVersion: it asks a binary, and does not run a launcher, which would download memento-sync.
func TestCompanionVersion(t *testing.T) {
	dir, _ := installed(t)
	ask := func() (int, string) {
		cmd := exec.Command(filepath.Join(dir, "memento"), "version")
		cmd.Env = []string{"RUN_COMPANION=1", "PATH=" + os.Getenv("PATH")}
		out, _ := cmd.CombinedOutput()
		return cmd.ProcessState.ExitCode(), string(out)
	}
	if code, out := ask(); code != 90 || out != "" {
		t.Errorf("none beside the binary: exit %d, %q", code, out)
	}
	ran := filepath.Join(dir, "ran")
	program(t, dir, "touch '"+ran+"'\n", 0o700)
	if code, out := ask(); code != 0 || out != "\"\"\n" {
		t.Errorf("a launcher: exit %d, %q", code, out)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("the launcher ran")
	}
	echo, err := exec.LookPath("echo")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "memento-sync")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(echo, filepath.Join(dir, "memento-sync")); err != nil {
		t.Fatal(err)
	}
	if code, out := ask(); code != 0 || out != "\"version\"\n" {
		t.Errorf("a binary: exit %d, %q", code, out)
	}
}
