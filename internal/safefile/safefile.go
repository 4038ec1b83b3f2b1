// Package safefile is the only package that locks, writes, renames or removes a file, and the only one that opens
// files at places another program could have prepared. It knows nothing of what the files hold.
//
// The rules it keeps: a symbolic link, a file of another owner and anything but a regular file are refused, never
// followed and never replaced; a file is replaced whole or not at all, and what was acknowledged survives a crash;
// on any error the old content stands and no temporary file stays.
package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"
)

var (
	// ErrRefused is the reason when something stands in a file's place that memento neither follows nor replaces.
	ErrRefused = errors.New("refused")
	// ErrBusy is the reason when another process kept the lock for the whole time allowed.
	ErrBusy = errors.New("busy: another memento holds the lock")
	// ErrTooLarge is the reason when a file is larger than the caller reads.
	ErrTooLarge = errors.New("too large")
)

// tempPrefix starts the name of every temporary file, so that Sweep can tell one that a killed process left.
const tempPrefix = ".memento-tmp-"

// Temporary reports whether a file of this name in memento's folder was being written when its process was killed.
func Temporary(name string) bool { return strings.HasPrefix(name, tempPrefix) }

// testOnlyFault, when set, is asked before each file operation and may return the error to fail it with.
var testOnlyFault func(op, path string) error

// TestOnlyFault sets what fails in this package, for the tests of others; nil ends it.
func TestOnlyFault(f func(op, path string) error) { testOnlyFault = f }

func fault(op, path string) error {
	if testOnlyFault == nil {
		return nil
	}
	if err := testOnlyFault(op, path); err != nil {
		return &fs.PathError{Op: op, Path: path, Err: err}
	}
	return nil
}

// Unreadable reports whether err is the disk's or the system's: what stands in the file is not known then, and may be
// there at the next try. A missing, refused or too large file is none.
func Unreadable(err error) bool {
	return err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrRefused) &&
		!errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrBusy)
}

func refuse(path, why string) error { return fmt.Errorf("%s: %w: %s", path, ErrRefused, why) }

// SharedError is ErrRefused of a folder that others may write to: they could put theirs in the place of what stands in
// it.
type SharedError struct{ Path string }

func (e *SharedError) Error() string { return e.Path + ": refused: other users may write to it" }
func (e *SharedError) Unwrap() error { return ErrRefused }

// ForeignError is ErrRefused of what belongs to another user.
type ForeignError struct{ Path string }

func (e *ForeignError) Error() string { return e.Path + ": refused: it belongs to another user" }
func (e *ForeignError) Unwrap() error { return ErrRefused }

// SetAside renames the file at path to path.label-<time> and returns the new name. An existing file is never
// overwritten.
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

// Move renames a file within memento's folder, refusing when something stands at the new name.
func Move(from, to string) error {
	if err := Check(from); err != nil {
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("%s: %w", to, fs.ErrExist)
	}
	return patiently("rename", to, func() error { return os.Rename(from, to) })
}

// Remove removes the file at path, a link itself and never what it points to. A missing file is no error.
func Remove(path string) error {
	err := patiently("remove", path, func() error { return os.Remove(path) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Touch says of the file at path that it was changed at this time, and changes nothing in it. Errors: fs.ErrNotExist,
// ErrRefused, or what the system said.
func Touch(path string, at time.Time) error {
	if err := Check(path); err != nil {
		return err
	}
	if err := fault("touch", path); err != nil {
		return err
	}
	return os.Chtimes(path, time.Time{}, at)
}
