//go:build unix

package gitrepo

import (
	"os/exec"
	"syscall"
)

// group puts git and the programs that it starts, such as ssh, into a group, so that stop ends all of them. Such a git
// cannot ask at the terminal.
func group(git *exec.Cmd) { git.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// stop lets git remove its temporary files before it ends.
func stop(git *exec.Cmd) error {
	if git.SysProcAttr != nil {
		return syscall.Kill(-git.Process.Pid, syscall.SIGTERM)
	}
	return git.Process.Signal(syscall.SIGTERM)
}
