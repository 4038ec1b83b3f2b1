// Package launch starts programs: the editor and the browser for a person at a terminal, and memento-sync,
// which stands beside memento. It is the only package that may start a program. A hook may call Sync alone, and only
// when a person has set sync to auto. The caller decides which text an editor gets and what happens to that text.
//
// It uses os.StartProcess. os/exec does more than an editor needs, and adds 100 KB to the binary of every hook
// instead of 43 KB.
package launch

import (
	"fmt"
	"os"
)

// Editor opens the file at path with the command of $EDITOR, which may have arguments, in this process's terminal, and
// waits for its end. A shell reads the command, so that quotes and PATH work as everywhere. Errors: the system's when
// no shell starts; an error that names the exit code when the editor fails.
func Editor(command, path string) error {
	name, args, attr := shellLine(command, path)
	attr.Files = []*os.File{os.Stdin, os.Stdout, os.Stderr}
	return whileIgnoring(func() error {
		process, err := os.StartProcess(name, args, attr)
		if err != nil {
			return err
		}
		state, err := process.Wait()
		if err == nil && !state.Success() {
			err = fmt.Errorf("the editor %q ended with %s", command, state)
		}
		return err
	})
}
