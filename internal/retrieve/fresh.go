package retrieve

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/search"
)

// A comparison reads the names and numbers of all files. A file that was saved, moved, removed or replaced has another
// name or number, so the comparison notices that at once. A file that an editor wrote in place shows only in its size
// and time. The comparison reads these of all files of a project with up to lookedAll records; of a larger project it
// reads lookedSome files at a time, or all when a search found nothing. A hook has less time and reads at most
// lookedSome.
const (
	lookedAll  = 2048
	lookedSome = 256
	// reread is how many unreadable records each comparison reads again.
	reread = 32
)

// reach says how thorough a comparison is.
type reach struct {
	project string // compare the files of this project and the user's; "" for all
	whole   bool   // compare all files, however many
	hook    bool   // compare few files, and index at most healed records
	memory  bool   // index all records in memory, and leave the index alone
	said    func(done, all int)
}

// most returns how many records to index at most, 0 for all.
func (r reach) most() int {
	if r.hook {
		return healed
	}
	return 0
}

// compare opens the index and updates it from the folder. done names the records that had changed. whole says whether
// it compared every file in reach. When it cannot read or write the index, it returns an index in memory beside the
// error. It returns nil when it cannot read the folder, or when a hook would have to index all records. The caller
// closes x.
func compare(s record.Store, r reach) (x *search.Index, done search.Done, whole bool, err error) {
	if r.memory {
		x, err = memory(s)
		return x, done, true, err
	}
	look := func(id string) search.Stamp { return stamp(s, id) }
	get := func(f search.File) ([]search.Doc, error) {
		d, err := readDoc(s, f.ID)
		return []search.Doc{d}, err
	}
	for range 2 {
		dir, unread := s.Dir, error(nil)
		if x, unread = search.Open(s.Dir); unread != nil {
			x, dir = search.Memory(nil), ""
		}
		var files []search.File
		if files, whole, err = list(s, r, x.Len()); err != nil {
			x.Close()
			return nil, done, false, err
		}
		mended, err := readableAgain(s, x)
		for _, id := range mended {
			files = slices.DeleteFunc(files, func(f search.File) bool { return f.ID == id })
			files = append(files, search.File{ID: id, Stamp: search.Stamp{Size: search.Forget}})
		}
		if err == nil {
			source := search.Source{Files: files, Look: look, Get: get, Most: r.most(), Said: r.said}
			x, done, err = x.Follow(dir, s.Wait, source)
		} else {
			x.Close()
			x = nil
		}
		if x != nil {
			return x, done, whole, errors.Join(unread, err)
		}
		if bad := search.Drop(s.Dir); bad != nil {
			err = bad
			break
		}
	}
	if r.hook {
		return nil, done, false, err
	}
	x, bad := memory(s)
	return x, done, true, cmp.Or(bad, err)
}

// memory returns an index of all records in memory, nil when the folder cannot be read.
func memory(s record.Store) (*search.Index, error) {
	files, _, err := list(s, reach{}, 0)
	if err != nil {
		return nil, err
	}
	var docs []search.Doc
	for _, f := range files {
		if d, err := readDoc(s, f.ID); err == nil {
			docs = append(docs, d)
		}
	}
	return search.Memory(docs), nil
}

// list lists the files of all records, and other files with such names. about is their likely number.
func list(s record.Store, r reach, about int) (files []search.File, whole bool, err error) {
	files = make([]search.File, 0, about+64)
	// inReach has a number for each file in reach: the file's index in files. For a file in the archive all bits of the
	// number are inverted.
	inReach := make([]int32, 0, about+64)
	project, user := naming.Prefix(r.project), naming.Prefix(naming.User)
	folders := naming.Folders(s.Dir)
	for i, folder := range folders {
		err := safefile.Names(folder, "", func(n safefile.Name) {
			id, ok := naming.Stem(n.Name)
			if !ok {
				return
			}
			f := search.File{ID: id, Stamp: stampOf(n, i == 1)}
			if !n.Seen {
				f.Stamp.Size, f.Stamp.Time = search.Unseen, 0
				if r.project == "" || strings.HasPrefix(f.ID, project) || strings.HasPrefix(f.ID, user) {
					inReach = append(inReach, int32(len(files))^-int32(i))
				}
			}
			files = append(files, f)
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, false, err
		}
	}
	look := func(at int32) {
		folder, archived := folders[0], at < 0
		if archived {
			folder, at = folders[1], ^at
		}
		file := &files[at]
		if n, err := safefile.Stat(folder + string(filepath.Separator) + file.ID + naming.Ending); err == nil {
			file.Stamp = stampOf(n, archived)
		}
	}
	all := lookedAll
	if r.hook {
		all = lookedSome
	}
	if whole = r.whole || len(inReach) <= all; whole {
		for _, at := range inReach {
			look(at)
		}
		return files, true, nil
	}
	for _, at := range inReach { // without a number only Stat shows a replaced file
		if files[max(at, ^at)].Stamp.Number == 0 {
			look(at)
		}
	}
	from := int(uint64(s.Now().UnixNano()/int64(time.Microsecond)) % uint64(len(inReach)))
	for i := range lookedSome {
		look(inReach[(from+i)%len(inReach)])
	}
	return files, false, nil
}

// readableAgain returns the broken records of the index that can be read now, or whose error is another one. A stamp
// does not show a change of a file's rights. Errors: the index's.
func readableAgain(s record.Store, x *search.Index) (ids []string, err error) {
	broken, err := x.Broken()
	for _, m := range broken[:min(len(broken), reread)] {
		if d, err := readDoc(s, m.ID); err == nil && !(d.Broken && d.Title == m.Title) {
			ids = append(ids, m.ID)
		}
	}
	return ids, err
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

// readDoc returns the document to index for the record with this id. For an unreadable record the document has the
// error. Errors: *naming.Error, record.ErrNotFound.
func readDoc(s record.Store, id string) (search.Doc, error) {
	project, _, err := naming.Split(id)
	if err != nil {
		return search.Doc{}, err
	}
	at := stamp(s, id)
	r, err := s.Read(id)
	switch {
	case err == nil:
		return document(r, at), nil
	case errors.Is(err, record.ErrNotFound):
		return search.Doc{}, err
	}
	return search.Doc{Meta: search.Meta{ID: id, Project: project, Title: err.Error(), Stamp: at, Broken: true}}, nil
}
