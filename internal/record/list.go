package record

import (
	"cmp"
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

// Filter selects the records that List returns.
type Filter struct {
	Project string   // "" for all
	Kinds   []string // nil for all
	Status  []string // nil for active records
	Tags    []string // a record needs all of them
	Since   time.Time
	Match   string // a pattern (path.Match) for the slug or the id; "" for any
}

// Problem is a file that memento cannot read.
type Problem struct {
	Path string
	Err  error
}

// List returns the records that f selects, the last updated first, and the files that it cannot read. A missing folder
// has no records. Errors: path.ErrBadPattern, the disk's.
func (s Store) List(f Filter) (out []*Record, problems []Problem, err error) {
	if _, err := path.Match(f.Match, ""); err != nil {
		return nil, nil, fmt.Errorf("%q: %w", f.Match, err)
	}
	names, err := s.IDs(f.Project, f.Match)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range names {
		r, err := s.Read(id)
		if err != nil {
			if !errors.Is(err, ErrNotFound) { // else it was removed meanwhile
				problems = append(problems, Problem{s.Path(id, schema.Active), err})
			}
			continue
		}
		if f.selects(r) {
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b *Record) int {
		return cmp.Or(b.Updated.Compare(a.Updated), b.lastChange().Compare(a.lastChange()), strings.Compare(a.ID, b.ID))
	})
	return out, problems, nil
}

// HasStatus reports whether the filter selects records of this status. A filter with all of schema.Statuses selects
// every status, also an unknown one that a person wrote.
func (f Filter) HasStatus(status string) bool {
	switch {
	case f.Status == nil:
		return status == schema.Active
	case slices.Contains(f.Status, status):
		return true
	}
	return !slices.ContainsFunc(schema.Statuses(), func(s string) bool { return !slices.Contains(f.Status, s) })
}

// HasTags reports whether tags has all tags of the filter, in upper or lower case.
func (f Filter) HasTags(tags []string) bool {
	for _, t := range f.Tags {
		if !slices.ContainsFunc(tags, func(have string) bool { return strings.EqualFold(have, t) }) {
			return false
		}
	}
	return true
}

// selects reports whether the filter selects r, whatever its project and name.
func (f Filter) selects(r *Record) bool {
	return f.HasTags(r.Tags) && f.HasStatus(r.Status) && (f.Kinds == nil || slices.Contains(f.Kinds, r.Kind)) &&
		!r.Updated.Before(f.Since)
}

// IDs returns the ids of the records of a project, "" for all, readable or not, sorted: of those whose slug or id fits
// pattern (path.Match), "" for all. It reads the folder twice, so that it does not miss a record that moves from the
// archive to the folder meanwhile. Errors: the disk's.
func (s Store) IDs(project, pattern string) (ids []string, err error) {
	for _, dir := range []string{s.Dir, filepath.Join(s.Dir, naming.Archive), s.Dir} {
		entries, err := safefile.List(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			id, ok := naming.Stem(e.Name())
			if !ok || project != "" && !strings.HasPrefix(id, naming.Prefix(project)) {
				continue
			}
			_, slug, err := naming.Split(id)
			if err == nil && (pattern == "" || matches(pattern, slug) || matches(pattern, id)) {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

func matches(pattern, s string) bool {
	ok, _ := path.Match(pattern, s)
	return ok
}
