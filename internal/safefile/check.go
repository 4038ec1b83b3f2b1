package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Dir makes sure that path is a folder that only its owner can write to. It creates a missing folder (0700) with its
// parents, and forces the name of each to the disk. ErrRefused: a symbolic link at path, a folder of another owner, a
// folder that others may write to, and a folder within one that everybody may write to. Parents may be links, and a
// parent's group may write to it: the client makes such folders where each user has a group of their own. Root creates
// no folder in another user's home, since that user could not use it: that is ErrRefused too. Another user's folder
// within root's own is no home: a container has such folders from its host.
func Dir(path string) error {
	if err := fault("mkdir", path); err != nil {
		return err
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		above, in := nearest(path)
		if _, home := nearest(filepath.Dir(filepath.Dir(path))); in != nil && rootElsewhere(in) && rootElsewhere(home) {
			return refuseForeign(above)
		}
		if err := os.MkdirAll(path, 0o700); err != nil {
			return err
		}
		for made := path; made != above && made != filepath.Dir(made); made = filepath.Dir(made) {
			// else a power cut takes the folder, with every file that was forced to the disk in it
			forceDir(filepath.Dir(made))
		}
		info, err = os.Lstat(path)
	}
	if err != nil {
		return err
	}
	if err := checkDir(path, info); err != nil {
		return err
	}
	if in, err := os.Stat(filepath.Dir(path)); err == nil && writableByAll(in) {
		return refuseShared(filepath.Dir(path))
	}
	return nil
}

// testOnlyForced, when set, is called with each folder that is forced to the disk because it got a new folder.
var testOnlyForced func(path string)

// forceDir forces the names in the folder at path to the disk. It ignores an error, since there is nothing to undo.
func forceDir(path string) {
	if testOnlyForced != nil {
		testOnlyForced(path)
	}
	syncDir(path)
}

// CheckDir is Dir that does not create a missing folder.
func CheckDir(path string) error { return checkPath(path, checkDir) }

func checkDir(path string, info fs.FileInfo) error {
	if err := checkType(path, info, true); err != nil {
		return err
	}
	switch {
	case !owned(info):
		return refuseForeign(path)
	case writableByOthers(info):
		return refuseShared(path)
	}
	return nil
}

// checkType refuses anything but a folder, or anything but a regular file when folder is false.
func checkType(path string, info fs.FileInfo, folder bool) error {
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return refuse(path, "it is a symbolic link")
	case folder && !info.IsDir():
		return refuse(path, "it is not a folder")
	case !folder && !info.Mode().IsRegular():
		return refuse(path, "it is not a regular file")
	}
	return nil
}

// Check returns nil when memento may read or replace path: it is missing, or a regular file of this user. Else it
// returns ErrRefused, with the reason in words.
func Check(path string) error { return checkPath(path, checkFile) }

// checkPath returns the error of judge for the file or folder at path, nil when there is none.
func checkPath(path string, judge func(string, fs.FileInfo) error) error {
	if err := fault("stat", path); err != nil {
		return err
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return judge(path, info)
}

func checkFile(path string, info fs.FileInfo) error {
	if err := checkType(path, info, false); err != nil {
		return err
	}
	if !owned(info) {
		return refuseForeign(path)
	}
	return nil
}

// Folder creates the folder at path when it is missing, with the rights that the umask gives. It is for the client's
// and a project's folders; Dir creates memento's own. The parent must exist.
func Folder(path string) error {
	if err := fault("mkdir", path); err != nil {
		return err
	}
	err := os.Mkdir(path, 0o755)
	if err == nil {
		forceDir(filepath.Dir(path))
	}
	if info, serr := os.Stat(path); errors.Is(err, fs.ErrExist) && serr == nil && info.IsDir() {
		return nil
	}
	return err
}

// Shared reports whether others have any right to the folder at path, or its owner lacks one. A missing folder is not
// shared. ErrRefused: a link, anything but a folder, and a folder of another user.
func Shared(path string) (bool, error) {
	return hasOtherMode(path, 0o700, 0o777, func(path string, info fs.FileInfo) error {
		err := checkDir(path, info)
		if errors.As(err, new(*SharedError)) {
			return nil
		}
		return err
	})
}

// hasOtherMode reports whether the bits of mask in the mode of the file or folder at path differ from mode. It returns
// judge's error, and false for a missing path.
func hasOtherMode(path string, mode, mask fs.FileMode, judge func(string, fs.FileInfo) error) (bool, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = judge(path, info)
	}
	return err == nil && modes && info.Mode().Perm()&mask != mode, err
}

// Private takes every right to the folder at path from everybody but its owner. Errors: those of Shared, the system's.
func Private(path string) error {
	if shared, err := Shared(path); err != nil || !shared {
		return err
	}
	if err := fault("chmod", path); err != nil {
		return err
	}
	return os.Chmod(path, 0o700)
}

// SharedFile reports whether anybody but the owner has a right to the file at path. A missing file is not shared.
// ErrRefused: a link, anything but a regular file, and a file of another user.
func SharedFile(path string) (bool, error) { return hasOtherMode(path, 0, 0o077, checkFile) }

// PrivateFile takes every right to the file at path from everybody but its owner. Errors: those of SharedFile, the
// system's.
func PrivateFile(path string) error {
	if shared, err := SharedFile(path); err != nil || !shared {
		return err
	}
	if err := fault("chmod", path); err != nil {
		return err
	}
	f, err := open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Chmod(0o600)
}
