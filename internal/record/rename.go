package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
)

// Rename gives a record another id. It renames the file and changes the fields id and project; the rest of the file
// stays byte for byte. A file with unreadable front matter keeps all its bytes. A process killed meanwhile leaves both
// files, and the same call again leaves one. Errors: *naming.Error, ErrNotFound, safefile's; *ExistsError when another
// record has the new id.
func (s Store) Rename(id, to string) error {
	if _, _, err := naming.Split(to); err != nil {
		return err
	}
	id, to = idOf(id), idOf(to)
	s.literal = true // so that lockAndHeal finds it by its old name
	r, unlock, err := s.lockAndHeal(id)
	if isFront(err) || errors.Is(err, safefile.ErrTooLarge) {
		return s.moveFile(id, to)
	}
	if err != nil {
		return err
	}
	defer unlock()
	if id == to {
		return nil
	}
	data, err := renamed(r, to)
	if err != nil {
		return err
	}
	at := filepath.Join(filepath.Dir(r.Path), to+naming.Ending)
	if err := checkSize(data); err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	switch old, err := s.heal(to); {
	case err == nil && string(old.Bytes()) == string(data): // a call that was killed has written it
	case err == nil:
		return &ExistsError{to, old.Status}
	case !isNotFound(err):
		if isFront(err) {
			return &ExistsError{to, "cannot be read"}
		}
		return err
	default:
		if err := safefile.Replace(at, data, 0o600); err != nil {
			return err
		}
	}
	out, err := decodeAt(to, at, data)
	if err != nil {
		return err
	}
	if s.Index != nil {
		s.Index.Saved(out)
	}
	return s.erase(id)
}

// renamed returns the file of r with the id to.
func renamed(r *Record, to string) ([]byte, error) {
	d, err := markdown.Parse(r.Bytes())
	if err != nil {
		return nil, err
	}
	project, _, _ := naming.Cut(to)
	for _, f := range [...][2]string{{"id", to}, {"project", project}} {
		if _, ok := d.Get(f[0]); ok { // another program's project may be a map
			d.Set(f[0], f[1])
		}
	}
	return d.Bytes(), nil
}

// moveFile renames the files of a record that memento cannot decode.
func (s Store) moveFile(id, to string) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	target := s.paths(to)
	for _, path := range target {
		switch _, err := ReadFile(path); {
		case err == nil, errors.Is(err, safefile.ErrTooLarge):
			return &ExistsError{to, "in its place"}
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	for i, path := range s.paths(id) {
		if err := safefile.Move(path, target[i]); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	if s.Index != nil {
		s.Index.Deleted(id)
	}
	return nil
}

// Projects returns the number of records in the folder and the archive for each project, and for User. It reads no
// record. Errors: the disk's.
func (s Store) Projects() (map[string]int, error) {
	ids, _, err := s.names("", "")
	if err != nil {
		return nil, err
	}
	out := map[string]int{}
	for _, id := range ids {
		project, _, _ := naming.Cut(id)
		out[project]++
	}
	return out, nil
}

// IDs returns the ids of all records, readable or not, sorted.
func (s Store) IDs() ([]string, error) {
	ids, _, err := s.names("", "")
	return ids, err
}
