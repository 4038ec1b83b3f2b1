package record

import "github.com/mementohq/memento/internal/naming"

// Repository is the source of a record that a person took in from a repository.
const Repository = "repository"

// Take writes r, which a person took in from a repository, in place of was, the record of its id as the person saw it,
// nil for none. The history of was stays. Errors: *ConflictError for a stored record that is another one; ErrInvalid
// for a file that is too large; *naming.Error, safefile's. The stored record is then unchanged.
func (s Store) Take(r Record, was *Record) (*Record, error) {
	unlock, err := s.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	r.Project = s.CurrentName(r.Project)
	if r.ID, err = naming.ID(r.Project, r.Slug); err != nil {
		return nil, err
	}
	old, err := s.open(r.ID)
	switch {
	case err != nil && !isNotFound(err):
		return nil, err
	case old != nil && (was == nil || old.Hash() != was.Hash()):
		return nil, &ConflictError{r.ID, old.Hash()}
	case old != nil:
		r.Changes = old.Changes
	}
	r.clean()
	r.noteWrite("taken in from the repository", s.Now())
	return s.write(&r, s.Path(r.ID, r.Status), s.pathOf(r.ID))
}
