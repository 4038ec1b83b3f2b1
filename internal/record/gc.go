package record

import (
	"cmp"
	"errors"
	"fmt"
	"os"
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

// GC says what a collection does. The zero value does what is due by the kinds' own rules.
type GC struct {
	Kind string                   // "" for all
	IDs  []string                 // nil for all
	Keep map[string]time.Duration // by kind, instead of the kind's own; 0: for ever
	// Grace instead of the 30 days; 0 for those.
	Grace time.Duration
	Purge bool // deletes for good what would be archived
	All   bool // with Purge, also what earlier collections archived
	Dry   bool // only say what would be done
}

// keeps is how long an active record of the kind k stays that nobody updates; 0: for ever.
func (g GC) keeps(k schema.Kind) time.Duration {
	if own, ok := g.Keep[k.Name]; ok {
		return own
	}
	return k.Keep
}

// Next returns the status that a collection at this time gives to r by the rules of g and of r's kind, without regard
// to how many of the kind stay active, and after which time it does so; "" when r stays as it is. When Purge is set and
// it returns schema.Archived, r is deleted instead.
func (g GC) Next(r *Record, now time.Time) (status string, after time.Duration) {
	keep, grace := g.keeps(r.kind()), cmp.Or(g.Grace, schema.Grace)
	over := func(since time.Time, span time.Duration) bool { return now.Sub(since) >= span }
	switch {
	case r.kind().Name == "" || r.Updated.IsZero():
	case r.Status == schema.Active && keep > 0 && over(r.Updated, keep):
		return schema.Retired, keep
	case r.Status == schema.Retired && over(r.Updated.Truncate(time.Second), grace) &&
		over(r.since(schema.Retired), grace) && !r.youngerThan(grace, now):
		return schema.Archived, grace
	}
	return "", 0
}

// dueWords is how the history of a record begins to say that a collection archived it, and no person.
const dueWords = "retired for "

// lastMove returns the last entry of r's history that gave it a status; the zero Change when there is none.
func (r *Record) lastMove() Change {
	for _, c := range slices.Backward(r.Changes) {
		if c.Field == "status" {
			return c
		}
	}
	return Change{}
}

// archivedDue reports whether a collection archived r, and nobody moved it since.
func (r *Record) archivedDue() bool {
	c := r.lastMove()
	return r.Status == schema.Archived && c.New == schema.Archived && c.Old == schema.Retired &&
		strings.HasPrefix(c.Summary, dueWords)
}

// says reports whether the last move in r's history gave it this status.
func (r *Record) says(status string) bool { return r.lastMove().New == status }

// Collected is what a collection did, by id.
type Collected struct {
	Retired, Archived, Purged []string
	Problems                  []Problem
}

// Collect retires what its kind keeps no longer and archives what was retired long ago; nothing is deleted unless
// g.Purge is set. What is completed, or was archived by a person, stays. Errors end it; what was done until then is in
// the result.
func (s Store) Collect(g GC) (out Collected, err error) {
	unlock, err := s.lock()
	if err != nil {
		return out, err
	}
	defer unlock()
	names := g.IDs
	if names == nil {
		if names, _, err = s.names("", ""); err != nil {
			return out, err
		}
	}
	read := s.heal
	if g.Dry {
		read = s.Read
	}
	var stay []*Record
	for _, id := range names {
		r, err := read(id)
		switch {
		case isNotFound(err):
			continue
		case err != nil:
			out.Problems = append(out.Problems, Problem{s.Path(id, schema.Active), err})
			continue
		}
		if k := r.kind(); k.Name == "" || g.Kind != "" && g.Kind != r.Kind {
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
	for r, most := range s.Surplus(stay) {
		if err := s.retire(g, r, fmt.Sprintf("the newest %d stay active", most), &out); err != nil {
			return out, err
		}
	}
	if out.Purged != nil && !g.Dry {
		aside := s.asides()
		for _, id := range out.Purged {
			for _, path := range aside[id] {
				if err := safefile.Remove(path); err != nil {
					return out, err
				}
			}
		}
	}
	slices.Sort(out.Retired)
	safefile.Sweep(filepath.Join(s.Dir, Archive), time.Hour, s.Now())
	return out, nil
}

// collect does with one record what is due, and notes it in out. moved says that something was.
func (s Store) collect(g GC, r *Record, out *Collected) (moved bool, err error) {
	next, after := g.Next(r, s.Now())
	switch {
	case g.Purge && (next == schema.Archived || g.All && r.archivedDue()):
		if !g.Dry {
			err = s.erase(r.ID)
		}
		if err == nil {
			out.Purged = append(out.Purged, r.ID)
		}
	case next == schema.Archived:
		if !g.Dry {
			_, err = s.turn(r, schema.Archived, dueWords+spell(after), s.Now())
		}
		if err == nil {
			out.Archived = append(out.Archived, r.ID)
		}
	case next == schema.Retired:
		err = s.retire(g, r, fmt.Sprintf("%s is kept for %s", r.kind().One(), spell(after)), out)
	default:
		return false, nil
	}
	return true, err
}

// retire retires an active record for a reason, and notes it in out.
func (s Store) retire(g GC, r *Record, reason string, out *Collected) error {
	if !g.Dry {
		if _, err := s.turn(r, schema.Retired, reason, s.Now()); err != nil {
			return err
		}
	}
	out.Retired = append(out.Retired, r.ID)
	return nil
}

// spell is a time in days, or in hours when it is no whole number of them.
func spell(d time.Duration) string {
	if d%day == 0 {
		return fmt.Sprintf("%d days", d/day)
	}
	return fmt.Sprintf("%d hours", d/time.Hour)
}

// youngerThan reports whether r has no history of its retirement, so that a person retired it in an editor, and its
// file was written less than grace ago: nothing else says since when it is retired.
func (r *Record) youngerThan(grace time.Duration, now time.Time) bool {
	if r.says(schema.Retired) {
		return false
	}
	info, err := os.Lstat(r.Path)
	return err != nil || now.Sub(info.ModTime()) < grace
}

// since returns when r came to have this status, as its history says, else when it was updated last.
func (r *Record) since(status string) time.Time {
	for _, c := range slices.Backward(r.Changes) {
		if c.Field == "status" && c.New == status {
			if t := parseTime(c.Date); !t.IsZero() {
				return t
			}
		}
	}
	return r.Updated
}

// most is how many records of a kind stay active in a project; 0: all.
func (s Store) most(k schema.Kind) int {
	if n := s.Max[k.Name]; n > 0 {
		return n
	}
	return k.Window
}

// window retires the oldest active records beyond those that stay, of the kind and project of made, which was written
// just now. The caller holds the lock.
func (s Store) window(made *Record, k schema.Kind) error {
	var names []string
	known := false
	if s.Index != nil {
		names, known = s.Index.Active(made.Project, k.Name)
	}
	if !known {
		pattern := ""
		if k.Window > 0 { // their names begin with it, see Create
			pattern = k.Name + "*"
		}
		var err error
		if names, err = s.here(made.Project, pattern); err != nil {
			return err
		}
	}
	names = slices.DeleteFunc(names, func(id string) bool { return id == made.ID })
	if len(names) < s.most(k) { // nearly always, and there is none to read
		return nil
	}
	active := []*Record{made}
	for _, id := range names {
		if r, err := s.load(id, schema.Active); err == nil && r.Kind == k.Name && r.Status == schema.Active {
			active = append(active, r)
		}
	}
	var out Collected
	for r, most := range s.Surplus(active) {
		if err := s.retire(GC{}, r, fmt.Sprintf("the newest %d stay active", most), &out); err != nil {
			return err
		}
	}
	return nil
}

// here names what stands in the folder, and not in the archive, of a project's records that fit a pattern, in no
// particular order.
func (s Store) here(project, pattern string) (ids []string, err error) {
	err = safefile.Names(s.Dir, naming.Ending, func(n safefile.Name) {
		id := strings.TrimSuffix(n.Name, naming.Ending)
		if !strings.HasPrefix(id, naming.Prefix(project)) {
			return
		}
		if _, slug, err := naming.Split(id); err == nil && (pattern == "" || matches(pattern, slug)) {
			ids = append(ids, id)
		}
	})
	return ids, err
}

// Surplus returns those of active records that do not stay so, and how many do: of each kind and project of which a
// number stay, all but the newest.
func (s Store) Surplus(active []*Record) map[*Record]int {
	type place struct{ project, kind string }
	in, out := map[place][]*Record{}, map[*Record]int{}
	for _, r := range active {
		in[place{r.Project, r.Kind}] = append(in[place{r.Project, r.Kind}], r)
	}
	for _, all := range in {
		if most := s.most(all[0].kind()); most > 0 && len(all) > most {
			slices.SortFunc(all, newest)
			for _, r := range all[most:] {
				out[r] = most
			}
		}
	}
	return out
}

// newest orders active records by when they became so, the last one first: one that was restored is as new as one made
// then.
func newest(a, b *Record) int {
	if c := b.began().Compare(a.began()); c != 0 {
		return c
	}
	if c := b.first().Compare(a.first()); c != 0 { // created within one second
		return c
	}
	return strings.Compare(b.ID, a.ID)
}

// began is when r was created or last became active again.
func (r *Record) began() time.Time {
	if r.says(schema.Active) {
		if at := r.since(schema.Active); at.After(r.Created) {
			return at
		}
	}
	return r.Created
}

// first is when the history of r begins, to the millisecond.
func (r *Record) first() time.Time {
	if len(r.Changes) == 0 {
		return r.Created
	}
	return parseTime(r.Changes[0].Date)
}

// last is when the history of r ends.
func (r *Record) last() time.Time {
	if len(r.Changes) == 0 {
		return r.Updated
	}
	return parseTime(r.Changes[len(r.Changes)-1].Date)
}

func isNotFound(err error) bool { return errors.Is(err, ErrNotFound) }

// isFront reports whether err is of what stands in a file, and not of the disk.
func isFront(err error) bool {
	return errors.As(err, new(*markdown.FrontError)) || errors.Is(err, ErrDamaged)
}
