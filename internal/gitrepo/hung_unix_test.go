//go:build unix

package gitrepo

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// TestHung: a remote that never answers, by an ssh that hangs, ends with the deadline, and ssh with it.
func TestHung(t *testing.T) {
	note := filepath.Join(t.TempDir(), "pid")
	ssh := filepath.Join(t.TempDir(), "ssh")
	fixture.Write(t, ssh, "#!/bin/sh\necho $$ > '"+note+"'\nexec sleep 600\n")
	if err := os.Chmod(ssh, 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(here)
	go func() {
		for !exists(note) || fixture.Read(t, note) == "" {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	t.Setenv("GIT_SSH_COMMAND", ssh)
	r, err := Open(ctx, filepath.Join(t.TempDir(), "r"), true)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Fetch("ssh://host/x")
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(fixture.Read(t, note)))
	if err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if err = syscall.Kill(pid, 0); err != nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("ssh lives on")
}
