package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/schema"
)

// Archive is the folder, in the store's, of what is completed or archived.
const Archive = ".completed"

// Folders are the two that records stand in: the store's own, and the archive in it.
func (s Store) Folders() [2]string { return [...]string{s.Dir, filepath.Join(s.Dir, Archive)} }

// Path is where the record with this id stands, or would, while it has this status.
func (s Store) Path(id, status string) string {
	if status == schema.Completed || status == schema.Archived {
		return filepath.Join(s.Dir, Archive, id+naming.Ending)
	}
	return filepath.Join(s.Dir, id+naming.Ending)
}

// stands reports whether a file that a record of a project names is still there. Where nobody can tell, it is: of a
// project that was never seen, or whose folders are all gone.
func (s Store) stands(name, file string) bool {
	if rest, ok := strings.CutPrefix(file, "~/"); ok {
		if s.Home == "" {
			return true
		}
		file = filepath.Join(s.Home, rest)
	}
	if strings.HasPrefix(file, `\\`) || strings.HasPrefix(file, "//") { // another machine's: nobody is asked there
		return true
	}
	if filepath.IsAbs(file) {
		return !missing(file)
	}
	known := false
	for _, k := range project.OpenWorkspace(s.Dir).Known {
		if naming.Project(k.Slug) != name {
			continue
		}
		for _, root := range k.Roots {
			if missing(root) {
				continue
			}
			if known = true; !missing(filepath.Join(root, filepath.FromSlash(file))) {
				return true
			}
		}
	}
	return !known
}

// missing reports whether nothing stands at path for certain.
func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}
