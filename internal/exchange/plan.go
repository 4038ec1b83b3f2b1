package exchange

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
)

// The outcomes of a draft.
const (
	New     = "new"     // Apply writes the record
	There   = "there"   // the same record exists
	Differs = "differs" // another record has this name, and stays
	Refused = "refused" // the draft makes no valid record
)

// Item is a draft and its outcome.
type Item struct {
	Draft
	Ready   *record.Record // the record that Apply writes; nil if refused
	Outcome string
	Why     string
	ID      string // of the new or the existing record
}

// Plan finds the outcome of each draft, and writes nothing. The error is the disk's.
func Plan(s record.Store, drafts []Draft) ([]Item, error) {
	out, taken := make([]Item, len(drafts)), map[string]bool{}
	for i, d := range drafts {
		out[i].Draft = d
		if err := out[i].decide(s, taken); err != nil {
			return nil, fmt.Errorf("%s: %w", d.From, err)
		}
	}
	return out, nil
}

// decide sets the outcome of a draft. taken holds the ids of those before; a taken name gets the kind before it.
func (it *Item) decide(s record.Store, taken map[string]bool) error {
	names := []string{it.Record.Slug, naming.Slug(it.Record.Kind + " " + it.Record.Slug)}
	if it.own {
		names = names[:1]
	}
	for _, name := range names {
		it.Record.Slug = name
		ready, err := s.Ready(it.Record)
		var exists *record.ExistsError
		switch {
		case errors.Is(err, record.ErrInvalid), errors.Is(err, record.ErrRemoved), errors.As(err, new(*naming.Error)),
			errors.As(err, new(*markdown.FrontError)):
			it.Outcome, it.Why = Refused, err.Error()
			return nil
		case err != nil && !errors.As(err, &exists):
			return err
		case taken[ready.ID]:
			continue
		}
		taken[ready.ID] = true
		it.Ready, it.ID, it.Outcome = ready, ready.ID, New
		if exists == nil {
			return nil
		}
		old, err := s.Read(ready.ID)
		if err == nil && old.Kind == ready.Kind && strings.TrimSpace(old.Body) == strings.TrimSpace(ready.Body) {
			it.Outcome = There
		} else {
			it.Outcome, it.Why = Differs, "it says something else"
		}
		return nil
	}
	it.Outcome, it.Why = Refused, "another file here has its name"
	return nil
}

// Apply writes the new records and returns how many it wrote. It ends at the first error of the disk: the records
// written until then stay, and a second Apply goes on from there. progress, unless nil, is called before each record.
func Apply(s record.Store, items []Item, progress func(done, all int)) (n int, err error) {
	for i := range items {
		it := &items[i]
		if it.Outcome != New {
			continue
		}
		if progress != nil {
			progress(i, len(items))
		}
		made, err := s.Import(*it.Ready)
		if errors.As(err, new(*record.ExistsError)) { // another program saved this record meanwhile
			it.Outcome, it.Why = Differs, err.Error()
			continue
		}
		if made != nil {
			n++
			it.ID = made.ID
		}
		if err != nil {
			return n, fmt.Errorf("%s: %w", it.From, err)
		}
	}
	return n, nil
}
