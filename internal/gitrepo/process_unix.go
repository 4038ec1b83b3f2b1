//go:build unix

package gitrepo

import (
	"os/exec"
	"syscall"
)

// detach takes the terminal from git and the programs that it starts, such as ssh: none can ask, and stop ends all.
func detach(git *exec.Cmd) { git.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// stop lets git remove its temporary files before it ends.
func stop(git *exec.Cmd) error {
	if git.SysProcAttr != nil {
		return syscall.Kill(-git.Process.Pid, syscall.SIGTERM)
	}
	return git.Process.Signal(syscall.SIGTERM)
}
