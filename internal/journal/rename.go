package journal

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

const (
	maxRenamed = 64 << 20 // bytes of a journal that gets another name
	maxJoined  = 1 << 30  // bytes of a history that is put before another
)

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
	if err := moveHistory(from.History(), to.History()); err != nil {
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

// moveHistory moves a history; where one has begun under the new name, the older lines come first.
func moveHistory(from, to string) error {
	err := move(from, to)
	if !errors.Is(err, fs.ErrExist) {
		return err
	}
	old, err := safefile.Read(from, maxJoined)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	now, err := safefile.Read(to, maxJoined)
	if err != nil {
		return err
	}
	if len(old) > 0 && old[len(old)-1] != '\n' {
		old = append(old, '\n')
	}
	if !strings.HasPrefix(string(now), string(old)) { // else a process was killed right here
		if err := safefile.Replace(to, append(old, now...), 0o600); err != nil {
			return err
		}
	}
	return safefile.Remove(from)
}
