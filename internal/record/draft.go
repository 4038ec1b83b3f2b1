package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
)

// draftMark comes between the record's file name and a time in the name of a draft.
const draftMark = ".edited-"

// Draft writes the text of r to a new file in memento's folder, for a person to edit, and returns its path. Removing
// the record, or erasing words of it, removes the draft too. [Store.Replace] takes the edited text. Errors: safefile's;
// no file stays then.
func (s Store) Draft(r *Record) (path string, err error) {
	s.HandOut(r)
	stem := filepath.Join(s.Dir, r.ID+naming.Ending+draftMark+s.Now().UTC().Format("20060102T150405Z"))
	for n := 1; ; n++ {
		path = stem
		if n > 1 {
			path = fmt.Sprintf("%s-%d", stem, n)
		}
		err = safefile.Create(path, r.Bytes(), 0o600)
		if !errors.Is(err, fs.ErrExist) || n == 100 {
			return path, err
		}
	}
}

// RemoveDraft removes the file at path if it is a draft of the record with this id. Errors: safefile's.
func (s Store) RemoveDraft(id, path string) error {
	if filepath.Dir(path) != s.Dir || !strings.HasPrefix(filepath.Base(path), id+naming.Ending+draftMark) {
		return nil
	}
	return safefile.Remove(path)
}
