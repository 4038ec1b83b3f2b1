package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

// Rename gives a record another id, wherever it stands: its file gets the new name, its fields id and project say so,
// and all else in it stays byte for byte. A file whose front matter cannot be read keeps its bytes and gets the name
// alone. A process killed meanwhile leaves both names; the same again leaves one. Errors: *naming.Error, ErrNotFound,
// safefile's; *ExistsError when another record has the new id.
func (s Store) Rename(id, to string) error {
	if _, _, err := naming.Split(to); err != nil {
		return err
	}
	id, to = idOf(id), idOf(to)
	s.literal = true // under its old name it is looked for
	r, unlock, err := s.take(id)
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
	at := r.file(filepath.Join(filepath.Dir(r.Path), to), data)
	if len(data) > schema.MaxBytes {
		return fmt.Errorf("%w: %s would have %d bytes, at most %d", ErrInvalid, to, len(data), schema.MaxBytes)
	}
	switch old, err := s.heal(to); {
	case err == nil && string(old.Bytes()) == string(data): // written before a process was killed
	case err == nil:
		return &ExistsError{to, old.Status}
	case !isNotFound(err):
		if isFront(err) {
			return &ExistsError{to, "cannot be read"}
		}
		return err
	default:
		if err := safefile.Replace(at, pack(at, data), 0o600); err != nil {
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

// renamed is the file of r under the id to.
func renamed(r *Record, to string) ([]byte, error) {
	d, err := markdown.Parse(r.Bytes())
	if err != nil {
		return nil, err
	}
	project, _, _ := naming.Cut(to)
	for _, f := range [...][2]string{{"id", to}, {"project", project}} {
		if d.Has(f[0]) {
			d.Set(f[0], f[1])
		}
	}
	return d.Bytes(), nil
}

// Halfway reports whether the record id stands under the name to as well, as a Rename leaves it whose process was
// killed.
func (s Store) Halfway(id, to string) bool {
	r, err := s.Read(id)
	if err != nil {
		return false
	}
	old, err := s.Read(to)
	if err != nil {
		return false
	}
	data, err := renamed(r, to)
	return err == nil && string(data) == string(old.Bytes())
}

// moveFile renames the file of a record that cannot be read.
func (s Store) moveFile(id, to string) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	target := s.paths(to)
	for _, path := range target {
		switch _, err := ReadFile(path); {
		case err == nil, errors.Is(err, safefile.ErrTooLarge), errors.Is(err, ErrDamaged):
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

// Projects returns how many records each project has in the folder and the archive, by its name; those of User too.
// It reads no record. Errors: the disk's.
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
