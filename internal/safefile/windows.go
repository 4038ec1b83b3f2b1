//go:build windows

package safefile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"unsafe"
)

// Windows has no such flags; only Lstat finds a link. Locks and Replace were tested under wine 8.0 alone.
const (
	noFollow = 0
	nonBlock = 0
)

func owned(fs.FileInfo) bool            { return true } // the folder's access list decides
func writableByOthers(fs.FileInfo) bool { return false }
func writableByAll(fs.FileInfo) bool    { return false }
func syncDir(string)                    {}

const (
	lockExclusive   = 0x2
	lockImmediately = 0x1
	errLockViolated = syscall.Errno(33)
)

func flock(f *os.File) error {
	call := syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")
	var at syscall.Overlapped
	ok, _, err := call.Call(f.Fd(), lockExclusive|lockImmediately, 0, 1, 0, uintptr(unsafe.Pointer(&at)))
	if ok != 0 {
		return nil
	}
	if err == errLockViolated || err == syscall.ERROR_IO_PENDING {
		return ErrBusy
	}
	return err
}

func funlock(*os.File) {} // a child inherits no file here

// inUse reports whether another process may have the file open: ERROR_ACCESS_DENIED or ERROR_SHARING_VIOLATION. Windows
// gives the first one also for a file without write permission.
func inUse(err error) bool {
	return errors.Is(err, syscall.ERROR_ACCESS_DENIED) || errors.Is(err, syscall.Errno(32))
}

func diskFull(err error) bool { return errors.Is(err, syscall.Errno(112)) } // ERROR_DISK_FULL
func readOnly(err error) bool { return errors.Is(err, syscall.Errno(19)) }  // ERROR_WRITE_PROTECT

// Windows gives the error of a missing file for a file in the place of a folder.
func notFolder(error) bool { return false }

// os.Stat has no number of a file
func number(fs.FileInfo) uint64 { return 0 }

func tooManyOpen(err error) bool { return errors.Is(err, syscall.Errno(4)) }  // ERROR_TOO_MANY_OPEN_FILES
func broken(err error) bool      { return errors.Is(err, syscall.Errno(23)) } // ERROR_CRC

func rootElsewhere(fs.FileInfo) bool { return false }

func ownerOf(fs.FileInfo) string { return "" }

func userName() string { return "" }

func access(dir string) error {
	_, err := os.Stat(dir)
	return err
}
