//go:build unix && !linux

package abort

import "syscall"

// leaveNoTrace keeps an abort from writing a core file, and its traceback from the client's screen.
func leaveNoTrace() {
	_ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{})
	if null, err := syscall.Open("/dev/null", syscall.O_WRONLY|syscall.O_CLOEXEC, 0); err == nil {
		_ = syscall.Dup2(null, 2)
		_ = syscall.Close(null)
	}
}
