package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Dir makes sure that path is a folder that only its owner can write to. It creates a missing folder (0700) with its
// parents, and forces the name of each to the disk, but for those in the folder Cache. ErrRefused: a symbolic link at
// path, a folder of another owner, a folder that others may write to, and a folder within one that everybody may write
// to. Parents may be links, and a parent's group may write to it: the client makes such folders where each user has a
// group of their own. Root creates no folder in another user's home, since that user could not use it: that is
// ErrRefused too. Another user's folder within root's own is no home: a container has such folders from its host.
func Dir(path string) error {
	info, err := try("mkdir", path, os.Lstat)
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
			if filepath.Base(filepath.Dir(made)) != Cache {
				forceDir(filepath.Dir(made))
			}
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

// forceDir forces the names in the folder at path to the disk. It ignores an error, since there is nothing to undo.
func forceDir(path string) {
	if fault("force", path) == nil {
		syncDir(path)
	}
}

// CheckDir is Dir that does not create a missing folder.
func CheckDir(path string) error { return checkPath(path, checkDir) }

func checkDir(path string, info fs.FileInfo) error {
	err := checkOwn(path, info, true)
	if err == nil && writableByOthers(info) {
		err = refuseShared(path)
	}
	return err
}

func checkFile(path string, info fs.FileInfo) error { return checkOwn(path, info, false) }

func checkFileType(path string, info fs.FileInfo) error { return checkType(path, info, false) }

// checkOwn refuses anything but a folder of this user's, or anything but a regular file when folder is false.
func checkOwn(path string, info fs.FileInfo, folder bool) error {
	err := checkType(path, info, folder)
	if err == nil && !owned(info) {
		err = refuseForeign(path)
	}
	return err
}

// checkType is checkOwn for anybody's folder or file.
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
	info, err := try("stat", path, os.Lstat)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return judge(path, info)
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
