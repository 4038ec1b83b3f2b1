package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Cache is the name of the folder, in memento's folder, of all that is made again when somebody deletes it. No lock is
// in it, so that it can be deleted at any moment.
const Cache = "cache"

// Locks is the name of the folder of locks, in memento's folder.
const Locks = "locks"

// LockPath returns the path of the lock called name in dir, memento's folder.
func LockPath(dir, name string) string { return filepath.Join(dir, Locks, name+".lock") }

// LockIn is Lock for LockPath. It creates the folders.
func LockIn(dir, name string, wait time.Duration) (unlock func(), err error) {
	path := LockPath(dir, name)
	for _, d := range [...]string{dir, filepath.Dir(path)} {
		if err := Dir(d); err != nil {
			return nil, err
		}
	}
	return Lock(path, wait)
}

// Lock waits at most wait for the exclusive lock of the file at path, and returns a function that releases the lock. It
// creates a missing file. The system releases the lock when the process ends in any way, so no stale lock stays.
// Errors: ErrBusy after wait, ErrRefused, the disk's.
func Lock(path string, wait time.Duration) (unlock func(), err error) {
	deadline := time.Now().Add(wait)
	for pause := 500 * time.Microsecond; ; {
		f, err := tryLock(path)
		if err == nil {
			return func() {
				funlock(f) // a child that another goroutine forks just now keeps the file open
				f.Close()
			}, nil
		}
		if !errors.Is(err, ErrBusy) {
			return nil, err
		}
		left := time.Until(deadline)
		if left <= 0 {
			return nil, fmt.Errorf("%s: %w", path, ErrBusy)
		}
		time.Sleep(min(pause, left))
		if pause < 8*time.Millisecond {
			pause += pause / 2
		}
	}
}

// tryLock locks the file at path, or returns ErrBusy at once.
func tryLock(path string) (*os.File, error) {
	f, err := try("lock", path, func(path string) (*os.File, error) {
		return os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow|nonBlock, 0o600)
	})
	if err != nil {
		if info, lerr := os.Lstat(path); lerr == nil && !info.Mode().IsRegular() {
			return nil, refuse(path, "it is not a regular file")
		}
		return nil, err
	}
	if err = fault("flock", path); err == nil {
		err = flock(f)
	}
	var held, named fs.FileInfo
	if err == nil {
		held, err = f.Stat()
	}
	if err == nil {
		err = checkFile(path, held) // a pipe can be opened and locked too
	}
	if err == nil {
		named, err = os.Lstat(path)
	}
	switch {
	case err == nil && os.SameFile(held, named):
		return f, nil
	case err == nil, errors.Is(err, fs.ErrNotExist):
		err = ErrBusy // removed between open and lock: another process makes a new file
	}
	f.Close()
	return nil, err
}
