//go:build unix

package gitrepo

import (
	"os/exec"
	"syscall"
)

// detach takes the terminal away from git and the programs that it starts, such as ssh: they cannot ask there, and stop
// ends all of them.
func detach(git *exec.Cmd) { git.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// stop lets git remove its temporary files before it ends.
func stop(git *exec.Cmd) error {
	if git.SysProcAttr != nil {
		return syscall.Kill(-git.Process.Pid, syscall.SIGTERM)
	}
	return git.Process.Signal(syscall.SIGTERM)
}
