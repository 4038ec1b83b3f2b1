package search

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// Folder is where the index stands in memento's folder. All of it may be removed at any time.
const Folder = "index"

const (
	baseName = "base"
	tailName = "tail"
)

// Index is the index as it was when it was opened. It answers from the files it holds open, whatever is written later.
type Index struct {
	segments []*segment // base, then tail; either may be missing
	files    []*os.File
	gen      uint64
}

// Open reads the index in dir, memento's folder. One that is missing, damaged or of another version is an empty Index and
// no error: Diff then names every record as changed. Errors: safefile.ErrRefused, or what the disk said. The caller closes
// it.
func Open(dir string) (*Index, error) {
	x := &Index{}
	if _, err := safefile.Shared(filepath.Join(dir, Folder)); err != nil { // a link, or another user's
		return nil, err
	}
	for try := 0; ; try++ {
		base, err := x.open(filepath.Join(dir, Folder, baseName))
		if err != nil {
			x.Close()
			return nil, err
		}
		if base == nil {
			return x, nil
		}
		tail, err := x.open(filepath.Join(dir, Folder, tailName))
		if err != nil {
			x.Close()
			return nil, err
		}
		if tail != nil && tail.gen > base.gen && try < 3 { // the base was replaced in between
			x.Close()
			continue
		}
		x.gen = base.gen
		x.segments = append(x.segments, base)
		if tail != nil && tail.gen == base.gen {
			x.segments = append(x.segments, tail)
			base.bury(tail)
		}
		return x, nil
	}
}

// There reports whether there is an index in dir, memento's folder, in whatever state.
func There(dir string) bool {
	_, err := safefile.Stat(filepath.Join(dir, Folder, baseName))
	return err == nil
}

// open returns the segment at path, nil when there is none that can be used.
func (x *Index) open(path string) (*segment, error) {
	if err := safefile.Check(path); err != nil {
		return nil, err
	}
	f, err := safefile.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		var s *segment
		if s, err = load(f, info.Size()); err == nil {
			x.files = append(x.files, f)
			return s, nil
		}
	}
	f.Close()
	if errors.Is(err, ErrCorrupt) {
		err = nil
	}
	return nil, err
}

// Close releases the files.
func (x *Index) Close() {
	for _, f := range x.files {
		f.Close()
	}
	x.files, x.segments = nil, nil
}

// bury marks what tail replaces or removes.
func (s *segment) bury(tail *segment) {
	mark := func(id uint64) {
		if i, ok := s.find(id); ok {
			if s.dead == nil {
				s.dead = make([]bool, len(s.rows))
			}
			s.dead[i] = true
		}
	}
	for _, r := range tail.rows {
		mark(r.id)
	}
	for _, id := range tail.removed {
		mark(id)
	}
}

// Len returns how many records the index holds.
func (x *Index) Len() int {
	n := 0
	for _, s := range x.segments {
		n += len(s.rows)
		for _, d := range s.dead {
			if d {
				n--
			}
		}
	}
	return n
}

// File is a record as it stands in its folder now.
type File struct {
	ID    string
	Stamp Stamp
}

// has reports whether the index holds the record, in whatever state.
func (x *Index) has(id string) bool {
	for _, s := range x.segments {
		if n, ok := s.find(hash(id)); ok && (s.dead == nil || !s.dead[n]) {
			return true
		}
	}
	return false
}

// Diff compares the index with the records there are: changed are those it has not, or has in another state; removed those
// it has and that are gone. Nothing of either is a fresh index. Before a record that the index has is said to be changed,
// look is asked how it stands; a nil look confirms all. A record may be named twice.
func (x *Index) Diff(files []File, look func(id string) Stamp) (changed, removed []string) {
	seen := make([][]bool, len(x.segments))
	for i, s := range x.segments {
		seen[i] = make([]bool, len(s.rows))
	}
next:
	for i := range files {
		f := &files[i]
		id := hash(f.ID)
		for i := len(x.segments) - 1; i >= 0; i-- {
			s := x.segments[i]
			n, ok := s.find(id)
			if !ok || s.dead != nil && s.dead[n] {
				continue
			}
			seen[i][n] = true
			if f.Stamp.same(s.rows[n]) {
				continue next
			}
			if look != nil && f.Stamp.Size != Forget {
				if f.Stamp = look(f.ID); f.Stamp.same(s.rows[n]) {
					continue next
				}
			}
			break
		}
		changed = append(changed, f.ID)
	}
	for i, s := range x.segments {
		for n := range s.rows {
			if !seen[i][n] && (s.dead == nil || !s.dead[n]) {
				removed = append(removed, s.info(n).ID)
			}
		}
	}
	return changed, removed
}

// tailMax is how many records the tail holds before it is made one with a base of so many.
func tailMax(base int) int { return max(64, base/64) }

// Update puts the records in changed into the index in dir, memento's folder, and takes those in removed out, under a lock
// for which it waits at most wait. Its work grows with what changed, but for a merge of everything once in many times. An
// index that is missing or damaged holds changed alone afterwards. Errors: safefile.ErrBusy, safefile.ErrRefused, or what
// the disk said; the index is then as it was.
func Update(dir string, wait time.Duration, changed []Doc, removed []string) error {
	if len(changed) == 0 && len(removed) == 0 {
		return nil
	}
	c := analyseAll(changed, removed) // before the lock: this is what takes time
	unlock, err := safefile.LockIn(dir, "index", wait)
	if err != nil {
		return err
	}
	defer unlock()
	if err := safefile.Dir(filepath.Join(dir, Folder)); err != nil {
		return err
	}
	x, err := Open(dir)
	if err != nil {
		return err
	}
	defer x.Close()
	name, data, err := x.merge(c)
	if errors.Is(err, ErrCorrupt) {
		return Drop(dir)
	} else if err != nil {
		return err
	}
	x.Close() // some systems do not let an open file be replaced
	if name == baseName {
		safefile.Sweep(filepath.Join(dir, Folder), time.Hour, time.Now())
	}
	return safefile.ReplaceVolatile(filepath.Join(dir, Folder, name), data, 0o600)
}

// change is what an update makes of the index.
type change struct {
	fresh []entry
	gone  map[uint64]bool // what the index held of these counts no more
}

func analyseAll(changed []Doc, removed []string) change {
	c := change{make([]entry, len(changed)), map[uint64]bool{}}
	for i, d := range changed {
		c.fresh[i] = analyse(d)
		c.gone[c.fresh[i].id] = true
	}
	for _, id := range removed {
		c.gone[hash(id)] = true
	}
	c.fresh = last(c.fresh)
	return c
}

// merge returns the file that brings x up to date, and its name. Errors: ErrCorrupt, or what the disk said.
func (x *Index) merge(c change) (name string, data []byte, err error) {
	var base, tail *segment
	for i, s := range x.segments {
		if i == 0 {
			base = s
		} else {
			tail = s
		}
	}
	if base == nil {
		return baseName, encode(uint64(time.Now().UnixNano()), c.fresh, nil), nil
	}
	fresh := c.fresh
	var hidden []uint64
	if tail != nil {
		old, err := tail.decode()
		if err != nil {
			return "", nil, err
		}
		for _, e := range old {
			if !c.gone[e.id] {
				fresh = append(fresh, e)
			}
		}
		hidden = tail.removed
	}
	dead := map[uint64]bool{}
	for _, id := range hidden {
		dead[id] = true
	}
	for id := range c.gone {
		dead[id] = true
	}
	for _, e := range fresh {
		delete(dead, e.id)
	}
	hidden = nil
	for id := range dead {
		if _, ok := base.find(id); ok {
			hidden = append(hidden, id)
		}
	}
	if len(fresh)+len(hidden) <= tailMax(len(base.rows)) {
		return tailName, encode(x.gen, fresh, hidden), nil
	}
	base.dead = make([]bool, len(base.rows))
	base.bury(&segment{removed: hidden})
	for _, e := range fresh {
		if i, ok := base.find(e.id); ok {
			base.dead[i] = true
		}
	}
	all, err := base.decode()
	if err != nil {
		return "", nil, err
	}
	// The tail that stays behind names the generation that is gone, and counts no more.
	return baseName, encode(max(uint64(time.Now().UnixNano()), x.gen+1), append(all, fresh...), nil), nil
}

// overlay brings x up to date in memory alone: where the index cannot be written, it answers all the same. What cannot be
// merged, since the files are damaged, is left out of it.
func (x *Index) overlay(c change) error {
	name, data, err := x.merge(c)
	if err != nil {
		return err
	}
	s, err := load(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	if name == baseName {
		x.segments, x.gen = []*segment{s}, s.gen
		return nil
	}
	x.segments = append(x.segments[:1:1], s)
	x.segments[0].dead = nil
	x.segments[0].bury(s)
	return nil
}

// Memory returns an index of docs that stands in no file.
func Memory(docs []Doc) *Index {
	x := &Index{}
	_ = x.overlay(analyseAll(docs, nil)) // without a file there is nothing that can be damaged
	return x
}

// last keeps of entries with one ID the last.
func last(entries []entry) []entry {
	at := map[uint64]int{}
	out := entries[:0]
	for _, e := range entries {
		if i, ok := at[e.id]; ok {
			out[i] = e
			continue
		}
		at[e.id] = len(out)
		out = append(out, e)
	}
	return out
}

// Drop removes the index in dir, memento's folder: it is built again at the next look-up. What stands there and is no file of
// ours stays: safefile.ErrRefused.
func Drop(dir string) error {
	for _, name := range [...]string{baseName, tailName} {
		path := filepath.Join(dir, Folder, name)
		if err := safefile.Check(path); err != nil {
			return err
		}
		if err := safefile.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// Each calls f with what is known of each record, in no particular order, until it returns false.
func (x *Index) Each(f func(Meta) bool) {
	for _, s := range x.segments {
		for i := range s.rows {
			if (s.dead == nil || !s.dead[i]) && !f(s.info(i)) {
				return
			}
		}
	}
}

// Broken returns the records that could not be read.
func (x *Index) Broken() (out []Meta) {
	for _, s := range x.segments {
		for i, r := range s.rows {
			if r.broken == 1 && (s.dead == nil || !s.dead[i]) {
				out = append(out, s.info(i))
			}
		}
	}
	return out
}

// Fresh opens the index in dir and brings it up to date with files: see Refresh.
func Fresh(dir string, wait time.Duration, files []File, look func(id string) Stamp, get func(id string) (Doc, error), most int) (*Index, error) {
	x, err := Open(dir)
	if err != nil {
		y, bad := (&Index{}).Refresh("", wait, files, look, get, most)
		return y, errors.Join(err, bad)
	}
	return x.Refresh(dir, wait, files, look, get, most)
}

// Refresh brings x, opened in dir, up to date with files, and returns the index to use from now on: x is closed when that is
// another. What changed is asked from get, at most most of it, 0 for all; look is Diff's. A record that get cannot give is left
// out. When the index cannot be written, or dir is "", one that answers as well without is returned, beside the error. On
// ErrCorrupt there is none.
func (x *Index) Refresh(dir string, wait time.Duration, files []File, look func(id string) Stamp, get func(id string) (Doc, error), most int) (*Index, error) {
	var err error
	for range 2 { // once more should the files that were to be added to turn out damaged
		changed, removed := x.Diff(files, look)
		if len(changed) == 0 && len(removed) == 0 {
			break
		}
		slices.Sort(changed)
		changed = slices.Compact(changed)
		var docs []Doc
		for _, id := range changed {
			if d, err := get(id); err == nil {
				docs = append(docs, d)
			} else if x.has(id) {
				removed = append(removed, id)
			}
			if len(docs) == most && most > 0 {
				break
			}
		}
		if len(docs) == 0 && len(removed) == 0 {
			break
		}
		if dir != "" {
			if err = Update(dir, wait, docs, removed); err == nil {
				var y *Index
				if y, err = Open(dir); err == nil {
					x.Close()
					if x = y; most > 0 {
						break
					}
					continue
				}
			}
		}
		if bad := x.overlay(analyseAll(docs, removed)); bad != nil {
			x.Close()
			return nil, bad
		}
		break
	}
	return x, err
}
