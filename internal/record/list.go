package record

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
)

// Filter says which records List returns.
type Filter struct {
	Project string   // "" for all
	Kinds   []string // nil for all
	Status  []string // nil for active ones
	Tags    []string // all of them
	Since   time.Time
	Match   string // a pattern (path.Match) that the slug or the id fits; "" for any
}

// Problem is a file that could not be read.
type Problem struct {
	Path string
	Err  error
}

// List returns the records that f lets through, the one updated last first, and the files that could not be read. A
// folder that is not there has none. Errors: path.ErrBadPattern, the disk's.
func (s Store) List(f Filter) (out []*Record, problems []Problem, err error) {
	if _, err := path.Match(f.Match, ""); err != nil {
		return nil, nil, fmt.Errorf("%q: %w", f.Match, err)
	}
	names, archived, err := s.names(f.Project, f.Match)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range names {
		r, err := (*Record)(nil), fs.ErrNotExist
		if !archived[id] { // it stands in one place: half the files to open
			r, err = s.load(id, schema.Active)
		}
		if errors.Is(err, fs.ErrNotExist) {
			r, err = s.Read(id)
		}
		if err != nil {
			if !errors.Is(err, ErrNotFound) { // it went meanwhile
				problems = append(problems, Problem{s.Path(id, schema.Active), err})
			}
			continue
		}
		if f.lets(r) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b *Record) int {
		if c := b.Updated.Compare(a.Updated); c != 0 {
			return c
		}
		if c := b.last().Compare(a.last()); c != 0 { // within one second
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out, problems, nil
}

// Stands reports whether the filter lets a record of this status through. All of schema.Statuses let everything
// through, also a status that is none, as a person may have written one.
func (f Filter) Stands(status string) bool {
	switch {
	case f.Status == nil:
		return status == schema.Active
	case slices.Contains(f.Status, status):
		return true
	}
	return !slices.ContainsFunc(schema.Statuses(), func(s string) bool { return !slices.Contains(f.Status, s) })
}

func (f Filter) lets(r *Record) bool {
	for _, t := range f.Tags {
		if !slices.ContainsFunc(r.Tags, func(have string) bool { return strings.EqualFold(have, t) }) {
			return false
		}
	}
	return f.Stands(r.Status) && (f.Kinds == nil || slices.Contains(f.Kinds, r.Kind)) && !r.Updated.Before(f.Since)
}

// names lists the ids in the folder and the archive, sorted, and which are in the archive. The folder is looked at
// twice: a record that moves from the archive to it meanwhile is in neither look at both.
func (s Store) names(project, pattern string) (ids []string, archived map[string]bool, err error) {
	archived = map[string]bool{}
	for i, dir := range []string{s.Dir, filepath.Join(s.Dir, Archive), s.Dir} {
		entries, err := safefile.List(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		for _, e := range entries {
			id, ok := naming.Stem(e.Name())
			if !ok || project != "" && !strings.HasPrefix(id, naming.Prefix(project)) {
				continue
			}
			_, slug, err := naming.Split(id)
			if err == nil && (pattern == "" || matches(pattern, slug) || matches(pattern, id)) {
				ids = append(ids, id)
				if i == 1 {
					archived[id] = true
				}
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), archived, nil
}

func matches(pattern, s string) bool {
	ok, _ := path.Match(pattern, s)
	return ok
}
