package launch

import (
	"os"
	"path/filepath"
	"runtime"
)

// Companion runs memento-sync with args in place of this process: with its streams, its environment and its terminal.
// It returns the exit code of memento-sync. The program is the one beside this binary, links resolved, never one of
// the PATH. Errors: fs.ErrNotExist when there is none; the system's when it does not start.
func Companion(args []string) (code int, err error) {
	path, err := Beside()
	if err != nil {
		return 0, err
	}
	return replace(path, append([]string{path}, args...))
}

// Beside returns the path of the memento-sync that belongs to this binary, which may be missing there. It returns an
// error when the path of this binary is not known.
func Beside() (string, error) {
	exe, err := os.Executable()
	if err == nil {
		exe, err = filepath.EvalSymlinks(exe)
	}
	name := "memento-sync"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return filepath.Join(filepath.Dir(exe), name), err
}
