package retrieve

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/search"
)

// Overview is what there is of a project.
type Overview struct {
	Newest   []search.Meta  // active records, the one changed last first
	Kinds    map[string]int // active records
	Statuses map[string]int
	Blockers []string // as the newest session or handoff has them
	Indexed  int      // records in the index, of all projects
	Healed   int      // of those, how many were indexed anew or taken out just now
	Problems []record.Problem
}

// Look brings the index up to date with every file, or builds it anew when rebuild is set, and returns the overview of
// a project with the newest records, at most limit. A said that is not nil is told how many of the records that changed
// were indexed so far. Errors: what the disk said of the folder.
func Look(s record.Store, project string, rebuild bool, limit int, said func(done, all int)) (o Overview, err error) {
	if rebuild {
		if err := search.Drop(s.Dir); err != nil {
			o.Problems = append(o.Problems, record.Problem{Path: filepath.Join(s.Dir, search.Folder), Err: err})
		}
	}
	x, done, _, bad := compare(s, reach{whole: true, said: said})
	if x == nil {
		return o, bad
	}
	defer x.Close()
	if bad != nil {
		o.Problems = append(o.Problems, record.Problem{Path: filepath.Join(s.Dir, search.Folder), Err: bad})
	}
	problems, err := troubles(s, x, project)
	if err != nil {
		return o, err
	}
	o.Problems = append(o.Problems, problems...)
	broken, err := x.Broken()
	if err != nil {
		return o, err
	}
	changed := slices.DeleteFunc(done.Changed, func(id string) bool {
		return !named(id) || slices.ContainsFunc(broken, func(m search.Meta) bool { return m.ID == id })
	})
	o.Healed = len(done.Removed) + len(changed)
	o.Kinds, o.Statuses = map[string]int{}, map[string]int{}
	o.Indexed = x.Len() - len(broken)
	among := func(m search.Meta) bool { return !m.Broken && m.Project == project }
	err = x.Each(search.Keep{Among: among}, func(m search.Meta) bool {
		o.Statuses[m.Status]++
		if m.Status == schema.Active {
			o.Kinds[m.Kind]++
			o.Newest = append(o.Newest, m)
		}
		return true
	})
	if err != nil {
		return o, err
	}
	slices.SortFunc(o.Newest, newest)
	for _, m := range o.Newest {
		if m.Kind == "session" || m.Kind == "handoff" {
			o.Blockers = blockers(s, m.ID)
			break
		}
	}
	o.Newest = o.Newest[:min(len(o.Newest), limit)]
	return o, nil
}

// blockers are what a record lists as such.
func blockers(s record.Store, id string) (out []string) {
	r, err := s.Read(id)
	if err != nil {
		return nil
	}
	words, _ := markdown.Text(r.Body, "Blockers")
	for _, item := range markdown.Items(words) {
		if !strings.EqualFold(strings.Trim(item, ". "), "none") {
			out = append(out, item)
		}
	}
	return out
}

// named reports whether id is the name of a record.
func named(id string) bool {
	_, _, err := naming.Split(id)
	return err == nil
}
