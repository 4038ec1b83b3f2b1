package record

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
)

// Ready returns r as Import would write it, and writes nothing: without secrets, named, checked against its schema and the
// limits. Of r, all fields count, status, times and history too; when it was decoded from a file, what memento does not
// understand there stays, and with Exact every byte but those of id and project, whatever the schema asks for. A Slug is taken as it is; without one it comes from the title, with a number where another title
// has the name. taken holds the ids that the caller has given to others already.
//
// Errors: ErrInvalid, *NameError, *RemovedError, safefile's; and *ExistsError, then beside the record, when one of its Slug is
// there or, without a Slug, one of its title.
func (s Store) Ready(r Record, taken map[string]bool) (*Record, error) {
	chosen := r.Slug
	if chosen != "" {
		if err := CheckSlug(chosen); err != nil {
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
	if r.Exact = r.Exact && chosen != "" && r.doc != nil && Sound(r.doc.Bytes()); r.Exact {
		return s.readyExact(r, taken)
	}
	r.Body = printed(text.Private(r.Body))
	r.cleanChanges()
	r.clean()
	k, _ := KindNamed(r.Kind)
	if r.Slug == "" {
		r.Slug = Slug(r.Title)
	}
	if k.Window > 0 && !strings.HasPrefix(r.Slug, k.Name) {
		r.Slug = Slug(k.Name + "-" + r.Slug) // so that the others of its kind are found by their names
	}
	if problems := r.Problems(); problems != nil {
		return nil, fmt.Errorf("%w: %s", ErrInvalid, problems[0])
	}
	if when, ok := s.removed(s.Now())[mark(r.Project, r.Title)]; ok {
		return nil, &RemovedError{r.Title, when}
	}
	exists, err := s.place(&r, chosen != "", taken)
	if err != nil {
		return nil, err
	}
	_, r.Slug, _ = Split(r.ID)
	out, err := r.remake()
	if err != nil {
		return nil, err
	}
	out.Path, out.Secrets = s.Path(r.ID, r.Status), r.Secrets
	if exists != nil {
		return out, exists
	}
	return out, nil
}

// Sound reports whether a file holds neither a secret nor anything private.
func Sound(data []byte) bool {
	s := string(data)
	_, kinds := redact.Text(s)
	return kinds == nil && text.Private(s) == s
}

// readyExact is Ready for a record whose file is to stay as it is.
func (s Store) readyExact(r Record, taken map[string]bool) (*Record, error) {
	if when, ok := s.removed(s.Now())[mark(r.Project, r.Title)]; ok {
		return nil, &RemovedError{r.Title, when}
	}
	was := r.ID
	exists, err := s.place(&r, true, taken)
	if err != nil {
		return nil, err
	}
	data := r.doc.Bytes()
	if r.ID != was {
		if data, err = renamed(&r, r.ID); err != nil {
			return nil, err
		}
	}
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%w: %d bytes, at most %d", ErrInvalid, len(data), MaxBytes)
	}
	out, err := decodeAt(r.ID, s.Path(r.ID, r.Status), data)
	if err != nil {
		return nil, err
	}
	if out.Exact = true; exists != nil {
		return out, exists
	}
	return out, nil
}

// remake returns r as its file says it, with all that a file should say.
func (r *Record) remake() (*Record, error) {
	if r.was != nil {
		r.doc.Set("id", r.ID)
		r.doc.Set("project", r.Project)
		for _, f := range r.scalars() {
			if !r.doc.Has(f.key) && *f.at != "" {
				r.doc.Set(f.key, *f.at)
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
	if r.ID, err = ID(r.Project, r.Slug); err != nil {
		return nil, err
	}
	made, err := r.remake()
	if err != nil {
		return nil, err
	}
	return made.Bytes(), nil
}

// place gives r its id; exists says that the record which has it is the one that r would be.
func (s Store) place(r *Record, exact bool, taken map[string]bool) (exists *ExistsError, err error) {
	same := func(id string) (*ExistsError, error) {
		old, _, err := s.both(id)
		switch {
		case errors.Is(err, ErrNotFound):
			return nil, nil
		case old != nil && (exact || TitleKey(old.Title) == TitleKey(r.Title)):
			return &ExistsError{id, old.Status}, nil
		case old == nil && (exact || !isFront(err)):
			return nil, err
		}
		return nil, errTaken
	}
	for n := 1; n < 1000; n++ {
		slug := r.Slug
		if n > 1 {
			number := fmt.Sprintf("-%d", n)
			slug = strings.TrimRight(cutRunes(cutBytes(slug, slugBytes-len(number)), maxSlug-len(number)), "-") + number
		}
		if r.ID, err = ID(r.Project, slug); err != nil {
			return nil, err
		}
		if taken[r.ID] {
			continue
		}
		if exists, err = same(r.ID); !errors.Is(err, errTaken) {
			return exists, err
		}
	}
	return nil, fmt.Errorf("%w: a thousand records have the name %q", ErrInvalid, r.Slug)
}

var errTaken = errors.New("another title has this name")

// cleanChanges makes the entries of r's history fit to be stored, those that are not in its file yet.
func (r *Record) cleanChanges() {
	from := 0
	if r.was != nil {
		from = min(len(r.was.Changes), len(r.Changes))
	}
	r.Changes = slices.Clone(r.Changes)
	if n := len(r.Changes) - MaxChanges; r.was == nil && n > 0 {
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

// Import writes a record that was kept elsewhere, with the status, the times and the history it has; see Ready, whose errors
// it returns. Nothing is overwritten. Of a kind of which a number stay active, the oldest beyond it are retired.
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
	made, err := s.write(ready, ready.Path, "")
	if err != nil {
		return nil, err
	}
	if k, _ := KindNamed(made.Kind); made.Status == Active && s.Most(k) > 0 {
		err = s.window(made, k, s.Now())
	}
	return made, err
}
