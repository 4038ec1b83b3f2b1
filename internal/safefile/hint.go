package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// nearest returns path, or the nearest folder above it that exists and can be read, with its FileInfo; nil for none.
func nearest(path string) (string, fs.FileInfo) {
	for {
		info, err := os.Lstat(path)
		if err == nil {
			return path, info
		}
		if filepath.Dir(path) == path {
			return path, nil
		}
		path = filepath.Dir(path)
	}
}

// hintForeign returns the hint for a file or folder of another user, or that the person may not read or write.
func hintForeign(path string) string {
	at, info := nearest(path)
	owner := ownerOf(info)
	switch store := folderAbove(at, ".memento"); {
	case owner == "" || owner == userName():
		return "see whose it is, and who may do what: ls -ld " + ShellWord(at)
	case userName() == "root":
		return "it belongs to " + owner + ": run memento as that user: sudo -u " + ShellWord(owner) + " -H memento doctor"
	case store != "": // memento created it when that user ran memento
		return "it belongs to " + owner + ": make it yours: sudo chown -R " + ShellWord(userName()) + " " +
			ShellWord(store)
	}
	return "it belongs to " + owner + ": run memento as that user, or set HOME to a folder of yours: ls -ld " +
		ShellWord(at)
}

// folderAbove returns the folder whose name begins so, when path is that folder or in it, else "".
func folderAbove(path, name string) string {
	for ; filepath.Dir(path) != path; path = filepath.Dir(path) {
		if strings.HasPrefix(filepath.Base(path), name) {
			return path
		}
	}
	return ""
}

// InPlace returns the hint for another thing at the path of a file or folder of memento's or the client's. It does not
// suggest to move a thing elsewhere, which may be the system's.
func InPlace(path string) string {
	at, info := nearest(path)
	switch owner := ownerOf(info); {
	case owner != "" && owner != userName():
		return hintForeign(at)
	case folderAbove(at, ".memento") == "" && folderAbove(at, ".claude") == "":
		return "set HOME, or CLAUDE_CONFIG_DIR, to a folder of yours: ls -ld " + ShellWord(at)
	}
	return "look at what it is, then remove or rename it: mv " + ShellWord(at) + " " + ShellWord(at+".old")
}

// ShellWord returns a word quoted for a shell, where that is necessary.
func ShellWord(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./~@+,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Hint returns the hint for an error of this package, "" when a person can do nothing. It is for a change that was made
// whole or not at all: the hint says that nothing was changed.
func Hint(err error) string {
	step, failed := hint(err)
	if failed {
		step += "; nothing was changed"
	}
	return step
}

// Step is Hint for an operation that may have changed something, or that changes nothing at all.
func Step(err error) string {
	step, _ := hint(err)
	return step
}

// hint returns the hint, and whether the error is the disk's.
func hint(err error) (step string, failed bool) {
	var others *OthersError
	var at *fs.PathError
	named := errors.As(err, &at) && filepath.IsAbs(at.Path)
	switch {
	case errors.As(err, &others) && others.Shared:
		return "chmod go-w " + ShellWord(others.path), false
	case others != nil:
		return hintForeign(others.path), false
	case errors.Is(err, ErrRefused):
		return "memento doctor", false
	case errors.Is(err, ErrBusy):
		return "another memento is writing; run the command again", false
	case diskFull(err):
		return "make room on the disk, then run the command again", true
	case tooManyOpen(err):
		return "close some programs or raise the limit (ulimit -n), then run the command again", true
	case broken(err):
		return "the disk reported an error: see what the system log says of it, then run the command again", true
	case inUse(err):
		return "a program may have the file open: close it and run the command again, or see that the folder is yours to write to", true
	case errors.Is(err, fs.ErrPermission) && named:
		return hintForeign(at.Path), true
	case errors.Is(err, fs.ErrPermission), readOnly(err):
		return "see that the folder is yours to write to", true
	case notFolder(err) && named:
		return "a folder has to be there, and it is none: " + InPlace(at.Path), false
	}
	return "", false
}
