package record

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/mementohq/memento/internal/naming"
)

// ErrShared says that a record is a copy of a file in its repository, which alone changes the record.
var ErrShared = errors.New("it comes from the repository")

// ownOnly returns ErrShared for a copy of a repository's file.
func (r *Record) ownOnly() error {
	if r.Shared == "" {
		return nil
	}
	return fmt.Errorf("%s: %w", r.ID, ErrShared)
}

// Mirror writes r, a copy of a repository's file, in place of the record that has its id, and returns it. summary is
// the entry of its history, "" for none. It writes nothing when the record is as it should be. Errors: ErrInvalid when
// the id is of a record that is no such copy; *naming.Error, safefile's. The stored record is then unchanged.
func (s Store) Mirror(r Record, summary string) (*Record, error) {
	unlock, err := s.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	r.Project = s.currentName(r.Project)
	if r.ID, err = naming.ID(r.Project, r.Slug); err != nil {
		return nil, err
	}
	r.doc, r.was, r.Secrets = nil, nil, nil
	r.clean()
	old, err := s.open(r.ID)
	switch {
	case isNotFound(err):
	case isFront(err): // a copy that somebody damaged is made again
	case err != nil:
		return nil, err
	case old.Shared == "":
		return nil, fmt.Errorf("%w: %s is a record of its own", ErrInvalid, r.ID)
	}
	if summary != "" {
		r.addChange(Change{Summary: summary, Field: "status", New: r.Status}, s.Now())
	}
	if err := r.encode(); err != nil {
		return nil, err
	}
	if old != nil && bytes.Equal(old.Bytes(), r.doc.Bytes()) {
		return old, nil
	}
	r.doc = nil
	return s.write(&r, s.Path(r.ID, r.Status), s.pathOf(r.ID))
}
