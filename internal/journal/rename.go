package journal

import (
	"errors"
	"io/fs"
	"os"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// maxRenamed is how large a journal may be that gets another name, in bytes.
const maxRenamed = 64 << 20

// Rename makes the lane from the lane to: its journal, which says then what its project is called, its history, and
// the note of it. The journal goes first, since it is what a session that begins looks for. The caller holds the
// locks of both lanes. Errors: safefile's, fs.ErrExist when to has a journal; each file stands under the one name or
// the other then, and the same again goes on.
func Rename(from, to project.Lane) error {
	if err := move(from.Journal(), to.Journal()); err != nil {
		return err
	}
	if err := renameProject(to.Journal(), from.Slug, to.Slug); err != nil {
		return err
	}
	if err := history.Move(from.History(), to.History()); err != nil {
		return err
	}
	err := move(from.Note(), to.Note())
	if errors.Is(err, fs.ErrExist) { // of a session that began since
		err = safefile.Remove(from.Note())
	}
	return err
}

// move is safefile.Move, to which a missing file is no error.
func move(from, to string) error {
	if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := safefile.Move(from, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// renameProject puts the new name in the journal at path; one that cannot be read stays as it is.
func renameProject(path, from, to string) error {
	data, err := safefile.Read(path, maxRenamed)
	if safefile.Unreadable(err) {
		return err
	}
	if err != nil || !gjson.ValidBytes(data) || gjson.GetBytes(data, "project").String() != from {
		return nil
	}
	out, err := sjson.SetBytes(data, "project", to)
	if err != nil {
		return nil // the next change of the journal does it
	}
	return safefile.Replace(path, out, 0o600)
}
