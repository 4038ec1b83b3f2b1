package gitrepo

import (
	"os/exec"
	"syscall"
)

// detach gives git, and the programs that it starts, no console at which they could ask.
func detach(git *exec.Cmd) {
	git.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: 0x08000000} // CREATE_NO_WINDOW
}

// stop ends git. Windows knows no gentler way.
func stop(git *exec.Cmd) error { return git.Process.Kill() }
