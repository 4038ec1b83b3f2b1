//go:build !linux

package safefile

import (
	"io/fs"
	"os"
	"runtime"
	"strings"
)

// Stat returns the size, the time of the last change and the number of the file or the link at path. The number is 0
// where the system has none.
func Stat(path string) (Name, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return Name{}, err
	}
	return seen(info), nil
}

func eachName(path, suffix string, f func(Name)) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), suffix) {
			continue
		}
		n := Name{Name: e.Name()}
		if runtime.GOOS == "windows" {
			if info, err := e.Info(); err == nil {
				n = seen(info)
			}
		}
		f(n)
	}
	return nil
}

func seen(info fs.FileInfo) Name {
	return Name{Name: info.Name(), Number: number(info), Seen: true, Size: info.Size(), Time: info.ModTime().UnixNano()}
}
