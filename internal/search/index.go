package search

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// Folder is where the index stands in memento's folder. All of it may be removed at any time.
const Folder = "index"

const (
	baseName = "base"
	tailName = "tail"
)

// lockWait is how long an update waits for another.
const lockWait = 2 * time.Second

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

// Diff compares the index with the records there are: changed are those it has not, or has in another state; removed those
// it has and that are gone. Nothing of either is a fresh index.
func (x *Index) Diff(files []File) (changed, removed []string) {
	seen := make([][]bool, len(x.segments))
	for i, s := range x.segments {
		seen[i] = make([]bool, len(s.rows))
	}
next:
	for _, f := range files {
		id := hash(f.ID)
		for i := len(x.segments) - 1; i >= 0; i-- {
			s := x.segments[i]
			n, ok := s.find(id)
			if !ok || s.dead != nil && s.dead[n] {
				continue
			}
			seen[i][n] = true
			if s.rows[n].size == f.Stamp.Size && s.rows[n].time == f.Stamp.Time {
				continue next
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

// Update puts the records in changed into the index in dir, memento's folder, and takes those in removed out, under a lock.
// Its work grows with what changed, but for a merge of everything once in many times. An index that is missing or damaged
// holds changed alone afterwards. Errors: safefile.ErrBusy, safefile.ErrRefused, or what the disk said; the index is then as
// it was.
func Update(dir string, changed []Doc, removed []string) error {
	if len(changed) == 0 && len(removed) == 0 {
		return nil
	}
	fresh := make([]entry, len(changed)) // before the lock: this is what takes time
	gone := map[uint64]bool{}
	for i, d := range changed {
		fresh[i] = analyse(d)
		gone[fresh[i].id] = true
	}
	for _, id := range removed {
		gone[hash(id)] = true
	}
	fresh = last(fresh)

	unlock, err := safefile.LockIn(dir, "index", lockWait)
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
	var base, tail *segment
	for i, s := range x.segments {
		if i == 0 {
			base = s
		} else {
			tail = s
		}
	}
	if base == nil {
		return x.write(dir, baseName, encode(uint64(time.Now().UnixNano()), fresh, nil))
	}
	var hidden []uint64
	if tail != nil {
		old, err := tail.decode()
		if errors.Is(err, ErrCorrupt) {
			return Drop(dir)
		} else if err != nil {
			return err
		}
		for _, e := range old {
			if !gone[e.id] {
				fresh = append(fresh, e)
			}
		}
		hidden = tail.removed
	}
	dead := map[uint64]bool{}
	for _, id := range hidden {
		dead[id] = true
	}
	for id := range gone {
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
		return x.write(dir, tailName, encode(x.gen, fresh, hidden))
	}
	base.dead = make([]bool, len(base.rows))
	base.bury(&segment{removed: hidden})
	for _, e := range fresh {
		if i, ok := base.find(e.id); ok {
			base.dead[i] = true
		}
	}
	all, err := base.decode()
	if errors.Is(err, ErrCorrupt) {
		return Drop(dir)
	} else if err != nil {
		return err
	}
	// The tail that stays behind names the generation that is gone, and counts no more.
	return x.write(dir, baseName, encode(max(uint64(time.Now().UnixNano()), x.gen+1), append(all, fresh...), nil))
}

// write closes the files first: some systems do not let an open one be replaced.
func (x *Index) write(dir, name string, data []byte) error {
	x.Close()
	return safefile.ReplaceVolatile(filepath.Join(dir, Folder, name), data, 0o600)
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

// Drop removes the index in dir, memento's folder: it is built again at the next look-up.
func Drop(dir string) error {
	return errors.Join(safefile.Remove(filepath.Join(dir, Folder, baseName)), safefile.Remove(filepath.Join(dir, Folder, tailName)))
}

// Fresh opens the index in dir and brings it up to date with files first: what changed is asked from get. A record that get
// cannot give is left out until it changes. When the index cannot be written, what could be opened is returned beside the
// error. The caller closes it.
func Fresh(dir string, files []File, get func(id string) (Doc, error)) (*Index, error) {
	x, err := Open(dir)
	if err != nil {
		return nil, err
	}
	for range 2 { // once more should the files that were to be added to turn out damaged
		changed, removed := x.Diff(files)
		if len(changed) == 0 && len(removed) == 0 {
			break
		}
		docs := make([]Doc, 0, len(changed))
		for _, id := range changed {
			d, err := get(id)
			if err != nil {
				removed = append(removed, id)
				continue
			}
			docs = append(docs, d)
		}
		if err := Update(dir, docs, removed); err != nil {
			return x, err
		}
		y, err := Open(dir)
		if err != nil {
			return x, err
		}
		x.Close()
		x = y
	}
	return x, nil
}
