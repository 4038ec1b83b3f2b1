package record

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
)

// Rename gives a record another id: it changes the fields id and project, and then renames the file. The rest of the
// file stays byte for byte, and of a file that memento cannot read all of it. Errors: *naming.Error, ErrNotFound,
// safefile's; *ExistsError when another record has the new id. The record is then unchanged.
func (s Store) Rename(id, to string) error {
	for _, name := range [...]string{id, to} {
		if _, _, err := naming.Split(name); err != nil {
			return err
		}
	}
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	from := s.pathOf(id)
	switch {
	case from == "":
		return fmt.Errorf("%w: %s", ErrNotFound, id)
	case id == to:
		return nil
	case s.pathOf(to) != "":
		return &ExistsError{to, "in its place"}
	}
	at := filepath.Join(filepath.Dir(from), to+naming.Ending)
	was, err := ReadFile(from)
	if err != nil && !errors.Is(err, safefile.ErrTooLarge) {
		return err
	}
	data := was
	r, err := decodeAt(id, from, was)
	if err == nil {
		data = renamed(r, to)
		if err = checkSize(data); err == nil {
			_, err = decodeAt(to, at, data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", to, err)
		}
	}
	return replaceAndMove(from, at, was, data)
}

// renamed returns the file of r with the id to.
func renamed(r *Record, to string) []byte {
	d := r.doc.Clone()
	project, _, _ := naming.Cut(to)
	for _, f := range [...][2]string{{"id", to}, {"project", project}} {
		if _, ok := d.Get(f[0]); ok { // another program's project may be a map
			d.Set(f[0], f[1])
		}
	}
	return d.Bytes()
}

// Projects returns the number of records by project, and of User. It reads no record. Errors: the disk's.
func (s Store) Projects() (map[string]int, error) {
	ids, err := s.IDs("", "")
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
