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

// StepError is an error with a step that helps.
type StepError struct {
	Err  error
	Step string
}

func (e *StepError) Error() string { return e.Err.Error() }

func (e *StepError) Unwrap() error { return e.Err }

// Write writes files into dir. It overwrites no file. It returns the paths that it wrote and the files that existed
// before. It ends at the first error; files written until then stay.
func Write(dir string, files []File) (wrote []string, left []Omission, err error) {
	folders := map[string]error{}
	for _, f := range files {
		at := filepath.Join(dir, filepath.FromSlash(f.Path))
		in := filepath.Dir(at)
		err, known := folders[in]
		if !known {
			err = openFolder(dir)
			if err == nil && in != dir {
				err = openFolder(in)
			}
			folders[in] = err
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

// openFolder makes a folder to write into, unless it exists. It refuses a link. The error is a StepError where a step
// is known.
func openFolder(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		return &StepError{fmt.Errorf("%s: %w: it is a symbolic link", dir, safefile.ErrRefused),
			"name the link's target"}
	case err == nil && !info.IsDir():
		const step = "name a folder, or a file that is not there yet with --format json"
		return &StepError{fmt.Errorf("%s: %w", dir, ErrNoFolder), step}
	}
	if err = safefile.Folder(dir); errors.Is(err, fs.ErrNotExist) {
		step := "mkdir -p " + safefile.ShellWord(filepath.Dir(dir))
		if !filepath.IsAbs(dir) {
			step = "cd into a folder that is there: this one was removed"
		}
		return &StepError{err, step}
	}
	return err
}

// WithoutUnasked removes records of the kinds that memento writes without being asked.
func WithoutUnasked(records []*record.Record) []*record.Record {
	return slices.DeleteFunc(records, func(r *record.Record) bool {
		k, _ := schema.Named(r.Kind)
		return k.Unasked
	})
}

// WriteIndex writes list to .claude/mementos.md in the project at root, unless the file holds it already. A file that
// memento did not write stays; the error is a StepError then.
func WriteIndex(root string, list []byte) (path string, changed bool, err error) {
	dir := filepath.Join(root, ".claude")
	path = filepath.Join(dir, "mementos.md")
	if err := openFolder(dir); errors.Is(err, ErrNoFolder) { // the list has only this place
		return path, false, &StepError{err, safefile.InPlace(dir)}
	} else if err != nil {
		return path, false, err
	}
	old, err := safefile.Read(path, 16<<20)
	switch {
	case err == nil && !bytes.HasPrefix(bytes.TrimPrefix(old, []byte("\ufeff")), []byte(IndexHeader)):
		const step = "move it away, or see the list with memento export --index --to -"
		return path, false, &StepError{fmt.Errorf("%s was not written by memento, and stays", path), step}
	case err == nil && bytes.Equal(bytes.ReplaceAll(old, []byte("\r\n"), []byte("\n")), list):
		return path, false, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return path, false, err
	}
	return path, true, safefile.Replace(path, list, 0o644)
}
