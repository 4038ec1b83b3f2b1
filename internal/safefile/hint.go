package safefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// theirs is what a person does about a file or folder that is not theirs to read, or to write to.
func theirs(err error) string {
	var at *fs.PathError
	if !errors.As(err, &at) || !filepath.IsAbs(at.Path) {
		return "see that the folder is yours to write to"
	}
	path := at.Path
	for { // what is there, or that nobody may look into, is the nearest that can be looked at
		_, err := os.Lstat(path)
		if err == nil || filepath.Dir(path) == path {
			break
		}
		path = filepath.Dir(path)
	}
	return "see whose it is, and who may do what: ls -ld " + ShellWord(path)
}

// inTheWay is what a person does about a file that stands where a folder has to be.
func inTheWay(err error) string {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return ""
	}
	for path := filepath.Dir(at.Path); filepath.Dir(path) != path; path = filepath.Dir(path) {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return "a folder has to be there, and it is a file: mv " + ShellWord(path) + " " + ShellWord(path+".old")
		}
	}
	return ""
}

// ShellWord is a path, or another word, as a person pastes it into a shell.
func ShellWord(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./~@+,") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
