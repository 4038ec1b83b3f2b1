package retrieve

import (
	"cmp"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/search"
)

// A comparison reads the names and numbers of all files. A file that was saved, moved, removed or replaced has another
// name or number, so the comparison notices that at once. A file that an editor wrote in place shows only in its size
// and time. The comparison reads these of so many files of a project at a time, in a hook of fewer; of all when a
// search found nothing.
const (
	lookedAt     = 2048
	lookedAtHook = 256
)

// reach says how thorough a comparison is.
type reach struct {
	project string // compare the files of this project and the user's; "" for all
	whole   bool   // compare all files, however many
	hook    bool   // compare few files, and index at most healed records
	memory  bool   // index all records in memory, and leave the index alone
	said    func(done, all int)
}

// compared is an index after a comparison.
type compared struct {
	*search.Index
	more     bool             // records are left for the next hook
	whole    bool             // the comparison read size and time of every file in reach
	problems []record.Problem // the records in reach that cannot be read
}

// compare opens the index and updates it from the folder. When it cannot read or write the index, it returns an index
// in memory beside the error. The Index is nil when it cannot read the folder, or when a hook would have to index all
// records. The caller closes the Index.
func compare(s record.Store, r reach) (out compared, err error) {
	unreadable := map[string]error{}
	source := search.Source{Look: func(id string) search.Stamp { return stamp(s, id) }, Said: r.said}
	source.Get = func(f search.File) ([]search.Doc, error) {
		d, err := readDoc(s, f.ID)
		var unnamed *naming.Error
		if err != nil && !errors.Is(err, record.ErrNotFound) && !errors.As(err, &unnamed) {
			unreadable[f.ID] = err
		}
		return []search.Doc{d}, err
	}
	if r.hook {
		source.Most = healed
	}
	var bad error
	for try := 0; ; try++ {
		x, dir, unread := search.Memory(nil), "", bad
		if !r.memory {
			var y *search.Index
			if y, unread = search.Open(s.Dir); y != nil {
				x, dir = y, s.Dir
			}
		}
		if source.Files, out.whole, err = list(s, r, x.Len()); err != nil {
			x.Close()
			return out, err
		}
		if out.Index, out.more, err = x.Follow(dir, s.Wait, source); out.Index != nil {
			out.problems = problemsOf(s, unreadable, r.project)
			return out, errors.Join(unread, err)
		}
		bad = cmp.Or(search.Drop(s.Dir), err)
		if r.memory = r.memory || try > 0; r.hook && try > 0 {
			return out, bad
		}
	}
}

// problemsOf returns the problems with the records of a project, "" for all, and of the user.
func problemsOf(s record.Store, unreadable map[string]error, project string) (out []record.Problem) {
	for _, id := range slices.Sorted(maps.Keys(unreadable)) {
		if owner, _, _ := naming.Cut(id); project == "" || owner == project || owner == naming.User {
			out = append(out, record.Problem{Path: s.Path(id, schema.Active), Err: unreadable[id]})
		}
	}
	return out
}

// list lists the files of all records, and other files with such names. about is their likely number.
func list(s record.Store, r reach, about int) (files []search.File, whole bool, err error) {
	files = make([]search.File, 0, about+64)
	var inReach []int // the indexes in files of those in reach whose size and time are unknown
	project, user := naming.Prefix(r.project), naming.Prefix(naming.User)
	folders := naming.Folders(s.Dir)
	archived := 0 // the index of the first file in the archive
	for i, folder := range folders {
		archived = len(files)
		err := safefile.Names(folder, naming.Ending, func(n safefile.Name) {
			id, _ := naming.Stem(n.Name)
			f := search.File{ID: id, Stamp: stampOf(n, i == 1)}
			if !n.Seen {
				f.Stamp.Size, f.Stamp.Time = search.Unseen, 0
				if r.project == "" || strings.HasPrefix(id, project) || strings.HasPrefix(id, user) {
					inReach = append(inReach, len(files))
				}
			}
			files = append(files, f)
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, false, err
		}
	}
	most := lookedAt
	if r.hook {
		most = lookedAtHook
	}
	whole = r.whole || len(inReach) <= most
	first := int(s.Now().UnixNano()/int64(time.Microsecond)) % max(len(inReach), 1)
	for i, at := range inReach {
		f := &files[at]
		isNext := (i-first+len(inReach))%len(inReach) < most
		if !whole && !isNext && f.Stamp.Number != 0 { // without a number only Stat shows a replaced file
			continue
		}
		folder := folders[0]
		if at >= archived {
			folder = folders[1]
		}
		if n, err := safefile.Stat(folder + string(filepath.Separator) + f.ID + naming.Ending); err == nil {
			f.Stamp = stampOf(n, at >= archived)
		}
	}
	return files, whole, nil
}

// stamp returns the stamp of the record with this id. When an interrupted move left several files, the stamp combines
// all.
func stamp(s record.Store, id string) (out search.Stamp) {
	for i, folder := range naming.Folders(s.Dir) {
		if n, err := safefile.Stat(filepath.Join(folder, id+naming.Ending)); err == nil {
			at := stampOf(n, i == 1)
			out.Size += at.Size
			out.Time = max(out.Time, at.Time)
			out.Number ^= at.Number
		}
	}
	return out
}

// readDoc returns the document to index for the record with this id. Errors: *naming.Error, those of record.Store.Read.
func readDoc(s record.Store, id string) (search.Doc, error) {
	if _, _, err := naming.Split(id); err != nil {
		return search.Doc{}, err
	}
	at := stamp(s, id)
	r, err := s.Read(id)
	if err != nil {
		return search.Doc{}, err
	}
	return document(r, at), nil
}

// Reindex updates the index from every file, or with anew makes it again. It returns the number of records in it, of
// all projects. said, unless nil, gets the number of changed records that are indexed so far. Errors: the disk's, for
// the folder.
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
