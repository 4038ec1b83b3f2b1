//go:build unix

package launch

import "os"

// shellLine is the call of a POSIX shell that runs command with files as its last arguments. Their paths are no part of
// the text that the shell reads.
func shellLine(command string, files ...string) (name string, args []string, attr *os.ProcAttr) {
	return "/bin/sh", append([]string{"sh", "-c", command + ` "$@"`, command}, files...), &os.ProcAttr{}
}
