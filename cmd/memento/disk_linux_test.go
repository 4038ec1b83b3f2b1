package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
)

// smallDisk mounts a new file system at dir; it belongs to the user uid. Only this test and the processes that it
// starts see the file system: it is in the thread's own namespace, and the thread ends with the test. So nothing stays
// mounted when somebody kills the test.
func smallDisk(t *testing.T, dir, size string, uid int) {
	t.Helper()
	runtime.LockOSThread()
	id := strconv.Itoa(uid)
	err := errors.Join(syscall.Unshare(syscall.CLONE_NEWNS),
		syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""),
		syscall.Mount("memento-test", dir, "tmpfs", 0, size+",mode=700,uid="+id+",gid="+id))
	if err != nil {
		t.Skip("no file system can be mounted here: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
}

// fill uses all space on the disk of dir.
func fill(t *testing.T, dir string) {
	t.Helper()
	f, err := os.Create(filepath.Join(dir, "filler"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 64 << 10; size > 0; {
		if _, err := f.Write(make([]byte, size)); errors.Is(err, syscall.ENOSPC) {
			size /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
