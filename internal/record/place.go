package record

import (
	"path/filepath"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

// Path returns the path of the record with this id while it has this status.
func (s Store) Path(id, status string) string {
	if status == schema.Completed || status == schema.Archived {
		return filepath.Join(s.Dir, naming.Archive, id+naming.Ending)
	}
	return filepath.Join(s.Dir, id+naming.Ending)
}

// ReadFile returns the text of a record's file. Errors: safefile's, ErrTooLarge for more than schema.MaxBytes.
func ReadFile(path string) ([]byte, error) { return safefile.Read(path, schema.MaxBytes) }

// paths returns both paths that a record's file can have.
func (s Store) paths(id string) [2]string {
	return [...]string{s.Path(id, schema.Active), s.Path(id, schema.Completed)}
}

// pathOf returns the path of a record's file, in the folder or else in the archive, "" without one.
func (s Store) pathOf(id string) string {
	for _, path := range s.paths(id) {
		if _, err := safefile.Stat(path); err == nil {
			return path
		}
	}
	return ""
}
