package safefile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// scratchPrefix begins the name of a folder that Scratch makes. The folder is temporary too.
const scratchPrefix = tempPrefix + "scratch-"

// Scratch makes a new folder in the folder dir, "" for the system's temporary folder. It returns the folder and a
// function that removes the folder with all its files.
func Scratch(dir string) (scratch string, remove func(), err error) {
	scratch, err = os.MkdirTemp(dir, scratchPrefix)
	if err != nil {
		return "", nil, err
	}
	return scratch, func() { os.RemoveAll(scratch) }, nil
}

// Sweep removes the temporary files and folders in dir that are older than age: killed processes left them behind. It
// leaves what it cannot read or remove.
func Sweep(dir string, age time.Duration, now time.Time) {
	names, _ := Names(dir, "")
	for _, name := range names {
		path := filepath.Join(dir, name)
		if !Temporary(name) {
			continue
		}
		if info, err := os.Lstat(path); err == nil && now.Sub(info.ModTime()) > age &&
			(info.Mode().IsRegular() || info.IsDir() && strings.HasPrefix(name, scratchPrefix)) {
			os.RemoveAll(path)
		}
	}
}

// RemoveTree removes the folder at path with everything in it. Of a link it removes the link. A missing folder is no
// error. Others may write into the folder meanwhile.
func RemoveTree(path string) error {
	if err := fault("remove", path); err != nil {
		return err
	}
	for try := 0; ; try++ {
		if err := os.RemoveAll(path); err == nil || try == 5 {
			return err
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// probed is how many bytes Probe writes: more than the size of a journal.
const probed = 64 << 10

// Probe returns an error when memento cannot write in dir. It writes a file, forces it to the disk and removes it.
func Probe(dir string) error {
	r, err := begin(filepath.Join(dir, "probe"), make([]byte, probed), 0o600)
	defer r.drop()
	if err == nil {
		err = forceFile(r.file, dir)
	}
	return writing(dir, err)
}

// Writable returns an error when the system says that nobody can create a file in dir. Where it says that there is no
// room, though root may have room kept for it, the answer is that of full: Probe, or a function that writes nothing.
func Writable(dir string, full func(dir string) error) error {
	if err := fault("access", dir); err != nil {
		return err
	}
	if err := access(dir); err != nil {
		return &fs.PathError{Op: "access", Path: dir, Err: err}
	}
	if lacksRoom(dir) {
		return full(dir)
	}
	return nil
}
