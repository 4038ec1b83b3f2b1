//go:build unix

package project

import (
	"os/exec"
	"syscall"
	"testing"
)

func pipe(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

func copyAll(from, to string) ([]byte, error) {
	return exec.Command("cp", "-a", from, to).CombinedOutput()
}
