package exchange

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
)

// The outcomes of a draft.
const (
	New     = "new"     // Apply writes the record
	There   = "there"   // the same record exists
	Differs = "differs" // another record has this title, and stays
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

// plan is what the store holds, and what the drafts before make.
type plan struct {
	store  record.Store
	titles map[string]*record.Record // stored, by project and title
	bodies map[string]*record.Record // stored and new, by project, kind and body
	made   map[string]bool           // new, by project and title
	taken  map[string]bool           // ids
}

// Plan finds the outcome of each draft, and writes nothing. The error is the disk's.
func Plan(s record.Store, drafts []Draft) ([]Item, error) {
	p := plan{s, map[string]*record.Record{}, map[string]*record.Record{}, map[string]bool{}, map[string]bool{}}
	list, _, err := s.List(record.Filter{Status: schema.Statuses()})
	if err != nil {
		return nil, err
	}
	for _, r := range list {
		p.titles[titleKey(r)], p.bodies[bodyKey(r)] = r, r
	}
	out := make([]Item, len(drafts))
	for i, d := range drafts {
		out[i].Draft = d
		if err := p.decide(&out[i]); err != nil {
			return nil, fmt.Errorf("%s: %w", d.From, err)
		}
	}
	return out, nil
}

// titleKey is equal for two records of a project whose titles count as one.
func titleKey(r *record.Record) string { return r.Project + "\x00" + naming.TitleKey(r.Title) }

// bodyKey is equal for two records of a project that say the same.
func bodyKey(r *record.Record) string {
	return r.Project + "\x00" + r.Kind + "\x00" + strings.TrimSpace(r.Body)
}

// decide sets the outcome of a draft. A title that an earlier draft has gets the file's name behind it.
func (p *plan) decide(it *Item) error {
	r := &it.Record
	plain := titleKey(r)
	for _, beside := range []string{stem(it.From), r.Kind + " " + stem(it.From)} {
		if p.made[titleKey(r)] && !it.own {
			r.Title = naming.TitleBeside(strings.TrimSpace(r.Title), beside)
		}
	}
	ready, err := p.store.Ready(*r, p.taken)
	var exists *record.ExistsError
	switch {
	case isRefusal(err):
		it.Outcome, it.Why = Refused, err.Error()
		return nil
	case err != nil && !errors.As(err, &exists):
		return err
	}
	it.Ready, it.ID, it.Outcome = ready, ready.ID, New
	if old := p.stored(it, exists, plain); old != nil {
		if it.ID, it.Outcome = old.ID, There; bodyKey(old) != bodyKey(ready) {
			it.Outcome, it.Why = Differs, "it says something else"
		}
	} else {
		p.bodies[bodyKey(ready)] = ready
	}
	p.taken[it.ID], p.made[titleKey(r)] = true, true
	return nil
}

// isRefusal reports whether an error of record.Store.Ready is the draft's own fault.
func isRefusal(err error) bool {
	return errors.Is(err, record.ErrInvalid) || errors.Is(err, record.ErrRemoved) ||
		errors.As(err, new(*naming.Error)) || errors.As(err, new(*markdown.FrontError))
}

// stored returns the record in the place of an item, nil for none: the one that Ready found, an empty one if nobody can
// read it, or else one that says the same under the title plain or a longer one, or else one of the item's title.
func (p *plan) stored(it *Item, exists *record.ExistsError, plain string) *record.Record {
	if exists != nil {
		if r, err := p.store.Read(exists.ID); err == nil {
			return r
		}
		return &record.Record{ID: exists.ID}
	}
	if it.own { // its id decides
		return nil
	}
	old := p.bodies[bodyKey(it.Ready)]
	if old != nil && strings.TrimSpace(old.Body) != "" && strings.HasPrefix(titleKey(old), plain) {
		return old
	}
	return p.titles[titleKey(it.Ready)]
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
