//go:build unix

package launch

import (
	"os"
	"syscall"
)

// replace makes this process the program at path, so that the terminal, signals and the exit code are the program's. It
// returns only an error.
func replace(path string, args []string) (int, error) {
	return 0, &os.PathError{Op: "exec", Path: path, Err: syscall.Exec(path, args, os.Environ())}
}
