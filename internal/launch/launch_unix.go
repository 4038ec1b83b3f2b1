//go:build unix

package launch

import "os"

// shellLine is the call of a POSIX shell that runs command with path as its last argument. The path is no part of the
// text that the shell reads.
func shellLine(command, path string) (name string, args []string, attr *os.ProcAttr) {
	return "/bin/sh", []string{"sh", "-c", command + ` "$@"`, command, path}, &os.ProcAttr{}
}
