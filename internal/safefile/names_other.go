//go:build !linux

package safefile

import (
	"os"
	"runtime"
	"strings"
)

// Names calls f with each entry of the folder at path whose name ends in suffix, in no particular order. On Windows what a comparison
// needs of each file comes with its name.
func Names(path, suffix string, f func(Name)) error {
	if err := fault("list", path); err != nil {
		return err
	}
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
