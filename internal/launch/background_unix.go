//go:build unix

package launch

import "syscall"

// detached puts a process into a session, and so a process group, of its own.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// keepFiles marks the open files that this process has from its parent, so that no program inherits them. Go marks the
// files that it opens itself.
func keepFiles() {
	for fd := 3; fd < 64; fd++ {
		syscall.CloseOnExec(fd)
	}
}
