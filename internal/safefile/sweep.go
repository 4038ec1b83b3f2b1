package safefile

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// scratchPrefix starts the name of a folder that Scratch makes; it is temporary, too.
const scratchPrefix = tempPrefix + "scratch-"

// Scratch makes a new folder of its own in the folder dir, "" for the system's temporary folder, and returns it with
// the func that removes it and all it holds.
func Scratch(dir string) (scratch string, remove func(), err error) {
	scratch, err = os.MkdirTemp(dir, scratchPrefix)
	if err != nil {
		return "", nil, err
	}
	return scratch, func() { os.RemoveAll(scratch) }, nil
}

// Leftover lists the temporary files and folders in dir that are older than age: what a killed process left behind.
// What cannot be listed has none.
func Leftover(dir string, age time.Duration, now time.Time) (paths []string) {
	var names []string
	// of a folder with thousands of records a sorted list takes three times as long
	err := Names(dir, "", func(n Name) {
		if Temporary(n.Name) {
			names = append(names, n.Name)
		}
	})
	if err != nil {
		return nil
	}
	slices.Sort(names)
	for _, name := range names {
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err == nil && now.Sub(info.ModTime()) > age &&
			(info.Mode().IsRegular() || info.IsDir() && strings.HasPrefix(name, scratchPrefix)) {
			paths = append(paths, path)
		}
	}
	return paths
}

// Sweep removes what Leftover lists.
func Sweep(dir string, age time.Duration, now time.Time) {
	for _, path := range Leftover(dir, age, now) {
		os.RemoveAll(path)
	}
}

// RemoveTree removes the folder at path and all it holds, of a link only the link. A missing one is no error.
func RemoveTree(path string) error {
	if err := fault("remove", path); err != nil {
		return err
	}
	return os.RemoveAll(path)
}

// probed is how many bytes Probe writes: more than a journal has.
const probed = 64 << 10

// Probe reports why nothing could be kept in dir, by writing a file, forcing it to the disk and removing it; nil when
// it can.
func Probe(dir string) error {
	if err := fault("create", dir); err != nil {
		return writing(dir, err)
	}
	f, err := os.CreateTemp(dir, tempPrefix)
	if err != nil {
		return writing(dir, err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if err = fault("write", dir); err == nil {
		_, err = f.Write(make([]byte, probed))
	}
	if err == nil {
		err = f.Sync()
	}
	return writing(dir, err)
}

// Writable reports why no file can be made in dir, as far as the system tells without making one.
func Writable(dir string) error {
	if err := fault("access", dir); err != nil {
		return err
	}
	if err := access(dir); err != nil {
		return &fs.PathError{Op: "access", Path: dir, Err: err}
	}
	return nil
}
