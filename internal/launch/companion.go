package launch

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
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

// CompanionVersion returns what memento-sync says of its version. It returns "" for a launcher, which would download
// memento-sync before it answers. Errors: fs.ErrNotExist when there is none; the system's when it does not start.
func CompanionVersion() (string, error) {
	path, err := Beside()
	if err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	var head [2]byte
	if _, err := io.ReadFull(file, head[:]); err != nil || string(head[:]) == "#!" {
		return "", err
	}
	answer, out, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer answer.Close()
	process, err := os.StartProcess(path, []string{path, "version"}, &os.ProcAttr{Files: []*os.File{nil, out, nil}})
	out.Close()
	if err != nil {
		return "", err
	}
	line, err := io.ReadAll(io.LimitReader(answer, 4<<10))
	if _, failed := process.Wait(); err == nil {
		err = failed
	}
	return strings.TrimSpace(string(line)), err
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
