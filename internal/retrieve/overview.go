package retrieve

import (
	"slices"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/search"
)

// Reindex updates the index from every file, or with anew makes it again. It returns the number of readable records in
// it, of all projects, and how many it has just added or removed. said, unless nil, gets the number of changed records
// that are indexed so far. Errors: the disk's, for the folder.
func Reindex(s record.Store, anew bool, said func(done, all int)) (indexed, healed int, err error) {
	if anew {
		if err := search.Drop(s.Dir); err != nil {
			return 0, 0, err
		}
	}
	x, done, _, err := compare(s, reach{whole: true, said: said})
	if x == nil {
		return 0, 0, err
	}
	defer x.Close()
	broken, bad := x.Broken()
	if bad != nil {
		return 0, 0, bad
	}
	changed := slices.DeleteFunc(done.Changed, func(f search.File) bool {
		return !isRecord(f) || slices.ContainsFunc(broken, func(m search.Meta) bool { return m.ID == f.ID })
	})
	return x.Len() - len(broken), len(done.Removed) + len(changed), err
}

// isRecord reports whether the name of a file has the form of a record's.
func isRecord(f search.File) bool {
	_, _, err := naming.Split(f.ID)
	return err == nil
}
