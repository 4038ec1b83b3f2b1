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

// Overview sums up the records of a project.
type Overview struct {
	Newest   []search.Meta  // active records, the last changed first
	Kinds    map[string]int // the number of active records by kind
	Statuses map[string]int // the number of records by status
	Blockers []string       // of the newest session or handoff
	Indexed  int            // the number of readable records in the index, of all projects
	Healed   int            // how many of them Look has just added or removed
	Problems []record.Problem
}

// LoadOverview updates the index from every file, or builds it anew when rebuild is set. It returns the overview of a
// project with at most limit of the newest records. said, unless nil, gets the number of changed records that are
// indexed so far. Errors: the disk's, for the folder.
func LoadOverview(s record.Store, project string, rebuild bool, limit int, said func(done, all int)) (
	o Overview, err error,
) {
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
	problems, err := unreadable(s, x, project)
	if err != nil {
		return o, err
	}
	o.Problems = append(o.Problems, problems...)
	broken, err := x.Broken()
	if err != nil {
		return o, err
	}
	changed := slices.DeleteFunc(done.Changed, func(id string) bool {
		return !isRecordID(id) || slices.ContainsFunc(broken, func(m search.Meta) bool { return m.ID == id })
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
	slices.SortFunc(o.Newest, compareNewest)
	for _, m := range o.Newest {
		if m.Kind == "session" || m.Kind == "handoff" {
			o.Blockers = blockers(s, m.ID)
			break
		}
	}
	o.Newest = o.Newest[:min(len(o.Newest), limit)]
	return o, nil
}

// blockers returns the items in a record's section of blockers.
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

// isRecordID reports whether id has the form of a record's id.
func isRecordID(id string) bool {
	_, _, err := naming.Split(id)
	return err == nil
}
