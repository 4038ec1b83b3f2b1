package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Dir makes sure that path is a folder only its owner can write to, creating it (0700) with its parents when it is
// missing, and forcing the name of each to the disk. A symbolic link at path itself, another owner, or a folder that
// others may write to is ErrRefused, and so is one in a folder that everybody may write to; parents may be links. A
// parent that its group may write to is let pass: where each user has a group of their own, that is how the client
// makes it. Root makes none in another user's home, who could not use it: that is ErrRefused, too. A folder of another
// user in one of root's own is no home: a container has it from its host.
func Dir(path string) error {
	if err := fault("mkdir", path); err != nil {
		return err
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		above, in := nearest(path)
		if _, home := nearest(filepath.Dir(filepath.Dir(path))); in != nil && rootElsewhere(in) && rootElsewhere(home) {
			return &ForeignError{above}
		}
		if err := os.MkdirAll(path, 0o700); err != nil {
			return err
		}
		for made := path; made != above && made != filepath.Dir(made); made = filepath.Dir(made) {
			// else a power cut takes the folder, with all that was forced to the disk in it
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
		return &SharedError{filepath.Dir(path)}
	}
	return nil
}

// testOnlyForced, when set, is told of each folder that is forced to the disk because one was made in it.
var testOnlyForced func(path string)

// forceDir forces the names in the folder at path to the disk. Where a folder cannot be synced there is nothing to
// undo.
func forceDir(path string) {
	if testOnlyForced != nil {
		testOnlyForced(path)
	}
	syncDir(path)
}

// CheckDir is Dir for a folder that may be missing, which it leaves so.
func CheckDir(path string) error { return look(path, checkDir) }

func checkDir(path string, info fs.FileInfo) error {
	if err := plain(path, info, true); err != nil {
		return err
	}
	switch {
	case !owned(info):
		return &ForeignError{path}
	case writableByOthers(info):
		return &SharedError{path}
	}
	return nil
}

// plain refuses what is no folder, or no regular file where none is wanted: a link above all.
func plain(path string, info fs.FileInfo, folder bool) error {
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

// Check reports whether path may be read or replaced: nil when it is missing or a regular file of this user,
// ErrRefused otherwise, with the reason in words.
func Check(path string) error { return look(path, checkFile) }

// look has judge say what it makes of what stands at path, should anything do.
func look(path string, judge func(string, fs.FileInfo) error) error {
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
	if err := plain(path, info, false); err != nil {
		return err
	}
	if !owned(info) {
		return &ForeignError{path}
	}
	return nil
}

// Folder makes the folder at path when it is missing, as the user's own commands would: readable by whom the umask
// lets. It is for the client's folders and a project's; memento's own are Dir's. The parent must exist.
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

// Shared reports whether anybody else has any right to the folder at path, or its owner not all of them. A link,
// something other than a folder, or a folder of another user is ErrRefused; a missing one is nobody's.
func Shared(path string) (bool, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	var shared *SharedError
	if err := checkDir(path, info); err != nil && !errors.As(err, &shared) {
		return false, err
	}
	return modes && info.Mode().Perm() != 0o700, nil
}

// Private makes the folder at path its owner's alone. Errors as for Shared.
func Private(path string) error {
	if shared, err := Shared(path); err != nil || !shared {
		return err
	}
	if err := fault("chmod", path); err != nil {
		return err
	}
	return os.Chmod(path, 0o700)
}

// SharedFile reports whether anybody but the owner of the regular file at path has a right to it. A missing one is
// nobody's; a link, something irregular or another user's is ErrRefused.
func SharedFile(path string) (bool, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := checkFile(path, info); err != nil {
		return false, err
	}
	return modes && info.Mode().Perm()&0o077 != 0, nil
}

// PrivateFile takes from everybody but its owner every right to the file at path. Errors as for SharedFile.
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
