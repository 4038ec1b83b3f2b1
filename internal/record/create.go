package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// Create writes a new active record with r's fields and returns it. Its name is r.Slug. Without a slug the name comes
// from the title, with a number when a record of another title has that name. The project gets its current name.
// Created and Updated are now unless r has them.
//
// Errors: ErrInvalid, *naming.Error, *ExistsError when there is a record of this title or of r.Slug, ErrRemoved when
// one was removed in the last 24 hours (see Asked), safefile's.
func (s Store) Create(r Record) (*Record, error) {
	now := s.Now().UTC()
	chosen := r.Slug != ""
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
	r.setSlug()
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
	r.Project = s.CurrentName(r.Project)
	if r.ID, err = s.freeID(r, chosen); err != nil {
		return nil, err
	}
	_, r.Slug, _ = naming.Split(r.ID)
	r.noteWrite("created", now)
	return s.write(&r, s.Path(r.ID, r.Status), "")
}

// setSlug makes a missing slug from the title. Where the kind limits how many records stay active, the slug begins with
// the kind, so that what is retired soon takes no other record's name.
func (r *Record) setSlug() {
	k, words := r.kind(), r.Slug
	if r.Slug == "" {
		words, r.Slug = r.Title, naming.Slug(r.Title)
	}
	if k.Window > 0 && !strings.HasPrefix(r.Slug, k.Name) {
		r.Slug = naming.Slug(k.Name + " " + words)
	}
}

// freeID returns an id for a new record: the id of its slug, or, unless exact is set, that id with a number when a
// record of another title has it. Errors: ErrRemoved; *ExistsError when that record has r's title; safefile's.
func (s Store) freeID(r Record, exact bool) (id string, err error) {
	if err := s.refuseRemoved(r.Project, r.Title); err != nil {
		return "", err
	}
	for n := 1; n < 1000; n++ {
		id, err := naming.ID(r.Project, naming.Numbered(r.Slug, n))
		if err != nil {
			return "", err
		}
		old, err := s.open(id)
		switch {
		case errors.Is(err, ErrNotFound):
			return id, nil
		case err == nil && (exact || naming.TitleKey(old.Title) == naming.TitleKey(r.Title)):
			return "", &ExistsError{id, old.Status}
		case err != nil && (exact || !isFront(err)): // a file that cannot be decoded has another title
			return "", err
		}
	}
	return "", fmt.Errorf("%w: a thousand records have the name %q", ErrInvalid, r.Slug)
}

// Import writes a record from elsewhere with its status, times and history. It overwrites nothing. Errors: Ready's.
func (s Store) Import(r Record) (*Record, error) {
	unlock, err := s.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	r.Project = s.CurrentName(r.Project)
	ready, err := s.Ready(r)
	if err != nil {
		return nil, err
	}
	return s.write(ready, s.Path(ready.ID, ready.Status), "")
}

// Ready returns r, which has a slug, as Import would write it, and writes nothing. It takes secrets out, and checks the
// record against the schema. All fields of r count, also status, times and history. Of a record decoded from a file,
// the parts stay that memento does not understand, and so do the rules of the schema that the file broke.
//
// Errors: ErrInvalid, *naming.Error, ErrRemoved, safefile's. *ExistsError beside the record says that there is a record
// of its slug.
func (s Store) Ready(r Record) (*Record, error) {
	if err := naming.CheckSlug(r.Slug); err != nil {
		return nil, err
	}
	r.Path, r.Secrets = "", nil
	if r.doc != nil {
		r.doc = r.doc.Clone() // the caller keeps its own
	}
	r.Body = text.Plain(text.Private(r.Body))
	r.clean()
	r.setSlug()
	var known []string
	if r.was != nil {
		known = r.was.Problems()
	}
	for _, p := range r.Problems() {
		if !slices.Contains(known, p) {
			return nil, fmt.Errorf("%w: %s", ErrInvalid, p)
		}
	}
	if err := s.refuseRemoved(r.Project, r.Title); err != nil {
		return nil, err
	}
	var err error
	if r.ID, err = naming.ID(r.Project, r.Slug); err != nil {
		return nil, err
	}
	out, err := r.remake()
	if err != nil {
		return nil, err
	}
	out.Path, out.Secrets = s.Path(r.ID, r.Status), r.Secrets
	switch old, err := s.open(r.ID); {
	case old != nil:
		return out, &ExistsError{r.ID, old.Status}
	case !errors.Is(err, ErrNotFound):
		return nil, err
	}
	return out, nil
}

// remake encodes all fields of r and decodes the result.
func (r *Record) remake() (*Record, error) {
	if r.was != nil {
		r.doc.Set("id", r.ID)
		if _, isText := r.doc.Get("project"); isText || !r.doc.Has("project") { // another program's may be a map
			r.doc.Set("project", r.Project)
		}
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
