package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// LockIn is Lock for the file called name in dir, memento's folder, that many sessions change: it makes the folders,
// and takes state/NAME.lock.
func LockIn(dir, name string, wait time.Duration) (unlock func(), err error) {
	state := filepath.Join(dir, "state")
	for _, d := range [...]string{dir, state} {
		if err := Dir(d); err != nil {
			return nil, err
		}
	}
	return Lock(filepath.Join(state, name+".lock"), wait)
}

// Lock waits at most wait for the exclusive lock named by the file at path, which is created when missing, and
// returns the func that releases it. The lock belongs to the process: one that dies, however it dies, releases it,
// so nothing stale can stand in the way. Errors: ErrBusy after wait, ErrRefused, or what the disk said.
func Lock(path string, wait time.Duration) (unlock func(), err error) {
	return await(path, wait, tryLock)
}

// LockFolder is Lock for a folder that is there, and makes no file: for what is to leave no trace. Not every system and
// disk can lock a folder; the error is then what it said.
func LockFolder(path string, wait time.Duration) (unlock func(), err error) {
	return await(path, wait, func(path string) (*os.File, error) {
		if err := fault("lock", path); err != nil {
			return nil, err
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		if err := flock(f); err != nil {
			f.Close()
			return nil, err
		}
		return f, nil
	})
}

func await(path string, wait time.Duration, try func(path string) (*os.File, error)) (unlock func(), err error) {
	deadline := time.Now().Add(wait)
	for pause := 500 * time.Microsecond; ; {
		f, err := try(path)
		if err == nil {
			return func() { f.Close() }, nil // closing releases; an explicit unlock would add nothing
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

func tryLock(path string) (*os.File, error) {
	if err := fault("lock", path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|noFollow|nonBlock, 0o600)
	if err != nil {
		if info, lerr := os.Lstat(path); lerr == nil && !info.Mode().IsRegular() {
			return nil, refuse(path, "it is not a regular file")
		}
		return nil, err
	}
	if err = fault("flock", path); err == nil {
		err = flock(f)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	held, err := f.Stat()
	if err == nil {
		err = checkFile(path, held) // a pipe can be opened and locked too
	}
	if err == nil {
		var named fs.FileInfo
		if named, err = os.Lstat(path); err == nil && !os.SameFile(held, named) {
			err = ErrBusy // removed between open and lock: somebody else will make or has made a new one
		}
	}
	if err != nil {
		f.Close()
		if errors.Is(err, fs.ErrNotExist) {
			err = ErrBusy
		}
		return nil, err
	}
	return f, nil
}
