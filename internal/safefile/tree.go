package safefile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Tree is a folder that a person named, for reading, with files of any owner. Tree follows no link and reaches no file
// outside the folder, even if somebody exchanges files meanwhile. Names are relative to the folder, with slashes.
type Tree struct{ root *os.Root }

// OpenTree opens the folder at path. A link is ErrRefused: the person has to name the folder itself.
func OpenTree(path string) (*Tree, error) {
	info, err := try("open", path, os.Lstat)
	if err == nil {
		err = checkType(path, info, true)
	}
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	return &Tree{root}, err
}

// Close ends the reading.
func (t *Tree) Close() { _ = t.root.Close() } // nothing was written

// open opens the file or the folder called name. Errors: fs.ErrNotExist, ErrRefused (a link, a pipe), the disk's.
func (t *Tree) open(name string, folder bool) (*os.File, fs.FileInfo, error) {
	name = filepath.FromSlash(name)
	check := func(name string, info fs.FileInfo) error { return checkType(name, info, folder) }
	info, err := t.root.Lstat(name)
	if err == nil {
		err = check(name, info)
	}
	if err != nil {
		return nil, nil, err
	}
	return openChecked(name, check, func() (*os.File, error) { // it may have been exchanged
		return t.root.OpenFile(name, os.O_RDONLY|noFollow|nonBlock, 0)
	})
}

// List returns the entries of the folder called name ("." for the tree itself), sorted by name. It returns at most max
// entries, and ErrTooLarge when there are more. A link is ErrRefused.
func (t *Tree) List(name string, max int) ([]fs.DirEntry, error) {
	if err := fault("list", name); err != nil {
		return nil, err
	}
	f, _, err := t.open(name, true)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(max + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	if len(entries) > max {
		return entries[:max], fmt.Errorf("%s: %w: more than %d entries", name, ErrTooLarge, max)
	}
	return entries, nil
}

// Read returns the content of the regular file called name, and the time of its last change. Errors: fs.ErrNotExist,
// ErrRefused (a link, a pipe), ErrTooLarge, the disk's.
func (t *Tree) Read(name string, max int64) ([]byte, time.Time, error) {
	if err := fault("read", name); err != nil {
		return nil, time.Time{}, err
	}
	f, info, err := t.open(name, false)
	if err != nil {
		return nil, time.Time{}, err
	}
	defer f.Close()
	data, err := atMost(f, name, info.Size(), max)
	return data, info.ModTime(), err
}

// Create is Replace for a new file. When there is anything at path, even a link, it returns fs.ErrExist.
func Create(path string, data []byte, perm fs.FileMode) error {
	if _, err := os.Lstat(path); err == nil {
		return &fs.PathError{Op: "writing", Path: path, Err: fs.ErrExist}
	}
	return Replace(path, data, perm)
}
