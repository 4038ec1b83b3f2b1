package safefile

import (
	"os"
	"slices"
	"strings"
)

// Stamp identifies a version of a file.
type Stamp struct {
	Size int64
	Time int64 // of the last change, nanoseconds since 1970
	// Number is the file's number in its file system, 0 without one. A file that replaces another has a new one.
	Number uint64
}

// Stat returns the stamp of the file, the folder or the link at path.
func Stat(path string) (Stamp, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return Stamp{}, err
	}
	return Stamp{Size: info.Size(), Time: info.ModTime().UnixNano(), Number: number(info)}, nil
}

// Names returns the names in the folder at path that end in suffix, in no particular order. It opens no file.
func Names(path, suffix string) ([]string, error) {
	folder, err := try("list", path, os.Open)
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	names, err := folder.Readdirnames(-1)
	return slices.DeleteFunc(names, func(name string) bool { return !strings.HasSuffix(name, suffix) }), err
}
