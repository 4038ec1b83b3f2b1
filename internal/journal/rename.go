package journal

import (
	"errors"
	"io/fs"
	"os"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// maxRenamed is how large a journal may be whose project is renamed, in bytes.
const maxRenamed = 64 << 20

// Rename moves the journal of the lane from to the lane to, and changes the project's name in it. The caller holds the
// locks of both lanes. Errors: safefile's, and fs.ErrExist when to has a journal. Another Rename goes on.
func Rename(from, to project.Lane) error {
	if _, err := os.Lstat(to.Journal()); err == nil {
		return fs.ErrExist
	}
	// The name comes first: a run that is cut off finds the journal again as long as its file has the old name.
	if err := renameProject(from.Journal(), from.Slug, to.Slug); err != nil {
		return err
	}
	return move(from.Journal(), to.Journal())
}

// move is safefile.Move without an error for a missing file.
func move(from, to string) error {
	if _, err := os.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := safefile.Move(from, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// renameProject changes the project's name in the journal at path, which does not count as edited by hand. A damaged
// journal stays as it is.
func renameProject(path, from, to string) error {
	data, err := safefile.Read(path, maxRenamed)
	if safefile.Unreadable(err) {
		return err
	}
	if err != nil || !gjson.ValidBytes(data) || gjson.GetBytes(data, "project").String() != from {
		return nil
	}
	body, a := cutAt(data)
	out, err := sjson.SetBytes(data, "project", to)
	if err != nil {
		return nil // the next change of the journal sets the name
	}
	if a.sum != "" && a.sum == sumOf(string(body)) {
		body, _ = cutAt(out)
		a.sum = sumOf(string(body))
		out = withAt(body, a)
	}
	return safefile.Replace(path, out, 0o600)
}
