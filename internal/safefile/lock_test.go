package safefile

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// holder starts a process that holds the lock at path.
func holder(t *testing.T, path string) (cmd *exec.Cmd, release func()) {
	t.Helper()
	cmd = process(t, "hold", path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the holder says %q, %v", line, err)
	}
	return cmd, func() { in.Close() }
}

func TestLockExcludesAnotherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "myapp--alice.lock")
	_, release := holder(t, path)
	for _, wait := range []time.Duration{-time.Second, 0, 30 * time.Millisecond} {
		if _, err := Lock(path, wait); !errors.Is(err, ErrBusy) {
			t.Fatalf("Lock waiting %v while another process holds it: %v, want ErrBusy", wait, err)
		}
	}
	if unlock, err := Lock(path+"-debug", 0); err != nil {
		t.Errorf("another lock: %v", err)
	} else {
		unlock()
	}
	release()
	unlock, err := Lock(path, time.Minute)
	if err != nil {
		t.Fatalf("after it was released: %v", err)
	}
	unlock()
}

func TestLockOfKilledProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "myapp--alice.lock")
	cmd, _ := holder(t, path)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	unlock, err := Lock(path, 0) // nothing to wait for
	if err != nil {
		t.Fatalf("after its holder was killed: %v", err)
	}
	unlock()
}

func TestLockExcludesWithinProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.lock")
	unlock, err := Lock(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(path, 0); !errors.Is(err, ErrBusy) {
		t.Errorf("locked twice: %v", err)
	}
	unlock()
	again, err := Lock(path, 0)
	if err != nil {
		t.Fatalf("after unlock: %v", err)
	}
	again()
}

// TestLockFileRemovedWhileWaiting: forget removes lock files. A process that opened one before must not hold a lock
// that other processes do not see, also when another process has made a new file.
func TestLockFileRemovedWhileWaiting(t *testing.T) {
	for _, isNew := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "a.lock")
		removed := false
		testOnlyFault = func(op, path string) error {
			if op != "flock" || removed {
				return nil
			}
			removed = true
			err := os.Remove(path)
			if err == nil && isNew {
				err = os.WriteFile(path, nil, 0o600)
			}
			return err
		}
		defer func() { testOnlyFault = nil }()
		unlock, err := Lock(path, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		defer unlock()
		if _, err := Lock(path, 0); !errors.Is(err, ErrBusy) {
			t.Errorf("a second lock beside the first: %v, want ErrBusy", err)
		}
	}
}

// Sixteen processes count to 320 together.
func TestProcessesLoseNothing(t *testing.T) {
	fixture.Long(t, "runs many processes")
	path := filepath.Join(t.TempDir(), "count")
	fixture.Write(t, path, "0")
	const processes = 16
	var running []*exec.Cmd
	for range processes {
		cmd := process(t, "count", path)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	if got, want := fixture.Read(t, path), strconv.Itoa(processes*cycles); got != want {
		t.Errorf("counted to %s, want %s", got, want)
	}
	if got := names(t, filepath.Dir(path)); got != "count count.lock" {
		t.Errorf("the folder holds %s", got)
	}
}
