//go:build linux || darwin

package hook

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/mementohq/memento/internal/safefile"
)

// TestFullDisk: a start says that the disk is full, even if the session memory, which only grows, has room yet.
func TestFullDisk(t *testing.T) {
	w := newWorld(t)
	dir := filepath.Join(w.home, ".claude", ".memento")
	w.start("startup")
	w.prompt("Fix the checkout.")
	isFull := false
	safefile.TestOnlyFault(func(op, path string) error {
		if isFull && (op == "room" || op == "create" && filepath.Dir(path) == dir) {
			return syscall.ENOSPC
		}
		return nil
	})
	defer safefile.TestOnlyFault(nil)
	const line = "memento: nothing said here is kept while this lasts: writing "
	for _, isFull = range []bool{false, true, false} {
		for _, source := range []string{"resume", "compact", "clear"} {
			if w.start(source); strings.HasPrefix(w.message, line) != isFull {
				t.Errorf("%s, full %v: %q", source, isFull, w.message)
			}
		}
	}
}
