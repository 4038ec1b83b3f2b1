//go:build unix

package e2e

import (
	"os/exec"
	"syscall"
)

// group starts cmd in a process group of its own. Cancelling cmd ends that group, by the leader's pid, and no other
// process.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
