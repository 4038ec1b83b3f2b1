package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// Create writes a new active record of r's fields and returns it. Its name is r.Slug; without one it comes from the
// title, and where another title has that name, a number is added. Its project is the one that r's is called by now.
// Created and Updated are now unless r says otherwise. Of a kind of which a number stay active, the oldest beyond it
// are retired.
//
// Errors: ErrInvalid, *naming.Error, *ExistsError when there is a record of this title or with the slug that was asked
// for, ErrRemoved when it was removed in the last 24 hours (see AskedAt), safefile's. Beside a record: it is
// written, and an older one could not be retired.
func (s Store) Create(r Record) (*Record, error) {
	now := s.Now().UTC()
	k, chosen := r.kind(), r.Slug != ""
	if chosen {
		if err := naming.CheckSlug(r.Slug); err != nil {
			return nil, err
		}
	}
	r.Status, r.Changes, r.doc, r.was, r.Path, r.Secrets = schema.Active, nil, nil, nil, "", nil
	if r.Branch == "" && r.Project != naming.User {
		r.Branch = s.Branch
	}
	r.clean()
	if !chosen {
		r.Slug = naming.Slug(r.Title)
		if k.Window > 0 && !strings.HasPrefix(r.Slug, k.Name) {
			r.Slug = naming.Slug(k.Name + " " + r.Title)
		}
	}
	r.Slug = windowed(k, r.Slug)
	if r.Created.IsZero() {
		r.Created = now.Truncate(time.Second)
	}
	if r.Updated.IsZero() {
		r.Updated = r.Created
	}
	if problems := r.Problems(); problems != nil {
		return nil, fmt.Errorf("%w: %s", ErrInvalid, problems[0])
	}
	if _, err := naming.ID(r.Project, r.Slug); err != nil {
		return nil, err
	}
	unlock, err := s.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	r.Project = s.Called(r.Project)
	if r.ID, err = s.slot(r, chosen, nil, s.heal); err != nil {
		return nil, err
	}
	_, r.Slug, _ = naming.Split(r.ID)
	r.wrote("created", now)
	return s.add(&r)
}

// windowed returns the slug of a record of the kind k. Where a number of the kind stay active, it begins with the kind,
// so that the others are found by their names.
func windowed(k schema.Kind, slug string) string {
	if k.Window > 0 && !strings.HasPrefix(slug, k.Name) {
		return naming.Slug(k.Name + "-" + slug)
	}
	return slug
}

// add writes a new record, and retires the oldest of its kind beyond those that stay active. The caller holds the lock.
func (s Store) add(r *Record) (*Record, error) {
	made, err := s.write(r, s.Path(r.ID, r.Status), "")
	if err != nil {
		return nil, err
	}
	if k := made.kind(); made.Status == schema.Active && s.most(k) > 0 {
		err = s.window(made, k)
	}
	return made, err
}

// slot returns the id for a new record: that of its slug, or, unless it has to be this one, with a number where another
// title stands. taken are ids that the caller has given to others; look reads what stands under an id. Errors:
// ErrRemoved; *ExistsError, of the record that r would be, then beside its id; those of look.
func (s Store) slot(
	r Record, exact bool, taken map[string]bool, look func(id string) (*Record, error),
) (id string, err error) {
	if when, ok := s.removed(s.Now())[titleFingerprint(r.Project, r.Title)]; ok && s.refuses(when) {
		return "", lately(r.Title, when)
	}
	for n := 1; n < 1000; n++ {
		id, err := naming.ID(r.Project, naming.Numbered(r.Slug, n))
		if err != nil {
			return "", err
		}
		if taken[id] {
			continue
		}
		old, err := look(id)
		switch {
		case errors.Is(err, ErrNotFound):
			return id, nil
		case err == nil && (exact || naming.TitleKey(old.Title) == naming.TitleKey(r.Title)):
			return id, &ExistsError{id, old.Status}
		case err != nil && (exact || !isFront(err)): // what stands there is not known, or nothing to stand beside
			return "", err
		}
	}
	return "", fmt.Errorf("%w: a thousand records have the name %q", ErrInvalid, r.Slug)
}

// Import writes a record that was kept elsewhere, with the status, the times and the history it has; see Ready, whose
// errors it returns. Nothing is overwritten. Of a kind of which a number stay active, the oldest beyond it are retired.
func (s Store) Import(r Record) (*Record, error) {
	unlock, err := s.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	r.Project = s.Called(r.Project)
	ready, err := s.Ready(r, nil)
	if err != nil {
		return nil, err
	}
	return s.add(ready)
}

// Ready returns r as Import would write it, and writes nothing: without secrets, named, checked against its schema and
// the limits. Of r, all fields count, status, times and history too; when it was decoded from a file, what memento does
// not understand there stays, and with Exact every byte but those of id and project, whatever the schema asks for. A
// Slug is taken as it is; without one it comes from the title, with a number where another title has the name. taken
// holds the ids that the caller has given to others already.
//
// Errors: ErrInvalid, *naming.Error, ErrRemoved, safefile's; and *ExistsError, then beside the record, when one of
// its Slug is there or, without a Slug, one of its title.
func (s Store) Ready(r Record, taken map[string]bool) (*Record, error) {
	chosen := r.Slug != ""
	if chosen {
		if err := naming.CheckSlug(r.Slug); err != nil {
			return nil, err
		}
	}
	r.Path, r.Secrets = "", nil
	if r.doc != nil { // r's caller keeps its own
		d, err := markdown.Parse(r.doc.Bytes())
		if err != nil {
			return nil, err
		}
		r.doc = d
	}
	r.Exact = r.Exact && chosen && r.doc != nil && Sound(r.doc.Bytes())
	if !r.Exact {
		r.Body = printed(text.Private(r.Body))
		r.cleanChanges()
		r.clean()
		if !chosen {
			r.Slug = naming.Slug(r.Title)
		}
		r.Slug = windowed(r.kind(), r.Slug)
		if problems := r.Problems(); problems != nil {
			return nil, fmt.Errorf("%w: %s", ErrInvalid, problems[0])
		}
	}
	was := r.ID
	id, err := s.slot(r, chosen, taken, s.either)
	var exists *ExistsError
	if err != nil && !errors.As(err, &exists) {
		return nil, err
	}
	r.ID = id
	out, bad := s.made(r, was)
	if bad != nil {
		return nil, bad
	}
	return out, err
}

// either is Read of what may stand in one of its places alone; the other one may be unreadable.
func (s Store) either(id string) (*Record, error) {
	r, _, err := s.both(id)
	if r != nil {
		return r, nil
	}
	return nil, err
}

// made returns r as its file will say it, under the id it has now instead of was.
func (s Store) made(r Record, was string) (out *Record, err error) {
	if !r.Exact {
		_, r.Slug, _ = naming.Split(r.ID)
		if out, err = r.remake(); err == nil {
			out.Path, out.Secrets = s.Path(r.ID, r.Status), r.Secrets
		}
		return out, err
	}
	data := r.doc.Bytes()
	if r.ID != was {
		if data, err = renamed(&r, r.ID); err != nil {
			return nil, err
		}
	}
	if len(data) > schema.MaxBytes {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrInvalid, len(data), schema.MaxBytes)
	}
	if out, err = decodeAt(r.ID, s.Path(r.ID, r.Status), data); err == nil {
		out.Exact = true
	}
	return out, err
}

// Sound reports whether a file holds neither a secret nor anything private.
func Sound(data []byte) bool {
	s := string(data)
	_, kinds := redact.Text(s)
	return kinds == nil && text.Private(s) == s
}

// remake returns r as its file says it, with all that a file should say.
func (r *Record) remake() (*Record, error) {
	if r.was != nil {
		r.doc.Set("id", r.ID)
		r.doc.Set("project", r.Project)
		for _, f := range r.fields() {
			if f.text != nil && !r.doc.Has(f.key) && *f.text != "" {
				f.write(r.doc)
			}
		}
	}
	if err := r.encode(); err != nil {
		return nil, err
	}
	return Decode(r.ID, r.doc.Bytes())
}

// File returns the file that a record of these fields would be, all of them as they are.
func File(r Record) ([]byte, error) {
	r.doc, r.was = nil, nil
	var err error
	if r.ID, err = naming.ID(r.Project, r.Slug); err != nil {
		return nil, err
	}
	made, err := r.remake()
	if err != nil {
		return nil, err
	}
	return made.Bytes(), nil
}

// cleanChanges makes the entries of r's history fit to be stored, those that are not in its file yet.
func (r *Record) cleanChanges() {
	from := 0
	if r.was != nil {
		from = min(len(r.was.Changes), len(r.Changes))
	}
	r.Changes = slices.Clone(r.Changes)
	if n := len(r.Changes) - schema.MaxChanges; r.was == nil && n > 0 {
		r.Changes = r.Changes[n:]
	}
	for i := range r.Changes[from:] {
		c := &r.Changes[from+i]
		for _, s := range []*string{&c.Date, &c.Summary, &c.Field, &c.Old, &c.New} {
			clean, kinds := redact.Text(text.Private(*s))
			*s = text.Line(clean)
			r.Secrets = append(r.Secrets, kinds...)
		}
	}
}
