package launch

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Browser opens the file at path in the person's browser, and does not wait for it: the browser gets a session of its
// own and none of this process's streams. Errors: fs.ErrNotExist where there is no desktop or no program that opens
// files in a browser; the system's when the program does not start.
func Browser(path string) error {
	name, args := opener(path)
	if name == "" {
		return fs.ErrNotExist
	}
	return start("", name, args...)
}

// start starts a program in a session of its own, with dir as its folder, and with none of this process's streams and
// open files. It does not wait for the program. Errors: the system's when it does not start.
func start(dir, path string, args ...string) error {
	keepFiles()
	c := exec.Command(path, args...)
	c.Dir, c.SysProcAttr = dir, detached()
	if err := c.Start(); err != nil {
		return err
	}
	return c.Process.Release()
}

// opener returns the program that opens the file at path in a browser, and its arguments; "" for none.
func opener(path string) (name string, args []string) {
	switch runtime.GOOS {
	case "windows":
		name = filepath.Join(os.Getenv("SystemRoot"), "System32", "rundll32.exe")
		return name, []string{"url.dll,FileProtocolHandler", path}
	case "darwin":
		return "/usr/bin/open", []string{path}
	}
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return "", nil
	}
	for _, program := range [...]string{"xdg-open", "sensible-browser", "wslview"} {
		if at, err := exec.LookPath(program); err == nil { // a relative part of PATH does not count
			return at, []string{path}
		}
	}
	return "", nil
}
