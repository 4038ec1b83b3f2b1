package record

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/schema"
)

// Renew creates r, a context or a handoff, although another one has its title. It updates an active handoff, or a
// context of the same day, section by section; it renames another one, so that the title is free. err is the error that
// refused the title. Renew returns err if a record of another kind has the title, or if Claude would replace words of
// somebody else: Claude runs save unasked, so save must destroy nothing.
func (s Store) Renew(r Record, isClaude bool, err error) (made *Record, _ error) {
	var exists *ExistsError
	if !errors.As(err, &exists) {
		return nil, err
	}
	err = s.Alone(func(s Store) error {
		now := s.Now()
		old, bad := s.Read(exists.ID)
		if bad != nil || old.Kind != r.Kind {
			return err
		}
		day := old.Created.In(now.Location()).Format(time.DateOnly)
		if old.Status == schema.Active && (old.Kind == "handoff" || day == now.Format(time.DateOnly)) {
			if isClaude && old.Source != r.Source {
				return err
			}
			made, err = s.Update(old.ID, "", "", func(o *Record) error { return renew(o, r) })
			return err
		}
		if err := s.putByDay(old, day); err != nil {
			return err
		}
		made, err = s.Create(r)
		return err
	})
	return made, err
}

// renew puts the sections of r into o, and adds the tags and files of r.
func renew(o *Record, r Record) (err error) {
	for _, part := range markdown.Sections(r.Body) {
		words, _ := markdown.Text(r.Body, part.Heading)
		if o.Body, err = markdown.SetSection(o.Body, part.Heading, words); err != nil {
			return err
		}
	}
	o.Source = r.Source
	o.Tags = append(slices.Clone(o.Tags), r.Tags...)
	o.Files = append(slices.Clone(o.Files), r.Files...)
	if r.Confidence != "" {
		o.Confidence = r.Confidence
	}
	if r.Stage != "" {
		o.Stage = r.Stage
	}
	return nil
}

// putByDay puts the day before the name of a record and behind its title. The record's time stays.
func (s Store) putByDay(old *Record, day string) error {
	id, title := old.ID, naming.TitleBeside(old.Title, day)
	if !strings.HasPrefix(old.Slug, day) {
		to, err := naming.ID(old.Project, naming.Slug(day+"-"+old.Slug))
		if err != nil {
			return err
		}
		if err := s.Rename(id, to); err != nil {
			return err
		}
		id = to
	}
	_, err := s.Update(id, "", "another of its title was saved", func(o *Record) error {
		o.Title, o.KeepTime = title, true
		return nil
	})
	return err
}
