package retrieve

import (
	"errors"
	"hash/maphash"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/search"
)

// healed is how many records a hook indexes at most. The next hook indexes the rest.
const healed = 64

// maxCompared is about how many files a comparison asks for their size, time and number, unless it is whole: that is
// most of its time. Of more records it takes others each time. A new name or a missing one is always noticed.
const maxCompared = 1024

// reach says how thorough a comparison is.
type reach struct {
	whole  bool // ask about all files, however many
	most   int  // index about as many records; 0 for all
	memory bool // index all records in memory, and leave the index alone
	said   func(done, all int)
}

// compared is an index after a comparison.
type compared struct {
	*search.Index
	more       bool             // records are left for the next hook
	whole      bool             // every file was asked about
	unreadable map[string]error // by id, the records that cannot be read
}

// compare returns the index, up to date with the name of each file and, for maxCompared or all of them, with size, time
// and number. When it cannot read or write the index, it returns an index in memory beside the error. The Index is nil
// when it cannot read the folder. The caller closes the Index.
func compare(s record.Store, r reach) (out compared, err error) {
	out.unreadable = map[string]error{}
	source := search.Source{Said: r.said, Most: r.most, Get: func(id string) ([]search.Doc, error) {
		at := stamp(s, id)
		r, err := s.Read(id)
		if err == nil {
			return []search.Doc{document(r, at)}, nil
		}
		if !errors.Is(err, record.ErrNotFound) && !errors.As(err, new(*naming.Error)) {
			out.unreadable[id] = err
		}
		return nil, err
	}}
	if source.Files, out.whole, err = stamps(s, r.whole); err != nil {
		return out, err
	}
	dir := s.Dir
	if r.memory {
		dir = ""
	}
	out.Index, out.more, err = search.Follow(dir, s.Wait, source)
	return out, err
}

// problems returns the problems with the records of a project, "" for all, and of the user.
func (x compared) problems(s record.Store, project string) (out []record.Problem) {
	for _, id := range slices.Sorted(maps.Keys(x.unreadable)) {
		if owner, _, _ := naming.Cut(id); project == "" || owner == project || owner == naming.User {
			out = append(out, record.Problem{Path: s.Path(id, schema.Active), Err: x.unreadable[id]})
		}
	}
	return out
}

// stamps returns the stamps of the files of all records, and of other files with such names, by id: a zero one where it
// did not ask, which it did for all when isWhole is true.
func stamps(s record.Store, whole bool) (out map[string]safefile.Stamp, isWhole bool, err error) {
	var names [2][]string
	folders, all := naming.Folders(s.Dir), 0
	for i, folder := range folders {
		names[i], err = safefile.Names(folder, naming.Ending)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, false, err
		}
		all += len(names[i])
	}
	out = make(map[string]safefile.Stamp, all)
	seed, parts := maphash.MakeSeed(), uint64(all/maxCompared+1)
	if whole {
		parts = 1
	}
	for i, folder := range folders {
		for _, name := range names[i] {
			id, _ := naming.Stem(name)
			if parts == 1 || maphash.String(seed, id)%parts == 0 {
				addStamp(out, id, folder)
			} else {
				out[id] = safefile.Stamp{}
			}
		}
	}
	return out, parts == 1, nil
}

// stamp returns the stamp of the record with this id.
func stamp(s record.Store, id string) safefile.Stamp {
	out := map[string]safefile.Stamp{}
	for _, folder := range naming.Folders(s.Dir) {
		addStamp(out, id, folder)
	}
	return out[id]
}

// addStamp adds the stamp of a record's file in a folder, or combines it with that of a file in the other folder.
func addStamp(out map[string]safefile.Stamp, id, folder string) {
	at, err := safefile.Stat(folder + string(filepath.Separator) + id + naming.Ending)
	if err != nil {
		return
	}
	if filepath.Base(folder) == naming.Archive { // a move by hand changes the record's status, and not the file
		at.Time++
	}
	was := out[id]
	out[id] = safefile.Stamp{Size: was.Size + at.Size, Time: max(was.Time, at.Time), Number: was.Number ^ at.Number}
}

// Heal updates the index from the folder, as far as a hook has time, and reports whether work is left. It also indexes
// a folder without an index, since a person may have put records there.
func Heal(s record.Store) (more bool) {
	x, err := compare(s, reach{most: healed})
	if x.Index == nil {
		return false
	}
	defer x.Close()
	return err == nil && x.more // an immediate second try would fail too
}

// Reindex updates the index from every file, or with anew makes it again, and returns the number of all records in it.
// said, unless nil, gets the number of changed records that are indexed so far. Errors: the disk's, for the folder.
func Reindex(s record.Store, anew bool, said func(done, all int)) (indexed int, err error) {
	if anew {
		if err := search.Drop(s.Dir); err != nil {
			return 0, err
		}
	}
	x, err := compare(s, reach{whole: true, said: said})
	if x.Index == nil {
		return 0, err
	}
	defer x.Close()
	return x.Len(), err
}
