package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/natefinch/atomic"
)

// Replace puts data in place of the file at path, with permissions perm: durable when it returns nil, and on any
// error the old content stands and nothing else is left in the folder. A link, a foreign or an irregular file at
// path is ErrRefused. The folder must exist.
func Replace(path string, data []byte, perm fs.FileMode) error {
	return writing(path, replace(path, data, perm, durable, nil))
}

// ReplaceOrdered is Replace for what can be made again: after a power cut the file is whole, but in the first seconds
// (until the file system writes its journal by itself) it may be the old one, or none where none was. It leaves out
// forcing the folder to the disk, a third of what Replace takes.
func ReplaceOrdered(path string, data []byte, perm fs.FileMode) error {
	return writing(path, replace(path, data, perm, ordered, nil))
}

// ReplaceVolatile is Replace for machinery that may be lost in a power cut: whole or not at all, but not forced to
// the disk, which costs a tenth of the time.
func ReplaceVolatile(path string, data []byte, perm fs.FileMode) error {
	return writing(path, replace(path, data, perm, volatile, nil))
}

// strength is what of a replacement a power cut leaves.
type strength int

const (
	volatile strength = iota // anything; that it is whole is only sure for who reads it before
	ordered                  // the old file or the new one, whole
	durable                  // the new one
)

// writing says which file was to be written, rather than which temporary one could not be.
func writing(path string, err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return &fs.PathError{Op: "writing", Path: path, Err: at.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: "writing", Path: path, Err: link.Err}
	}
	return err
}

// replace does last, unless nil, when data is on the disk and nothing has its name yet.
func replace(path string, data []byte, perm fs.FileMode, how strength, last func() error) (err error) {
	if err := Check(path); err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := fault("create", path); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, tempPrefix)
	if err != nil {
		return err
	}
	temp := f.Name()
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(temp)
		}
	}()
	if err := fault("write", path); err != nil {
		return err
	}
	if _, err := f.Write(data); err != nil {
		return err
	}
	if perm != 0o600 { // what CreateTemp gives
		if err := f.Chmod(perm); err != nil {
			return err
		}
	}
	if how != volatile {
		if err := fault("sync", path); err != nil {
			return err
		}
		if err := f.Sync(); err != nil {
			return err
		}
	}
	if last != nil {
		if err := last(); err != nil {
			return err
		}
	}
	if err := fault("close", path); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := patiently("rename", path, func() error { return atomic.ReplaceFile(temp, path) }); err != nil {
		return err
	}
	if how == durable {
		syncDir(dir) // the replacement stands; where a folder cannot be synced there is nothing to undo
	}
	return nil
}

// patiently does f, the operation op on path, again and again for a moment while the system says that another process
// has the file open: Windows then lets nobody put another in its place, be it that it is only read (seen under wine
// 8.0, where one of five writers at a time failed by the others' readers). Elsewhere it is done once.
func patiently(op, path string, f func() error) error {
	deadline := time.Now().Add(inUseWait)
	for pause := 500 * time.Microsecond; ; pause += pause / 2 {
		err := fault(op, path)
		if err == nil {
			err = f()
		}
		if err == nil || !inUse(err) && (testOnlyInUse == nil || !errors.Is(err, testOnlyInUse)) ||
			time.Now().After(deadline) {
			return err
		}
		time.Sleep(pause)
	}
}

// inUseWait is how long a file is waited for that another process has open.
const inUseWait = 250 * time.Millisecond

// testOnlyInUse is an error taken for the system's word that a file is open elsewhere.
var testOnlyInUse error
