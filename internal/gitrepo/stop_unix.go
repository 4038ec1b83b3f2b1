//go:build unix

package gitrepo

import (
	"os"
	"syscall"
)

// stop lets git remove its temporary files before it ends.
func stop(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
