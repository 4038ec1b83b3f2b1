//go:build unix

package launch

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain runs Sync in this binary, or is what Sync starts: a shell in its place, which tells what it was given.
func TestMain(m *testing.M) {
	switch script := os.Getenv("SYNCING"); {
	case script == "":
		os.Exit(m.Run())
	case os.Args[1] == "background":
		if Sync(os.Args[2]) != nil {
			os.Exit(91)
		}
	default:
		_ = syscall.Exec("/bin/sh", append([]string{"sh", "-c", script, "sh"}, os.Args[1:]...), os.Environ())
	}
}

// TestSync: the sync in the background is in a session of its own and holds no file of its parent's, so that a pipe of
// the parent's ends with the parent.
func TestSync(t *testing.T) {
	store := t.TempDir()
	cmd := exec.Command(os.Args[0], "background", store)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), `SYNCING=
for fd in 3 4 5 6 7 8 9; do if (: >&$fd) 2>/dev/null; then open="$open $fd"; fi; done
set -- "$PWD|$*|open:$open|$(ps -o sid= -p $$ | tr -d ' ')=$$"
echo heard; echo heard >&2; read typed && set -- "$1|$typed"
n=0; while [ ! -e release ] && [ $n -lt 200 ]; do sleep 0.05; n=$((n+1)); done
echo "$1" >told.new; mv told.new told
`}
	cmd.Stdin = strings.NewReader("typed\n")
	pipe, inherited, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{inherited, inherited}
	out, err := cmd.CombinedOutput()
	inherited.Close()
	if rest, err := io.ReadAll(pipe); err != nil || len(rest) > 0 { // it ends while the sync still runs
		t.Errorf("the inherited pipe: %q, %v", rest, err)
	}
	if err != nil || len(out) > 0 {
		t.Errorf("%v, %q", err, out)
	}
	if _, err := os.Stat(filepath.Join(store, "told")); err == nil {
		t.Error("the parent waited for the sync")
	}
	if err := os.WriteFile(filepath.Join(store, "release"), nil, 0o600); err != nil {
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
		t.Errorf("the sync says %q, want %q, and its session %s is that of process %s", told, want, sid, pid)
	}
}
