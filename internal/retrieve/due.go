package retrieve

import (
	"cmp"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/search"
)

// Count returns the number of active records of project and the user's own. It counts kinds that may accepts, and no
// kinds that memento writes unasked. It trusts the index. Without an index it is 0.
func Count(s record.Store, project string, may func(kind string) bool) (sum int) {
	x, err := search.Open(s.Dir)
	if err != nil {
		return 0
	}
	defer x.Close()
	q := Query{Filter: record.Filter{Project: project}, Own: true, Shown: may}
	sum, err = x.Count(func(m search.Meta) bool {
		k, _ := schema.Named(m.Kind)
		return !k.Unasked && q.among(m) && !schema.Over(m.Stage)
	})
	if err != nil {
		return 0
	}
	return sum
}

// Rules returns the rules of a collection under these settings, for every kind.
func Rules(c config.Config) record.GC {
	const day = 24 * time.Hour
	g := record.GC{Grace: cmp.Or(time.Duration(c.GraceDays)*day, schema.Grace), Keep: map[string]time.Duration{},
		Max: map[string]int{}, Purge: c.PurgeRetired}
	for _, k := range schema.Kinds {
		g.Keep[k.Name], g.Max[k.Name] = k.Keep, c.Kind(k.Name).Max
		if days := c.Kind(k.Name).RetentionDays; days >= 0 {
			g.Keep[k.Name] = time.Duration(days) * day
		}
	}
	return g
}

// maxDue is how many records Due names for their age: a hook has only milliseconds, and later hooks name the rest.
const maxDue = 200

// Due names the records of the index that a collection by the rules g may change: those whose time is over, and of the
// kinds of which too many are active in a project all active ones. g comes from Rules.
func Due(s record.Store, g record.GC) (ids []string) {
	x, err := search.Open(s.Dir)
	if err != nil {
		return nil
	}
	defer x.Close()
	now := s.Now()
	term := func(m search.Meta) time.Duration { // the time until a record is due; 0 for never
		switch m.Status {
		case schema.Retired:
			return g.Grace
		case schema.Active:
			return g.Keep[m.Kind]
		}
		return 0
	}
	most := func(m search.Meta) int {
		k, _ := schema.Named(m.Kind)
		return g.Most(k)
	}
	type place struct{ project, kind string }
	active := map[place][]string{} // of the kinds with a limit
	among := func(m search.Meta) bool { return term(m) > 0 || m.Status == schema.Active && most(m) > 0 }
	_ = x.Each(search.Keep{Among: among}, func(m search.Meta) bool { // a damaged index names fewer
		if at := (place{m.Project, m.Kind}); m.Status == schema.Active && most(m) > 0 {
			active[at] = append(active[at], m.ID)
		}
		if m.Updated > 0 && term(m) > 0 && now.Sub(time.Unix(m.Updated, 0)) >= term(m) {
			ids = append(ids, m.ID)
		}
		return len(ids) < maxDue
	})
	for at, all := range active {
		if k, _ := schema.Named(at.kind); len(all) > g.Most(k) {
			ids = append(ids, all...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
