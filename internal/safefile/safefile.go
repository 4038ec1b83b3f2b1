// Package safefile is the only package that locks, writes, renames or removes a file, and the only one that opens a
// file at a path that another program could have prepared. The content of the files may not come in.
//
// Its rules: it refuses a symbolic link, a file of another owner and anything but a regular file, and neither follows
// nor replaces it. It replaces a file whole or not at all, and an acknowledged write survives a crash. On any error the
// old content stays and no temporary file does.
package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

var (
	// ErrRefused says that memento neither follows nor replaces the thing at a path.
	ErrRefused = errors.New("refused")
	// ErrBusy says that another process held the lock for the whole time that the caller waited.
	ErrBusy = errors.New("busy: another memento holds the lock")
	// ErrTooLarge says that a file is larger than the caller reads.
	ErrTooLarge = errors.New("too large")
)

// tempPrefix begins the name of every temporary file, so that Sweep recognises the files of killed processes.
const tempPrefix = ".memento-tmp-"

// Temporary reports whether name is the name of a temporary file. An old one belongs to a killed process.
func Temporary(name string) bool { return strings.HasPrefix(name, tempPrefix) }

// testOnlyFault, when set, is called before each file operation. The operation fails with the error it returns.
var testOnlyFault func(op, path string) error

// TestOnlyFault sets testOnlyFault for the tests of other packages; nil removes it.
func TestOnlyFault(f func(op, path string) error) { testOnlyFault = f }

// fault returns the error with which a test lets the operation op fail.
func fault(op, path string) error {
	if testOnlyFault == nil {
		return nil
	}
	if err := testOnlyFault(op, path); err != nil {
		return &fs.PathError{Op: op, Path: path, Err: err}
	}
	return nil
}

// try returns what do returns for path, unless a test lets the operation op fail.
func try[T any](op, path string, do func(path string) (T, error)) (out T, err error) {
	if err = fault(op, path); err == nil {
		out, err = do(path)
	}
	return out, err
}

// Unreadable reports whether err is the disk's or the system's. Then nobody knows the content of the file, and the next
// try may succeed. A missing, refused or too large file is not unreadable.
func Unreadable(err error) bool {
	return err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrRefused) &&
		!errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrBusy)
}

func refuse(path, why string) error { return fmt.Errorf("%s: %w: %s", path, ErrRefused, why) }

// OthersError is ErrRefused because of other users: the thing is theirs, or they may exchange the files in the folder.
type OthersError struct {
	path   string
	Shared bool
}

func refuseShared(path string) error  { return &OthersError{path, true} }
func refuseForeign(path string) error { return &OthersError{path, false} }

func (e *OthersError) Unwrap() error { return ErrRefused }
func (e *OthersError) Error() string {
	if e.Shared {
		return e.path + ": refused: other users may write to it"
	}
	return e.path + ": refused: it belongs to another user"
}

// SetAside renames the file at path to path.label-<time> and returns the new name. It never overwrites a file.
func SetAside(path, label string, now time.Time) (string, error) {
	stem := path + "." + label + "-" + now.UTC().Format("20060102T150405Z")
	for n, name := 1, stem; ; n++ {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, patiently("rename", path, func() error { return os.Rename(path, name) })
		} else if err != nil || n > 99 {
			return "", fmt.Errorf("%s: no free name to set it aside", path)
		}
		name = fmt.Sprintf("%s-%d", stem, n)
	}
}

// Move renames a file within memento's folder. Errors: ErrRefused, fs.ErrExist for a file at to, the system's.
func Move(from, to string) error { return move(from, to, Check) }

// MoveFolder is Move for a folder, whose new name it forces to the disk.
func MoveFolder(from, to string) error {
	err := move(from, to, CheckDir)
	if err == nil {
		syncDir(filepath.Dir(to)) // on an error the folder has its new name, and there is nothing to undo
	}
	return err
}

func move(from, to string, check func(path string) error) error {
	if err := check(from); err != nil {
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s: %w", to, fs.ErrExist)
	}
	return patiently("rename", to, func() error { return os.Rename(from, to) })
}

// Remove removes the file at path. Of a link it removes the link. A missing file is no error.
func Remove(path string) error {
	err := patiently("remove", path, func() error { return os.Remove(path) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
