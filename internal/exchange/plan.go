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
	var name *naming.Error
	var front *markdown.FrontError
	switch {
	case errors.As(err, &exists):
		it.set(ready, p.stored(exists.ID))
	case errors.Is(err, record.ErrInvalid), errors.Is(err, record.ErrRemoved), errors.As(err, &name),
		errors.As(err, &front):
		it.Outcome, it.Why = Refused, err.Error()
		return nil
	case err != nil:
		return err
	case it.own: // its id decides
		it.set(ready, nil)
	default:
		old := p.bodies[bodyKey(ready)] // perhaps under a longer title
		if old == nil || strings.TrimSpace(old.Body) == "" || !strings.HasPrefix(titleKey(old), plain) {
			old = p.titles[titleKey(ready)]
		}
		it.set(ready, old)
	}
	if it.Outcome == New {
		p.bodies[bodyKey(ready)] = ready
	}
	p.taken[it.ID], p.made[titleKey(r)] = true, true
	return nil
}

// stored returns the stored record with this id, an empty one if nobody can read it.
func (p *plan) stored(id string) *record.Record {
	r, err := p.store.Read(id)
	if err != nil {
		r = &record.Record{ID: id}
	}
	return r
}

// set makes ready the item's record. old is the stored one in its place, nil for none.
func (it *Item) set(ready, old *record.Record) {
	it.Ready, it.ID, it.Outcome = ready, ready.ID, New
	switch {
	case old == nil:
	case bodyKey(old) == bodyKey(ready):
		it.ID, it.Outcome = old.ID, There
	default:
		it.ID, it.Outcome, it.Why = old.ID, Differs, "it says something else"
	}
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
		var exists *record.ExistsError
		if errors.As(err, &exists) { // another program saved this record meanwhile
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
