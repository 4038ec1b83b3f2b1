package safefile

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/natefinch/atomic"
)

// Replace replaces the content of the file at path by data, with permissions perm. The new file survives a power cut
// once Replace returns nil. On any error the old content stays, and no other file in the folder. A link, a foreign or
// an irregular file at path is ErrRefused. The folder must exist.
func Replace(path string, data []byte, perm fs.FileMode) error {
	return replace([]string{path}, map[string][]byte{path: data}, perm, true)
}

// ReplaceVolatile is Replace for machinery that a power cut may take. It replaces the file whole or not at all, but
// does not force it to the disk. It takes a tenth of Replace's time.
func ReplaceVolatile(path string, data []byte, perm fs.FileMode) error {
	return replace([]string{path}, map[string][]byte{path: data}, perm, false)
}

// writing returns err with the path of the file that the caller wrote, instead of the temporary file's.
func writing(path string, err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return &fs.PathError{Op: "writing", Path: path, Err: at.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: "writing", Path: path, Err: link.Err}
	}
	return err
}

// manyOpen is how many files ReplaceAll holds open at once. Where a process may open 256, others are open, too.
const manyOpen = 128

// ReplaceAll is Replace for many files, by their paths, which waits for the disk a few times instead of for each file.
// On an error each file is whole, and some are new.
func ReplaceAll(files map[string][]byte, perm fs.FileMode) error {
	for paths := range slices.Chunk(slices.Sorted(maps.Keys(files)), manyOpen) {
		if err := replace(paths, files, perm, true); err != nil {
			return err
		}
	}
	return nil
}

// replace replaces files whose new content it holds open together, with force also if the power is cut.
func replace(paths []string, files map[string][]byte, perm fs.FileMode, force bool) (err error) {
	all := make([]replacement, len(paths))
	defer func() {
		for i := range all {
			all[i].drop()
		}
	}()
	for i, path := range paths {
		if all[i], err = begin(path, files[path], perm); err != nil {
			return writing(path, err)
		}
		if len(paths) > 1 {
			startSync(all[i].file)
		}
	}
	for i := range all {
		if !force {
			break
		}
		if err := forceFile(all[i].file, all[i].path); err != nil {
			return writing(all[i].path, err)
		}
	}
	dirs := map[string]bool{}
	for i := range all {
		if err := all[i].finish(); err != nil {
			return writing(all[i].path, err)
		}
		dirs[filepath.Dir(all[i].path)] = force
	}
	for dir, isForced := range dirs {
		if isForced {
			syncDir(dir) // on an error the new files stay, and there is nothing to undo
		}
	}
	return nil
}

// replacement is a temporary file with the new content of the file at path.
type replacement struct {
	path string
	file *os.File // nil when there is none, or none any more
}

// begin makes the temporary file with the content. The caller drops it, also on an error.
func begin(path string, data []byte, perm fs.FileMode) (r replacement, err error) {
	if err := Check(path); err != nil {
		return r, err
	}
	if err := fault("create", path); err != nil {
		return r, err
	}
	f, err := os.CreateTemp(filepath.Dir(path), tempPrefix)
	if err != nil {
		return r, err
	}
	r = replacement{path, f}
	if err := fault("write", path); err != nil {
		return r, err
	}
	if _, err := f.Write(data); err != nil {
		return r, err
	}
	if perm != 0o600 { // the permissions that CreateTemp gives
		err = f.Chmod(perm)
	}
	return r, err
}

// finish puts the file in its place.
func (r *replacement) finish() error {
	if err := fault("close", r.path); err != nil {
		return err
	}
	if err := r.file.Close(); err != nil {
		return err
	}
	err := patiently("rename", r.path, func() error { return atomic.ReplaceFile(r.file.Name(), r.path) })
	if err == nil {
		r.file = nil
	}
	return err
}

// drop removes the temporary file, if it is not in its place.
func (r *replacement) drop() {
	if r.file != nil {
		_ = r.file.Close() // finish may have done so
		_ = os.Remove(r.file.Name())
	}
}

// patiently calls f, the operation op on path, again while the system says that another process has the file open, for
// at most inUseWait. Windows lets nobody replace an open file, even one that is only read (seen under wine 8.0, where
// one of five concurrent writers failed because of readers). On other systems it calls f once.
func patiently(op, path string, f func() error) error {
	deadline := time.Now().Add(inUseWait)
	for pause := 500 * time.Microsecond; ; pause += pause / 2 {
		err := fault(op, path)
		if err == nil {
			err = f()
		}
		if err == nil || !inUse(err) && (testOnlyInUse == nil || !errors.Is(err, testOnlyInUse)) ||
			time.Now().After(deadline) {
			return err
		}
		time.Sleep(pause)
	}
}

// inUseWait is how long patiently waits for another process to close a file.
const inUseWait = 250 * time.Millisecond

// testOnlyInUse is an error that patiently takes for the system's error of an open file.
var testOnlyInUse error
