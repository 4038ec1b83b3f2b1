package record

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

const day = 24 * time.Hour

// GC says what a collection does. The zero value follows the rules of each kind.
type GC struct {
	IDs   []string                 // nil for all
	Keep  map[string]time.Duration // by kind, instead of the kind's own; 0 for ever
	Max   map[string]int           // by kind, how many stay active in a project; 0 for the kind's own number
	Grace time.Duration            // how long a retired record stays; 0 for 30 days
	Purge bool                     // deletes records for good instead of archiving them
	Dry   bool                     // changes nothing
}

// lastMove returns the last entry of r's history that changed the status, the zero Change when there is none.
func (r *Record) lastMove() Change {
	for _, c := range slices.Backward(r.Changes) {
		if c.Field == "status" {
			return c
		}
	}
	return Change{}
}

// Collected lists the ids of the records that a collection changed.
type Collected struct {
	Retired, Archived, Purged []string
	Problems                  []Problem
}

// Collect retires records that their kind does not keep active any longer, and archives records that were retired long
// ago. It deletes nothing unless g.Purge is set. Completed records stay, and so do those that a person archived. An
// error ends the collection; the result has what was done before.
func (s Store) Collect(g GC) (out Collected, err error) {
	unlock, err := s.lock()
	if err != nil {
		return out, err
	}
	defer unlock()
	names := g.IDs
	if names == nil {
		if names, err = s.IDs("", ""); err != nil {
			return out, err
		}
	}
	var stay []*Record
	for _, id := range names {
		r, err := s.open(id)
		switch {
		case isNotFound(err):
			continue
		case err != nil:
			out.Problems = append(out.Problems, Problem{s.Path(id, schema.Active), err})
			continue
		}
		if r.kind().Name == "" {
			continue
		}
		moved, err := s.collect(g, r, &out)
		if err != nil {
			return out, err
		}
		if !moved && r.Status == schema.Active {
			stay = append(stay, r)
		}
	}
	for r, most := range g.surplus(stay) {
		if err := s.retire(g, r, fmt.Sprintf("the newest %d stay active", most), &out); err != nil {
			return out, err
		}
	}
	slices.Sort(out.Retired)
	safefile.Sweep(filepath.Join(s.Dir, naming.Archive), time.Hour, s.Now())
	return out, nil
}

// collect changes one record if it is due, and notes that in out. It reports whether it changed the record. A record
// that a person retired in an editor stays, since its history does not say when that was.
func (s Store) collect(g GC, r *Record, out *Collected) (moved bool, err error) {
	keep, isSet := g.Keep[r.Kind]
	if !isSet {
		keep = r.kind().Keep
	}
	grace, move := cmp.Or(g.Grace, schema.Grace), r.lastMove()
	isOver := func(since time.Time, span time.Duration) bool {
		return !r.Updated.IsZero() && s.Now().Sub(since.Truncate(time.Second)) >= span
	}
	switch {
	case r.Status == schema.Active && keep > 0 && isOver(r.Updated, keep):
		err = s.retire(g, r, fmt.Sprintf("%s is kept for %d days", r.kind().One(), keep/day), out)
		return err == nil, err
	case r.Status != schema.Retired, move.New != schema.Retired, !isOver(r.Updated, grace), !isOver(move.When(), grace):
		return false, nil
	case g.Purge:
		out.Purged = append(out.Purged, r.ID)
	default:
		out.Archived = append(out.Archived, r.ID)
	}
	switch {
	case g.Dry:
	case g.Purge:
		err = s.erase(r.ID)
	default:
		_, err = s.setStatus(r, schema.Archived, fmt.Sprintf("retired for %d days", grace/day), s.Now())
	}
	return true, err
}

// retire retires an active record for a reason, and notes that in out.
func (s Store) retire(g GC, r *Record, reason string, out *Collected) error {
	if !g.Dry {
		if _, err := s.setStatus(r, schema.Retired, reason, s.Now()); err != nil {
			return err
		}
	}
	out.Retired = append(out.Retired, r.ID)
	return nil
}

// Most returns how many records of a kind stay active in a project; 0 for all.
func (g GC) Most(kind schema.Kind) int { return cmp.Or(g.Max[kind.Name], kind.Window) }

// surplus returns the active records beyond the limit of their kind and project, with that limit. The newest stay.
func (g GC) surplus(active []*Record) map[*Record]int {
	type place struct{ project, kind string }
	in, out := map[place][]*Record{}, map[*Record]int{}
	for _, r := range active {
		in[place{r.Project, r.Kind}] = append(in[place{r.Project, r.Kind}], r)
	}
	for _, all := range in {
		if most := g.Most(all[0].kind()); most > 0 && len(all) > most {
			slices.SortFunc(all, compareNewest)
			for _, r := range all[most:] {
				out[r] = most
			}
		}
	}
	return out
}

// compareNewest orders active records by when they became active, the last one first. A restored record is as new as a
// record that was made at the time of the restore.
func compareNewest(a, b *Record) int {
	return cmp.Or(b.activeSince().Compare(a.activeSince()), b.firstChange().Compare(a.firstChange()),
		strings.Compare(b.ID, a.ID))
}

// activeSince returns when r was created or last became active again.
func (r *Record) activeSince() time.Time {
	if r.lastMove().New == schema.Active {
		if at := r.lastMove().When(); at.After(r.Created) {
			return at
		}
	}
	return r.Created
}

// firstChange returns the time of the first entry of r's history, to the millisecond.
func (r *Record) firstChange() time.Time {
	if len(r.Changes) == 0 {
		return r.Created
	}
	return ParseTime(r.Changes[0].Date)
}

// lastChange returns the time of the last entry of r's history.
func (r *Record) lastChange() time.Time {
	if len(r.Changes) == 0 {
		return r.Updated
	}
	return ParseTime(r.Changes[len(r.Changes)-1].Date)
}

func isNotFound(err error) bool { return errors.Is(err, ErrNotFound) }

// isFront reports whether err is about the content of a file, and not the disk's.
func isFront(err error) bool { return errors.As(err, new(*markdown.FrontError)) }
