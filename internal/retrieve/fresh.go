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

// How many files a comparison looks at, besides reading the names and numbers of all. A file that was saved, moved,
// removed or replaced has another name or number, and is noticed at once; one that an editor wrote in its place is
// noticed when it is looked at. Up to lookedAll records of a project all are, of more some at a time, or all when
// nothing was found; a hook, which has less time, never looks at more.
const (
	lookedAll  = 2048
	lookedSome = 256
	// reread is how many records that could not be read are tried again each time.
	reread = 32
)

// reach is how thorough a comparison is.
type reach struct {
	project string // "" for all: whose records are looked at, besides the user's
	whole   bool   // all of them, however many
	hook    bool   // looks at few, and of those that changed indexes no more than healed
	memory  bool   // reads all of them, and leaves the index alone
	said    func(done, all int)
}

// most is how many records are indexed, 0 for all.
func (r reach) most() int {
	if r.hook {
		return healed
	}
	return 0
}

// compare opens the index and brings it up to date with the folder; done is what there was to do. whole says whether
// every file in reach was looked at. An index that could not be read or written answers all the same, beside the error;
// the caller closes it. It is nil when the folder could not be read, or where a hook would need all records for that.
func compare(s record.Store, r reach) (x *search.Index, done search.Done, whole bool, err error) {
	if r.memory {
		x, err = memory(s)
		return x, done, true, err
	}
	look := func(id string) search.Stamp { return stamp(s, id) }
	get := func(id string) (search.Doc, error) { return read(s, id) }
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
		unreadable, err := again(s, x)
		for _, id := range unreadable {
			files = slices.DeleteFunc(files, func(f search.File) bool { return f.ID == id })
			files = append(files, search.File{ID: id, Stamp: search.Stamp{Size: search.Forget}})
		}
		if err == nil {
			source := search.Source{Files: files, Look: look, Get: get, Most: r.most(), Said: r.said}
			x, done, err = x.Refresh(dir, s.Wait, source)
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

// memory is an index of all files that is written nowhere; nil when the folder could not be read.
func memory(s record.Store) (*search.Index, error) {
	files, _, err := list(s, reach{}, 0)
	if err != nil {
		return nil, err
	}
	var docs []search.Doc
	for _, f := range files {
		if d, err := read(s, f.ID); err == nil {
			docs = append(docs, d)
		}
	}
	return search.Memory(docs), nil
}

// list lists the files of all records, and others that are named much like them; about is how many there may be.
func list(s record.Store, r reach, about int) (files []search.File, whole bool, err error) {
	files = make([]search.File, 0, about+64)
	// Of each twice the place in files, and 1 for a packed file; in the archive with all bits turned over.
	inReach := make([]int32, 0, about+64)
	project, user := naming.Prefix(r.project), naming.Prefix(naming.User)
	folders := s.Folders()
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
					at := int32(len(files)) << 1
					if len(n.Name) > len(id)+len(naming.Ending) {
						at++
					}
					inReach = append(inReach, at^-int32(i))
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
		file, ending := &files[at>>1], naming.Ending
		if at&1 == 1 {
			ending = naming.Packed
		}
		if n, err := safefile.Stat(folder + string(filepath.Separator) + file.ID + ending); err == nil {
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
	for _, at := range inReach { // a file without a number shows only what looking at it shows
		if files[max(at, ^at)>>1].Stamp.Number == 0 {
			look(at)
		}
	}
	from := int(uint64(s.Now().UnixNano()/int64(time.Microsecond)) % uint64(len(inReach)))
	for i := range lookedSome {
		look(inReach[(from+i)%len(inReach)])
	}
	return files, false, nil
}

// again returns those that could not be read, and can be now: a file's rights are no part of its stamp. Errors: the
// index's.
func again(s record.Store, x *search.Index) (ids []string, err error) {
	broken, err := x.Broken()
	for _, m := range broken[:min(len(broken), reread)] {
		if d, err := read(s, m.ID); err == nil && !(d.Broken && d.Title == m.Title) {
			ids = append(ids, m.ID)
		}
	}
	return ids, err
}

// stamp is the state of the record with this id. While it has several files, because a move was cut short, it is that
// of all.
func stamp(s record.Store, id string) (out search.Stamp) {
	for i, folder := range s.Folders() {
		for _, ending := range []string{naming.Ending, naming.Packed} {
			if n, err := safefile.Stat(filepath.Join(folder, id+ending)); err == nil {
				at := stampOf(n, i == 1)
				out.Size += at.Size
				out.Time = max(out.Time, at.Time)
				out.Number ^= at.Number
			}
		}
	}
	return out
}

// read returns the record with this id as it is to be indexed: when it cannot be read, why. Errors: *naming.Error,
// record.ErrNotFound.
func read(s record.Store, id string) (search.Doc, error) {
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
