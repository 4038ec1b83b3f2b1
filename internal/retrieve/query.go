package retrieve

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/search"
)

// Query says which words to search for, and in which records.
type Query struct {
	Words  string
	Filter record.Filter // nil Kinds select the kinds that Shown accepts; Match is ignored
	// Own adds the user's own records to those of Filter.Project.
	Own bool
	// Shown accepts the kinds to show when Filter names none; nil accepts all. Hidden kinds are never shown so.
	Shown func(kind string) bool
	Limit int
	// Said, unless nil, receives how many of the changed records are indexed so far.
	Said func(done, all int)
}

// Found is a record that answers a query.
type Found struct {
	*record.Record
	Score   float64
	Snippet string // a passage of its text, with line ends
	Clear   bool   // see search.Hit
}

// keep returns the selection of q's records for the index.
func (q Query) keep() search.Keep {
	k := search.Keep{Among: q.among, Last: func(m search.Meta) bool {
		return schema.Over(m.Stage) || m.Status == schema.Retired || m.Status == schema.Archived
	}}
	if !q.Filter.Since.IsZero() || len(q.Filter.Tags) > 0 {
		k.Record = q.matches
	}
	return k
}

// among reports whether q selects records with m's kind, project and status.
func (q Query) among(m search.Meta) bool {
	f := q.Filter
	switch {
	case f.Project != "" && m.Project != f.Project && !(q.Own && own(m)):
		return false
	case !f.HasStatus(m.Status):
		return false
	case f.Kinds == nil && !shown(m.Kind, q.Shown), f.Kinds != nil && !slices.Contains(f.Kinds, m.Kind):
		return false
	}
	return true
}

// matches reports whether q selects a record with m's time and tags.
func (q Query) matches(m search.Meta) bool {
	f := q.Filter
	if !f.Since.IsZero() && time.Unix(m.Updated, 0).Before(f.Since.Truncate(time.Second)) {
		return false
	}
	for _, t := range f.Tags {
		if !slices.ContainsFunc(m.Tags, func(have string) bool { return strings.EqualFold(have, t) }) {
			return false
		}
	}
	return true
}

// own reports whether a record is the user's and holds in every project.
func own(m search.Meta) bool {
	k, ok := schema.Named(m.Kind)
	return m.Project == naming.User && ok && (k.Personal || k.Shared)
}

// shown reports whether a kind is shown when nobody asked for it.
func shown(kind string, may func(string) bool) bool {
	k, ok := schema.Named(kind)
	return !(ok && k.Hidden) && (may == nil || may(kind))
}

// Search returns the records that answer q, best first and closed records last, and the files of q's project that it
// cannot read. The answer is right even when the index is damaged; a Problem with the path of the index says that
// Search could not use the index. Errors: the disk's, for the folder. A missing folder is empty.
func Search(s record.Store, q Query) (out []Found, problems []record.Problem, err error) {
	r := reach{project: q.Filter.Project, said: q.Said}
	var damaged error
	for try := 0; ; try++ {
		x, _, whole, err := compare(s, r)
		if x == nil {
			return nil, nil, err
		}
		hits, bad := x.Query(q.Words, q.keep(), q.Limit)
		if bad != nil { // a page that only this query read is damaged
			x.Close()
			if r.memory {
				return nil, nil, bad
			}
			if r.memory = try >= 2 || search.Drop(s.Dir) != nil; r.memory {
				damaged = bad
			}
			continue
		}
		out, stale := readHits(s, hits)
		if (stale || !whole && len(hits) == 0) && try < 2 {
			x.Close()
			r.whole = true
			continue
		}
		problems, bad = unreadable(s, x, q.Filter.Project)
		x.Close()
		if err = errors.Join(err, damaged, bad); err != nil {
			problems = append(problems, record.Problem{Path: filepath.Join(s.Dir, search.Folder), Err: err})
		}
		return out, problems, nil
	}
}

// readHits reads the records of hits. It leaves out records that changed since they were indexed; stale says that there
// are some.
func readHits(s record.Store, hits []search.Hit) (out []Found, stale bool) {
	for _, h := range hits {
		at := stamp(s, h.ID)
		r, err := s.Read(h.ID)
		if err != nil || at != h.Stamp || r.Kind != h.Kind || r.Status != h.Status {
			stale = true
			continue
		}
		out = append(out, Found{r, h.Score, passage(words(r), h.From, h.To), h.Clear()})
	}
	return out, stale
}

// wide is the size, in bytes, up to which a passage takes in the lines around it.
const wide = 160

// passage returns the text between from and to, with the lines around it while it stays within wide bytes.
func passage(s string, from, to int) string {
	from, to = min(max(from, 0), len(s)), min(max(to, from, 0), len(s))
	for grown := true; grown; {
		grown = false
		if next := strings.IndexByte(s[to:], '\n') + 1; next > 0 && to+next-from <= wide {
			to, grown = to+next, true
		} else if next == 0 && to < len(s) && len(s)-from <= wide {
			to = len(s)
		}
		if from > 0 {
			if start := strings.LastIndexByte(s[:from-1], '\n') + 1; to-start <= wide {
				from, grown = start, true
			}
		}
	}
	return search.Snippet(s, from, to)
}

// unreadable returns the records of a project, or of all, that cannot be read. Errors: the index's.
func unreadable(s record.Store, x *search.Index, project string) (out []record.Problem, err error) {
	broken, err := x.Broken()
	for _, m := range broken {
		if project != "" && m.Project != project && m.Project != naming.User {
			continue
		}
		path := s.Path(m.ID, schema.Active)
		_, err := s.Read(m.ID)
		if err == nil || errors.Is(err, record.ErrNotFound) {
			continue
		}
		out = append(out, record.Problem{Path: path, Err: err})
	}
	return out, err
}
