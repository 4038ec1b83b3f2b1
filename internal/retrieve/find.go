package retrieve

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
)

// AmbiguousError says that the names of several records begin with the given name.
type AmbiguousError struct {
	Name string
	IDs  []string
}

func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("%d records begin with %q", len(e.IDs), e.Name)
}

// Find returns the id of the record that name means to somebody who works on project in the folder dir. name is an id;
// the name or the path of a record's file; the name of a record of the project, or else of the user; or the beginning
// of exactly one such name, of the project or else of the user. The command that acts on a record and the hook that
// allows it both call Find, so that they agree. Errors: record.ErrNotFound, *AmbiguousError, the disk's.
func Find(s record.Store, project, dir, name string) (string, error) {
	id, err := FindWhole(s, project, dir, name)
	for _, p := range [...]string{project, naming.User} {
		if errors.Is(err, record.ErrNotFound) {
			id, err = begins(s, p, stem(s, dir, name), err)
		}
	}
	return id, err
}

// FindWhole is Find for whole names only. The record need not be readable.
func FindWhole(s record.Store, project, dir, name string) (string, error) {
	stem := stem(s, dir, name)
	var ids []string
	if p, slug, err := naming.Split(stem); err == nil {
		now, _ := naming.ID(s.CurrentName(p), slug) // the project may have another name now
		ids = []string{stem, now, norm.NFC.String(stem)}
	} else {
		for _, p := range []string{project, naming.User} {
			for _, form := range []string{stem, norm.NFC.String(stem)} { // a slug is in NFC
				if id, err := naming.ID(p, form); err == nil {
					ids = append(ids, id)
				}
			}
		}
	}
	for _, id := range ids {
		if _, err := s.Read(id); !errors.Is(err, record.ErrNotFound) {
			return id, nil
		}
	}
	return "", fmt.Errorf("%w: %s", record.ErrNotFound, name)
}

// begins returns the id of the one record whose name begins with name. Without one it returns the error missing.
func begins(s record.Store, project, name string, missing error) (string, error) {
	if name == "" || strings.ContainsAny(name, `*?[\`) { // these have a meaning in a pattern
		return "", missing
	}
	if p, slug, err := naming.Split(name); err == nil {
		project = s.CurrentName(p)
		name, _ = naming.ID(project, slug)
	}
	ids, err := s.IDs(project, name+"*")
	switch {
	case err != nil:
		return "", err
	case len(ids) == 0:
		return "", missing
	case len(ids) > 1:
		return "", &AmbiguousError{Name: name, IDs: ids}
	}
	return ids[0], nil
}

// stem returns name without its ending, and without its folder if it is the path of a record's file.
func stem(s record.Store, dir, name string) string {
	// a path on another machine may be slow
	isElsewhere := strings.HasPrefix(name, `\\`) || strings.HasPrefix(name, "//")
	if !isElsewhere && strings.ContainsRune(filepath.ToSlash(name), '/') {
		for _, path := range []string{filepath.Clean(name), filepath.Join(dir, name), filepath.Join(s.Dir, name)} {
			for _, folder := range naming.Folders(s.Dir) {
				if filepath.IsAbs(path) && resolved(filepath.Dir(path)) == resolved(folder) {
					name = filepath.Base(path)
				}
			}
		}
	}
	id, _ := naming.Stem(name)
	return id
}

// resolved returns the path of a folder without links, or the cleaned path on an error.
func resolved(folder string) string {
	if to, err := filepath.EvalSymlinks(folder); err == nil {
		return to
	}
	return filepath.Clean(folder)
}
