package gitrepo

import "os/exec"

// group does nothing: Windows has no groups of processes that a signal ends.
func group(*exec.Cmd) {}

// stop ends git. Windows knows no gentler way.
func stop(git *exec.Cmd) error { return git.Process.Kill() }
