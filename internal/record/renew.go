package record

import (
	"errors"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/schema"
)

// Renew creates r, a context or a handoff, although another one has its title. It updates an active handoff, or a
// context of the same day, section by section; beside another one r gets the day behind its title. err is the error
// that refused the title. Renew returns err if a record of another kind has the title, or if Claude would replace words
// of somebody else: Claude runs save unasked, so save must destroy nothing.
func (s Store) Renew(r Record, isClaude bool, err error) (made *Record, _ error) {
	failed := s.Alone(func(s Store) error {
		today := s.Now().Format(time.DateOnly)
		var exists *ExistsError
		for range 2 { // the record with the day behind its title may be there, too
			if !errors.As(err, &exists) {
				break
			}
			old, bad := s.Read(exists.ID)
			if bad != nil || old.Kind != r.Kind {
				break
			}
			day := old.Created.In(s.Now().Location()).Format(time.DateOnly)
			if old.Status == schema.Active && (old.Kind == "handoff" || day == today) {
				if !isClaude || old.Source == r.Source {
					made, err = s.Update(old.ID, "", "", func(o *Record) error { return renew(o, r) })
				}
				break
			}
			r.Title, r.Slug = naming.TitleBeside(r.Title, today), ""
			made, err = s.Create(r)
		}
		return err
	})
	return made, failed
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
