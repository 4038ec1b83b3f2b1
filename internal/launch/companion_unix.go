//go:build unix

package launch

import (
	"os"
	"syscall"
)

// detached puts a process into a session, and so a process group, of its own.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// keepFiles marks the open files that this process has from its parent, so that no program inherits them. Go marks the
// files that it opens itself.
func keepFiles() {
	for fd := 3; fd < 64; fd++ {
		syscall.CloseOnExec(fd)
	}
}

// replace makes this process the program at path, so that the terminal, signals and the exit code are the program's. It
// returns only an error.
func replace(path string, args []string) (int, error) {
	return 0, &os.PathError{Op: "exec", Path: path, Err: syscall.Exec(path, args, os.Environ())}
}
