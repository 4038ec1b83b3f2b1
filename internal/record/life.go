package record

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

// StatusError says that a move does not start from a record's status.
type StatusError struct {
	ID, Status string   // of the record
	To         string   // the status that it should get
	From       []string // the statuses that the move starts from
}

func (e *StatusError) Error() string {
	if e.Status == e.To {
		return e.ID + " is " + e.Status + " already"
	}
	return fmt.Sprintf("%s is %s; this is for what is %s", e.ID, e.Status, strings.Join(e.From, " or "))
}

// Move gives a record the status to; see schema.Moves. Errors: those of Update; *StatusError; ErrInvalid for an unknown
// status, or when the move needs a reason and has none.
func (s Store) Move(id, to, reason string) (*Record, error) {
	i := slices.IndexFunc(schema.Moves, func(m schema.Move) bool { return m.To == to })
	if i < 0 {
		return nil, fmt.Errorf("%w: there is no status %q", ErrInvalid, to)
	}
	m := schema.Moves[i]
	if strings.TrimSpace(reason) == "" {
		reason = m.Summary
	}
	if reason == "" {
		return nil, fmt.Errorf("%w: a reason is needed", ErrInvalid)
	}
	r, unlock, err := s.lockAndOpen(id)
	if err != nil {
		return nil, err
	}
	defer unlock()
	stray := m.To == schema.Active && !slices.Contains(schema.Statuses(), r.Status)
	if !slices.Contains(m.From, r.Status) && !stray {
		return nil, &StatusError{r.ID, r.Status, m.To, m.From}
	}
	return s.setStatus(r, m.To, reason, s.Now())
}

// setStatus gives a record another status. The caller holds the lock.
func (s Store) setStatus(r *Record, to, summary string, now time.Time) (*Record, error) {
	was, old := r.Path, r.Status
	r.Status = to
	r.Updated = later(now, r.Updated)
	r.addChange(Change{Summary: summary, Field: "status", Old: old, New: to}, now)
	return s.write(r, s.Path(r.ID, to), was)
}

// Remove deletes a record for good, even a damaged one. For 24 hours no other record takes its title.
func (s Store) Remove(id string) error {
	project, slug, err := naming.Split(id)
	if err != nil {
		return err
	}
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	r, err := s.open(id)
	if err != nil && (isNotFound(err) || safefile.Unreadable(err) && !isFront(err)) {
		return err
	}
	title := slug
	if r != nil {
		title = r.Title
	}
	if err := s.NoteRemoved(project, title, slug); err != nil {
		return err
	}
	return s.erase(id)
}

// erase removes the files of a record.
func (s Store) erase(id string) error {
	for _, path := range s.paths(id) {
		if err := safefile.Remove(path); err != nil {
			return err
		}
	}
	return nil
}
