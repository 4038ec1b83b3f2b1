package launch

import "syscall"

// detached puts a process into a process group of its own, without a console.
func detached() *syscall.SysProcAttr {
	const detachedProcess = 0x8
	return &syscall.SysProcAttr{CreationFlags: detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

// keepFiles does nothing: Go lets a program inherit only the files that it names.
func keepFiles() {}
