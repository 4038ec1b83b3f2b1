package launch

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Browser opens the file at path in the person's browser, and does not wait for it: the browser gets a session of its
// own and none of this process's streams. Errors: fs.ErrNotExist where there is no desktop or no program that opens
// files in a browser; the system's when the program does not start.
func Browser(path string) error {
	name, args := opener(path, os.Getenv)
	if name == "" {
		return fs.ErrNotExist
	}
	return start(name, args, "")
}

// start starts a program in a session of its own, with dir as its folder, and with none of this process's streams and
// open files. It does not wait for the program. Errors: the system's when it does not start.
func start(path string, args []string, dir string) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	keepFiles()
	process, err := os.StartProcess(path, args,
		&os.ProcAttr{Dir: dir, Files: []*os.File{null, null, null}, Sys: detached()})
	if err != nil {
		return err
	}
	return process.Release()
}

// opener returns the program that opens the file at path in a browser, and its command line; "" for none.
func opener(path string, getenv func(string) string) (name string, args []string) {
	switch runtime.GOOS {
	case "windows":
		name = filepath.Join(getenv("SystemRoot"), "System32", "rundll32.exe")
		return name, []string{name, "url.dll,FileProtocolHandler", path}
	case "darwin":
		return "/usr/bin/open", []string{"open", path}
	}
	if getenv("DISPLAY") == "" && getenv("WAYLAND_DISPLAY") == "" {
		return "", nil
	}
	for _, program := range [...]string{"xdg-open", "sensible-browser", "wslview"} {
		if at := onPath(program, getenv); at != "" {
			return at, []string{at, path}
		}
	}
	return "", nil
}

// onPath returns the path of a program, "" if there is none. A relative part of PATH does not count.
func onPath(program string, getenv func(string) string) string {
	for _, folder := range filepath.SplitList(getenv("PATH")) {
		at := filepath.Join(folder, program)
		info, err := os.Stat(at)
		if err == nil && filepath.IsAbs(at) && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return at
		}
	}
	return ""
}
