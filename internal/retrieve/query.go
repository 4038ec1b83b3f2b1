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

// Query is what is looked for, and where.
type Query struct {
	Words  string
	Filter record.Filter // Kinds nil: those that Shown lets through; Match does not count
	// Own adds to the records of Filter.Project the user's own.
	Own bool
	// Shown says which kinds are shown though nobody asked for them; nil: all that are not Hidden.
	Shown func(kind string) bool
	Limit int
	// Said, unless nil, is told how many of the records that changed were indexed so far.
	Said func(done, all int)
}

// Found is one record that answers a query, best first.
type Found struct {
	*record.Record
	Score   float64
	Snippet string // of its text, with its line ends
	Clear   bool   // see search.Hit
}

// keep says which records q may find.
func (q Query) keep() search.Keep {
	k := search.Keep{Among: q.among, Last: func(m search.Meta) bool {
		return schema.Over(m.State) || m.Status == schema.Retired || m.Status == schema.Archived
	}}
	if !q.Filter.Since.IsZero() || len(q.Filter.Tags) > 0 {
		k.Record = q.each
	}
	return k
}

// among is keep as far as the kind, the project and the status decide.
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

// each is the rest of keep.
func (q Query) each(m search.Meta) bool {
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

// own reports whether a record is the user's and may concern any project.
func own(m search.Meta) bool {
	k, ok := schema.Named(m.Kind)
	return m.Project == naming.User && ok && (k.Personal || k.Shared)
}

func shown(kind string, may func(string) bool) bool {
	k, ok := schema.Named(kind)
	return !(ok && k.Hidden) && (may == nil || may(kind))
}

// Search returns the records that answer q, best first, those that no longer hold behind the others, and the files in
// its reach that could not be read. What it returns is right whatever the index holds; a Problem whose path is the
// index's says that it could not be used. Errors: what the disk said of the folder. A folder that is not there holds
// nothing.
func Search(s record.Store, q Query) (out []Found, problems []record.Problem, err error) {
	r := reach{project: q.Filter.Project, said: q.Said}
	var damaged error
	for try := 0; ; try++ {
		x, _, whole, err := compare(s, r)
		if x == nil {
			return nil, nil, err
		}
		hits, bad := x.Query(q.Words, q.keep(), q.Limit)
		if bad != nil { // damaged where only this look-up came
			x.Close()
			if r.memory {
				return nil, nil, bad
			}
			if r.memory = try >= 2 || search.Drop(s.Dir) != nil; r.memory {
				damaged = bad
			}
			continue
		}
		out, stale := take(s, hits)
		if (stale || !whole && len(hits) == 0) && try < 2 {
			x.Close()
			r.whole = true
			continue
		}
		problems, bad = troubles(s, x, q.Filter.Project)
		x.Close()
		if err = errors.Join(err, damaged, bad); err != nil {
			problems = append(problems, record.Problem{Path: filepath.Join(s.Dir, search.Folder), Err: err})
		}
		return out, problems, nil
	}
}

// take reads the records of hits. stale says that one is not as it was indexed; it is left out.
func take(s record.Store, hits []search.Hit) (out []Found, stale bool) {
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

// wide is how much text a passage has at most before it is shown with its neighbours, in bytes.
const wide = 160

// passage is the text between from and to, with the lines around it as far as they are short.
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

// troubles are the records of a project, or all, that could not be read. Errors: the index's.
func troubles(s record.Store, x *search.Index, project string) (out []record.Problem, err error) {
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
