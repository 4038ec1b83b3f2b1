package launch

import (
	"os"
	"os/signal"
	"syscall"
)

// detached puts a process into a process group of its own, without a console.
func detached() *syscall.SysProcAttr {
	const detachedProcess = 0x8
	return &syscall.SysProcAttr{CreationFlags: detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// keepFiles does nothing: Go lets a program inherit only the files that it names.
func keepFiles() {}

// replace runs the program at path in this process's console, waits for its end and returns its exit code. The console
// sends Ctrl-C to both; this process has to wait on.
func replace(path string, args []string) (int, error) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt)
	defer signal.Stop(caught)
	process, err := os.StartProcess(path, args, &os.ProcAttr{Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}})
	if err != nil {
		return 0, err
	}
	state, err := process.Wait()
	if err != nil {
		return 0, err
	}
	return state.ExitCode(), nil
}
