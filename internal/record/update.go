package record

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/schema"
)

// later is now, to the second where that is after t, or just after t: of two versions of a record the later one says
// so.
func later(now, t time.Time) time.Time {
	now = now.UTC()
	for _, exact := range []time.Duration{time.Second, time.Millisecond} {
		if cut := now.Truncate(exact); cut.After(t) {
			return cut
		}
	}
	return t.Truncate(time.Millisecond).Add(time.Millisecond)
}

// Update changes the record with this id by edit, which gets a copy. ifMatch is the hash that was read, "" for any.
// Summary goes into its history; without one it says which fields changed. An entry that edit adds there without a date
// is of now. An edit that changes nothing writes nothing. Errors: *ConflictError; ErrInvalid when edit touches what an
// update may not; those of Read and Create.
func (s Store) Update(id, ifMatch, summary string, edit func(*Record) error) (*Record, error) {
	return s.change(id, &ifMatch, summary, func(now *Record) (*Record, error) {
		next, err := Decode(now.ID, now.Bytes())
		if err != nil {
			return nil, err
		}
		next.Status = now.Status
		return next, edit(next)
	})
}

// Replace is Update with a whole file: what a person made of it in an editor. Its bytes stay, but for what Update
// writes. Without ifMatch the file has to be made from what is stored, as far as that is known; see HandOut.
func (s Store) Replace(id, ifMatch, summary string, data []byte) (*Record, error) {
	return s.change(id, &ifMatch, summary, func(now *Record) (*Record, error) {
		if len(data) > schema.MaxBytes {
			return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrInvalid, len(data), schema.MaxBytes)
		}
		next, err := Decode(now.ID, data)
		if err != nil {
			return nil, err
		}
		if next.Status == now.was.Status { // it was moved by hand, and the file says what it was before
			next.Status = now.Status
		}
		if ifMatch == "" {
			ifMatch = s.base(now, next)
		}
		return next, nil
	})
}

// take returns a record that is there, whole again if a move was cut short, and holds the store until unlock.
func (s Store) take(id string) (r *Record, unlock func(), err error) {
	if _, _, err := naming.Split(id); err != nil {
		return nil, nil, err
	}
	if unlock, err = s.lock(); err != nil {
		return nil, nil, err
	}
	id = idOf(id)
	if r, err = s.heal(id); errors.Is(err, ErrNotFound) {
		if now := s.present(id); now != id {
			r, err = s.heal(now)
		}
	}
	if err != nil {
		unlock()
		return nil, nil, err
	}
	return r, unlock, nil
}

// present is the id that a record goes by since its project got another name; id itself when the project has its name
// still.
func (s Store) present(id string) string {
	project, slug, _ := naming.Cut(id)
	return naming.Prefix(s.Called(project)) + slug
}

// Called returns the name that a project goes by now whose records went by this name; the same name where the project
// has it still, or nobody knows it. It is asked while the lock is held, so that nothing is written under a name that
// was given up.
func (s Store) Called(name string) string {
	if s.literal || name == naming.User {
		return name
	}
	now := name
	for _, k := range project.OpenWorkspace(s.Dir).Known {
		if naming.Project(k.Slug) == name {
			return name
		}
		for _, was := range k.Called() {
			if naming.Project(was) == name {
				now = naming.Project(k.Slug)
			}
		}
	}
	return now
}

// change is Update by an edit that returns another record, and may set ifMatch.
func (s Store) change(
	id string, ifMatch *string, summary string, edit func(*Record) (*Record, error),
) (*Record, error) {
	old, unlock, err := s.take(id)
	if err != nil {
		return nil, err
	}
	defer unlock()
	next, err := edit(old)
	if err != nil {
		return nil, err
	}
	next.clean()
	if *ifMatch != "" && *ifMatch != old.Hash() {
		if err := next.encode(); err != nil {
			return nil, err
		}
		return nil, &ConflictError{old.ID, old.Hash(), old.Bytes(), next.Bytes()}
	}
	changed, err := s.check(old, next)
	if err != nil {
		return nil, err
	}
	if changed == nil && bytes.Equal(old.Bytes(), next.Bytes()) {
		return old, nil
	}
	now := s.Now()
	next.Updated = later(now, old.Updated)
	if summary == "" && len(next.Changes) == len(old.Changes) {
		summary = "changed " + strings.Join(changed, ", ")
		if changed == nil {
			summary = "changed what memento does not read"
		}
	}
	for i := len(old.Changes); i < len(next.Changes); i++ {
		if next.Changes[i].Date == "" {
			next.Changes[i].Date = stamp(now)
		}
	}
	if was := old.was.Status; was != old.Status {
		next.note(Change{Summary: "moved by hand", Field: "status", Old: was, New: old.Status}, now)
	}
	if summary != "" {
		next.wrote(summary, now)
	}
	return s.write(next, old.Path, old.Path)
}

// check holds an update to what may change, and returns what did.
func (s Store) check(old, next *Record) (changed []string, err error) {
	fixed := func(field, a, b, hint string) {
		if a != b && err == nil {
			err = fmt.Errorf("%w: %s stays %q%s", ErrInvalid, field, a, hint)
		}
	}
	fixed("id", old.ID, next.ID, "")
	// What the file says of its name counts for nothing, and must not come to say something else.
	for _, key := range [...]string{"id", "project"} {
		was, _ := old.doc.Get(key)
		if is, ok := next.doc.Get(key); ok && is != was {
			fixed(key, map[string]string{"id": old.ID, "project": old.Project}[key], is, "")
		}
	}
	fixed("kind", old.Kind, next.Kind, ": save another record")
	if !old.Created.IsZero() {
		fixed("created", stamp(old.Created), stamp(next.Created), "")
	}
	fixed("status", old.Status, next.Status, ": see archive, restore")
	for _, f := range old.Files {
		if !slices.Contains(next.Files, f) && s.stands(old.Project, f) {
			fixed("files", f, "", ": a file leaves the list once it is gone")
		}
	}
	if len(next.Changes) < len(old.Changes) || !slices.Equal(next.Changes[:len(old.Changes)], old.Changes) {
		fixed("changes", "as it was", "", ": entries are only added")
	}
	if err != nil {
		return nil, err
	}
	known := old.Problems()
	for _, p := range next.Problems() {
		if !slices.Contains(known, p) {
			return nil, fmt.Errorf("%w: %s", ErrInvalid, p)
		}
	}
	was := old.fields()
	for i, f := range next.fields() {
		if f.time == nil && !f.says(was[i]) {
			changed = append(changed, f.key)
		}
	}
	if next.Body != old.Body {
		changed = append(changed, "body")
	}
	return changed, nil
}
