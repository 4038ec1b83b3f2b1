//go:build unix

package safefile

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

const (
	noFollow = syscall.O_NOFOLLOW
	nonBlock = syscall.O_NONBLOCK
)

func owned(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// rootElsewhere reports whether root runs this process and another user owns the folder.
func rootElsewhere(info fs.FileInfo) bool { return os.Geteuid() == 0 && !owned(info) }

// ownerOf returns the name of a file's owner, or the number when there is no name; "" when info is nil.
func ownerOf(info fs.FileInfo) string {
	if info == nil {
		return ""
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	return nameOf(int(st.Uid))
}

// userName returns the name, or the number, of the user who runs this process.
func userName() string { return nameOf(os.Geteuid()) }

func nameOf(uid int) string {
	id := strconv.Itoa(uid)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return id
}

// access returns an error when nobody can create a file in dir: EACCES, ENOENT or EROFS, and none for a full disk.
func access(dir string) error { return syscall.Access(dir, 2|1) }

func writableByOthers(info fs.FileInfo) bool { return info.Mode().Perm()&0o022 != 0 }

// writableByAll reports whether anybody may exchange the files in a folder. In a sticky folder only their owners may.
func writableByAll(info fs.FileInfo) bool {
	return info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0
}

func flock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR) {
		return ErrBusy
	}
	return err
}

func funlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }

func syncDir(path string) {
	d, err := os.Open(path)
	if err != nil {
		return
	}
	d.Sync()
	d.Close()
}

func inUse(error) bool { return false } // an open file can be replaced

func diskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

func readOnly(err error) bool  { return errors.Is(err, syscall.EROFS) }
func notFolder(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

func number(info fs.FileInfo) uint64 {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0
	}
	return uint64(st.Ino)
}

func tooManyOpen(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}
func broken(err error) bool { return errors.Is(err, syscall.EIO) }
