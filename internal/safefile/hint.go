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

// hintDenied returns the hint for a file or folder that the person may not read or write.
func hintDenied(err error) string {
	var at *fs.PathError
	if !errors.As(err, &at) || !filepath.IsAbs(at.Path) {
		return "see that the folder is yours to write to"
	}
	return hintForeign(at.Path)
}

// hintForeign returns the hint for a file or folder that may belong to another user.
func hintForeign(path string) string {
	at, info := nearest(path)
	owner := ownerOf(info)
	if owner == "" || owner == userName() {
		return "see whose it is, and who may do what: ls -ld " + ShellWord(at)
	}
	store, ours := ownFolder(at)
	switch {
	case userName() == "root":
		return "it belongs to " + owner + ": run memento as that user: sudo -u " + ShellWord(owner) +
			" -H memento doctor"
	case ours: // memento created it when that user ran memento
		return "it belongs to " + owner + ": make it yours: sudo chown -R " + ShellWord(userName()) + " " +
			ShellWord(store)
	}
	return "it belongs to " + owner + ": run memento as that user, or set HOME to a folder of yours: ls -ld " +
		ShellWord(at)
}

// ownFolder returns memento's folder when path is that folder or in it.
func ownFolder(path string) (string, bool) {
	for p := path; filepath.Dir(p) != p; p = filepath.Dir(p) {
		if filepath.Base(p) == ".memento" {
			return p, true
		}
	}
	return "", false
}

// InPlace returns the hint for another thing at the path of a file or folder of memento's.
func InPlace(path string) string {
	at, info := nearest(path)
	switch owner := ownerOf(info); {
	case info == nil:
		return "see what is there: ls -ld " + ShellWord(at)
	case owner != "" && owner != userName():
		return hintForeign(at)
	case at != path || !info.IsDir() && !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0:
		return hintHome(at)
	}
	return "look at what it is, then remove or rename it: mv " + ShellWord(path) + " " + ShellWord(path+".old")
}

// hintHome returns the hint for a home folder that cannot be one. It does not suggest to move the thing at path, which
// may be the system's.
func hintHome(path string) string {
	return "set HOME, or CLAUDE_CONFIG_DIR, to a folder of yours: ls -ld " + ShellWord(path)
}

// hintNotFolder returns the hint for a file in the place of a folder.
func hintNotFolder(err error) string {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return ""
	}
	for path := filepath.Dir(at.Path); filepath.Dir(path) != path; path = filepath.Dir(path) {
		info, err := os.Stat(path)
		if err != nil || info.IsDir() {
			continue
		}
		if _, ours := ownFolder(path); ours || filepath.Base(path) == ".claude" {
			return "a folder has to be there, and it is a file: mv " + ShellWord(path) + " " + ShellWord(path+".old")
		}
		return "a folder has to be there, and it is none: " + hintHome(path)
	}
	return ""
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
	case errors.Is(err, fs.ErrPermission):
		return hintDenied(err), true
	case readOnly(err):
		return "see that the folder can be written to", true
	case notFolder(err):
		return hintNotFolder(err), false
	}
	return "", false
}
