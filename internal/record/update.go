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
)

// later returns now in whole seconds, or else a time just after t, so that a later version always has the later time.
func later(now, t time.Time) time.Time {
	now = now.UTC()
	for _, exact := range []time.Duration{time.Second, time.Millisecond} {
		if cut := now.Truncate(exact); cut.After(t) {
			return cut
		}
	}
	return t.Truncate(time.Millisecond).Add(time.Millisecond)
}

// Update changes the record with this id by edit, which gets a copy. ifMatch is the hash of the version that the caller
// read, "" for any. Update adds summary to the history, or the names of the changed fields when summary is "". An entry
// that edit adds there gets the date now unless it has one. An edit that changes nothing writes nothing. Errors:
// *ConflictError; ErrInvalid when edit changes a field that an update must not change; those of Read and Create.
func (s Store) Update(id, ifMatch, summary string, edit func(*Record) error) (*Record, error) {
	old, unlock, err := s.lockAndOpen(id)
	if err != nil {
		return nil, err
	}
	defer unlock()
	next, err := Decode(old.ID, old.Bytes())
	if err != nil {
		return nil, err
	}
	next.Status = old.Status
	if err := edit(next); err != nil {
		return nil, err
	}
	next.clean()
	if ifMatch != "" && ifMatch != old.Hash() {
		return nil, &ConflictError{old.ID, old.Hash()}
	}
	changed, err := check(old, next)
	if err != nil {
		return nil, err
	}
	if changed == nil && bytes.Equal(old.Bytes(), next.Bytes()) {
		return old, nil
	}
	now := s.Now()
	if !next.KeepTime {
		next.Updated = later(now, old.Updated)
	}
	if summary == "" && len(next.Changes) == len(old.Changes) {
		summary = "changed " + strings.Join(changed, ", ")
	}
	added := next.Changes[len(old.Changes):]
	next.Changes = next.Changes[:len(old.Changes)]
	for _, c := range added {
		next.addChange(c, now)
	}
	if was := old.was.Status; was != old.Status {
		next.addChange(Change{Summary: "moved by hand", Field: "status", Old: was, New: old.Status}, now)
	}
	if summary != "" {
		next.noteWrite(summary, now)
	}
	return s.write(next, old.Path, old.Path)
}

// lockAndOpen locks the store until unlock and returns the record.
func (s Store) lockAndOpen(id string) (r *Record, unlock func(), err error) {
	if _, _, err := naming.Split(id); err != nil {
		return nil, nil, err
	}
	if unlock, err = s.lock(); err != nil {
		return nil, nil, err
	}
	if r, err = s.open(id); errors.Is(err, ErrNotFound) {
		project, slug, _ := naming.Cut(id)
		if now := naming.Prefix(s.CurrentName(project)) + slug; now != id {
			r, err = s.open(now)
		}
	}
	if err != nil {
		unlock()
		return nil, nil, err
	}
	return r, unlock, nil
}

// CurrentName returns the current name of a project that was called name. A caller that writes holds the lock, so that
// nothing is written under an old name.
func (s Store) CurrentName(name string) string {
	return project.OpenWorkspace(s.Dir).CurrentName(name)
}

// check returns the names of the fields that changed. It returns ErrInvalid when an update must not change one of them.
func check(old, next *Record) (changed []string, err error) {
	fixed := func(field, a, b, hint string) {
		if a != b && err == nil {
			err = fmt.Errorf("%w: %s stays %q%s", ErrInvalid, field, a, hint)
		}
	}
	fixed("id", old.ID, next.ID, "")
	fixed("kind", old.Kind, next.Kind, ": save another record")
	if !old.Created.IsZero() {
		fixed("created", stamp(old.Created), stamp(next.Created), "")
	}
	fixed("status", old.Status, next.Status, ": see archive, restore")
	for _, f := range old.Files {
		if !slices.Contains(next.Files, f) {
			fixed("files", f, "", ": only an editor takes a file out")
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
		if f.time == nil && !f.equals(was[i]) {
			changed = append(changed, f.key)
		}
	}
	if next.Body != old.Body {
		changed = append(changed, "body")
	}
	return changed, nil
}
