package exchange

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

// ErrNoFolder: a file is in the place of a folder.
var ErrNoFolder = errors.New("it is a file, and a folder is expected")

// ErrForeign: the file was not written by memento.
var ErrForeign = errors.New("it was not written by memento, and stays")

// Write writes files into dir. It overwrites no file. It returns the paths that it wrote and the files that existed
// before. It ends at the first error; files written until then stay.
func Write(dir string, files []File) (wrote []string, left []Omission, err error) {
	for _, f := range files {
		at := filepath.Join(dir, filepath.FromSlash(f.Path))
		err := openFolder(dir)
		if err == nil {
			err = openFolder(filepath.Dir(at))
		}
		if err == nil {
			err = safefile.Create(at, f.Data, 0o600)
		}
		switch {
		case err == nil:
			wrote = append(wrote, at)
		case errors.Is(err, fs.ErrExist):
			why := "it is there already, and stays"
			if old, err := safefile.Read(at, int64(len(f.Data))+1); err == nil && bytes.Equal(old, f.Data) {
				why = "the same file is there already"
			}
			left = append(left, Omission{Path: at, Why: why})
		default:
			return wrote, left, err
		}
	}
	return wrote, left, nil
}

// openFolder makes a folder to write into, unless it exists. It refuses a link.
func openFolder(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return safefile.Folder(dir)
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s: %w: it is a symbolic link: name its target", dir, safefile.ErrRefused)
	case !info.IsDir():
		return fmt.Errorf("%s: %w", dir, ErrNoFolder)
	}
	return nil
}

// WithoutUnasked removes records of the kinds that memento writes without being asked.
func WithoutUnasked(records []*record.Record) []*record.Record {
	return slices.DeleteFunc(records, func(r *record.Record) bool {
		k, _ := schema.Named(r.Kind)
		return k.Unasked
	})
}

// HasIndex reports whether memento wrote .claude/mementos.md in the project at root.
func HasIndex(root string) bool {
	data, err := safefile.Read(indexPath(root), maxIndex)
	return err == nil && isIndex(data)
}

const maxIndex = 16 << 20 // bytes

func indexPath(root string) string { return filepath.Join(root, ".claude", "mementos.md") }

func isIndex(data []byte) bool {
	return bytes.HasPrefix(bytes.TrimPrefix(data, []byte("\ufeff")), []byte(IndexHeader))
}

// WriteIndex writes list to .claude/mementos.md in the project at root, unless the file holds it already. A file that
// memento did not write is ErrForeign, and stays.
func WriteIndex(root string, list []byte) (path string, changed bool, err error) {
	path = indexPath(root)
	if err := openFolder(filepath.Dir(path)); err != nil {
		return path, false, err
	}
	old, err := safefile.Read(path, maxIndex)
	switch {
	case err == nil && !isIndex(old):
		return path, false, fmt.Errorf("%s: %w", path, ErrForeign)
	case err == nil && bytes.Equal(bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")), list):
		return path, false, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return path, false, err
	}
	return path, true, safefile.Replace(path, list, 0o644)
}
