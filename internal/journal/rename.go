package journal

import (
	"errors"
	"io/fs"
	"os"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// Rename moves the journal of the lane from to the lane to. The next change writes the project's new name into it. The
// caller holds the locks of both lanes. Errors: safefile's, and fs.ErrExist when to has a journal. Another Rename goes
// on.
func Rename(from, to project.Lane) error {
	if _, err := os.Lstat(to.Journal()); err == nil {
		return fs.ErrExist
	}
	if _, err := os.Lstat(from.Journal()); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return safefile.Move(from.Journal(), to.Journal())
}
