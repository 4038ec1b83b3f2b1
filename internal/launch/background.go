package launch

import "os"

// Sync starts memento-sync, which stands beside this binary, so that it syncs once without anybody waiting: in a
// session of its own, with dir as its folder, and with none of this process's streams and open files. The client waits
// for everybody who holds those, and may end the hook's process group. Errors: the system's when it does not start.
func Sync(dir string) error {
	path, err := Beside()
	if err != nil {
		return err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	keepFiles()
	process, err := os.StartProcess(path, []string{path, "sync", "--auto"},
		&os.ProcAttr{Dir: dir, Files: []*os.File{null, null, null}, Sys: detached()})
	if err != nil {
		return err
	}
	return process.Release()
}
