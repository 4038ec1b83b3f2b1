package search

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// Folder is the index's folder in memento's folder. Anybody may remove it at any time.
const Folder = safefile.Cache + "/index"

// files are the names of an index's base and of its tail.
type files struct{ base, tail string }

var (
	records = files{"base", "tail"}
	turns   = files{"turns", "turns-tail"}
)

// maxTail is how many bytes a tail may have beside its part of the base. Each look-up reads the tail whole.
const (
	maxTail  = 64 << 10
	tailPart = 32
)

// Index is an index as it was when it was opened. It answers from its open files, whatever other processes write later.
// The zero Index has no documents.
type Index struct {
	segments []*segment // the base, then those of the tail
	open     []*os.File
	tail     int  // the bytes of the tail
	torn     bool // what follows in the tail cannot be read
}

// Open opens the index of the records in dir, memento's folder; a missing, damaged or older one as an empty Index, so
// that Follow indexes every record. Errors: safefile.ErrRefused, the disk's. The caller closes the index.
func Open(dir string) (*Index, error) { return open(dir, records) }

func open(dir string, f files) (*Index, error) {
	if err := safefile.CheckDir(filepath.Join(dir, Folder)); err != nil { // a link, or open to others
		return nil, err
	}
	for try := 0; ; try++ {
		x := &Index{}
		found, err := x.load(filepath.Join(dir, Folder, f.base), filepath.Join(dir, Folder, f.tail))
		if err == nil && (found || try == 3) {
			return x, nil
		}
		x.Close()
		if errors.Is(err, ErrCorrupt) {
			return x, nil
		} else if err != nil {
			return nil, err
		}
	}
}

// load opens the base and reads the tail. found is false for a tail of another base: the base was written again
// meanwhile, or a killed process left the tail. Errors: ErrCorrupt, the disk's.
func (x *Index) load(base, tail string) (found bool, err error) {
	defer rescue(&err)
	if err := safefile.Check(base); err != nil {
		return false, err
	}
	f, err := safefile.Open(base)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	check(err)
	x.open = append(x.open, f)
	info, err := f.Stat()
	check(err)
	below, err := load(f, info.Size())
	check(err)
	x.segments = append(x.segments, below)
	data, err := safefile.Read(tail, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	check(err)
	for x.tail < len(data) {
		s, err := load(bytes.NewReader(data[x.tail:]), int64(len(data)-x.tail))
		if x.torn = err != nil || x.tail > 0 && s.under != below.id; x.torn { // a process was killed as it wrote
			return true, nil
		}
		if s.under != below.id {
			return false, nil
		}
		x.put(s)
		x.tail += int(s.size) + 1
	}
	return true, nil
}

// put lays a segment over the others.
func (x *Index) put(s *segment) {
	s.load(groupRows)
	for g := range s.ngroups {
		for _, below := range x.segments {
			below.hide(s.group(g).key)
		}
	}
	x.segments = append(x.segments, s)
}

// Close closes the files.
func (x *Index) Close() {
	for _, f := range x.open {
		f.Close()
	}
	x.open, x.segments = nil, nil
}

// Join lets x answer from y too. Nobody may update x or use y afterwards. Close of x closes both.
func (x *Index) Join(y *Index) {
	x.segments, x.open = slices.Concat(x.segments, y.segments), append(x.open, y.open...)
	y.segments, y.open = nil, nil
}

// Drop removes the index in dir, memento's folder, so that the next search builds it again. Anything in the place of a
// file that is not memento's stays: safefile.ErrRefused.
func Drop(dir string) (err error) {
	for _, name := range [...]string{records.base, records.tail, turns.base, turns.tail} {
		path := filepath.Join(dir, Folder, name)
		bad := safefile.Check(path)
		if bad == nil {
			bad = safefile.Remove(path)
		}
		err = cmp.Or(err, bad)
	}
	return err
}

// update adds a segment to the index in dir. It waits at most wait for the index's lock. Its work grows with the number
// of changes; only once in many calls it writes the whole index. Errors: safefile.ErrBusy, safefile.ErrRefused, the
// disk's; the index is then unchanged.
func update(dir string, wait time.Duration, f files, fresh []byte) error {
	unlock, err := safefile.LockIn(dir, "index", wait)
	if err != nil {
		return err
	}
	defer unlock()
	for _, d := range [...]string{safefile.Cache, Folder} {
		if err := safefile.Dir(filepath.Join(dir, d)); err != nil {
			return err
		}
	}
	x, err := open(dir, f)
	if err != nil {
		return err
	}
	defer x.Close()
	base, tail := filepath.Join(dir, Folder, f.base), filepath.Join(dir, Folder, f.tail)
	if len(x.segments) > 0 {
		below := x.segments[0]
		fresh = seal(fresh, below.id)
		if !x.torn && x.tail+len(fresh) <= maxTail+int(below.size/tailPart) {
			if fresh = append(fresh, '\n'); x.tail > 0 {
				return safefile.Append(tail, fresh, false)
			}
			return safefile.ReplaceVolatile(tail, fresh, 0o600)
		}
		whole, err := x.merge(fresh)
		if err == nil {
			fresh = whole
		} else if !errors.Is(err, ErrCorrupt) {
			return err
		}
	}
	x.Close() // some systems do not let an open file be replaced
	safefile.Sweep(filepath.Join(dir, Folder), time.Hour, time.Now())
	return safefile.ReplaceVolatile(base, fresh, 0o600)
}

// merge returns a new base: the index with fresh, which is above the base. Errors: ErrCorrupt, the disk's.
func (x *Index) merge(fresh []byte) (base []byte, err error) {
	defer rescue(&err)
	w := newWriter()
	x.put(opened(fresh))
	for _, s := range x.segments {
		w.copy(s)
	}
	return w.finish(), nil
}

// Source gives Follow the records, or the turns of sessions.
type Source struct {
	Turns bool
	// Files are the files as they are now, by ID: of a session SessionID. One without a stamp is taken for unchanged.
	Files map[string]safefile.Stamp
	// Whole reports whether a missing file with this ID is gone. Follow then takes it out. A nil Whole does for all.
	Whole func(id string) bool
	// Get returns a file's documents. One without a Stamp has that in Files. On an error Follow removes the file.
	Get  func(id string) ([]Doc, error)
	Most int // Follow stops after the file with the Most'th document; 0 for no limit
	// Said, unless nil, receives how many of the changed files are indexed so far.
	Said func(done, all int)
}

// Follow returns the index in dir, memento's folder, after it brought it up to date. It makes a missing or damaged one
// anew. more says that changed files are left because of Source.Most. When Follow cannot read or write the index, or
// dir is "", it returns an index in memory that is as much up to date; the error says why.
func Follow(dir string, wait time.Duration, from Source) (x *Index, more bool, err error) {
	for range 2 {
		if x, more, err = follow(dir, wait, from); x != nil {
			return x, more, err
		}
		if !errors.Is(err, ErrCorrupt) || Drop(dir) != nil {
			break
		}
	}
	x, more, _ = follow("", wait, from) // it reads no file
	return x, more, err
}

// follow is Follow for an index that is not damaged. Errors, without an index: ErrCorrupt, those of Open.
func follow(dir string, wait time.Duration, from Source) (x *Index, more bool, err error) {
	defer rescue(&err)
	f, x := records, &Index{}
	if from.Turns {
		f = turns
	}
	if dir != "" {
		if x, err = open(dir, f); err != nil {
			return nil, false, err
		}
	}
	ok := false
	defer func() {
		if !ok {
			x.Close()
			x = nil
		}
	}()
	for range 2 { // update replaces a damaged base by what changed, and the second try indexes the rest
		changed, removed := x.diff(from)
		if len(changed)+len(removed) == 0 {
			break
		}
		fresh, left := from.build(x, changed, removed)
		if more = left; fresh == nil {
			break
		}
		var y *Index
		if dir != "" {
			if err = update(dir, wait, f, fresh); err == nil {
				y, err = open(dir, f)
			}
		}
		if y == nil {
			x.put(opened(fresh))
			break
		}
		x.Close()
		if x = y; from.Most > 0 {
			break
		}
	}
	ok = true
	return x, more, err
}

// diff compares the index with the files. changed names new and changed files, and removed those that are gone.
func (x *Index) diff(from Source) (changed, removed []string) {
	groups, found := 0, 0
	for _, s := range x.segments {
		s.load(groupRows)
		for g := range s.ngroups {
			if s.isLive(g) {
				groups++
			}
		}
	}
	for id, at := range from.Files {
		have, ok := x.stamp(id)
		if ok {
			found++
		}
		if !ok || have != at && at != (safefile.Stamp{}) {
			changed = append(changed, id)
		}
	}
	slices.Sort(changed)
	if found == groups {
		return changed, nil
	}
	for _, s := range x.segments {
		s.load(nameTexts)
		for g := range s.ngroups {
			id := s.nameOf(s.group(g))
			if _, ok := from.Files[id]; s.isLive(g) && !ok && (from.Whole == nil || from.Whole(id)) {
				removed = append(removed, id)
			}
		}
	}
	return changed, removed
}

// bulk is the number of files from which build limits its memory.
const bulk = 64

// build returns a segment with these files, and without those that are removed or for which Get returns an error, nil
// when it would say nothing to x. more reports whether there are files beyond Most.
func (from Source) build(x *Index, changed, removed []string) (fresh []byte, more bool) {
	if len(changed) > bulk && from.Most == 0 {
		// the memory held grows with the files, and the heap must not grow to a multiple of it
		defer debug.SetGCPercent(debug.SetGCPercent(50))
	}
	w := newWriter()
	for i, id := range changed {
		docs, err := from.Get(id)
		if err == nil {
			at := from.Files[id]
			if len(docs) > 0 && docs[0].Stamp != (safefile.Stamp{}) {
				at = docs[0].Stamp
			}
			w.group(hash(id), id, at)
			for _, d := range docs {
				w.add(d)
			}
		} else if _, ok := x.stamp(id); ok {
			w.remove(id)
		}
		if from.Said != nil {
			from.Said(i+1, len(changed))
		}
		if from.Most > 0 && w.docs >= from.Most {
			more = i+1 < len(changed)
			break
		}
	}
	for _, id := range removed {
		w.remove(id)
	}
	if len(w.groups) == 0 {
		return nil, more
	}
	return w.finish(), more
}

// stamp returns the stamp of the file with this ID; false when the index lacks the file.
func (x *Index) stamp(id string) (at safefile.Stamp, ok bool) {
	key := hash(id)
	for _, s := range x.segments {
		if g := s.find(key); g >= 0 && s.isLive(g) {
			return s.group(g).at, true
		}
	}
	return at, false
}

// Len returns how many documents the index holds.
func (x *Index) Len() (n int) {
	for _, s := range x.segments {
		n += s.ndocs - s.ndead
	}
	return n
}

// Each calls f with the Meta of each document that keep selects, in no particular order, until f returns false. Errors:
// ErrCorrupt, the disk's, perhaps after some calls of f.
func (x *Index) Each(keep Keep, f func(Meta) bool) (err error) {
	defer rescue(&err)
	for _, s := range x.segments {
		among := s.facetsThat(keep.Among)
		if !slices.Contains(among, true) {
			continue
		}
		s.load(headRows)
		for i := range s.ndocs {
			if !among[s.facetOf(i)] || !s.live(i) {
				continue
			}
			if m := s.info(i); (keep.Each == nil || keep.Each(m)) && !f(m) {
				return nil
			}
		}
	}
	return nil
}

// Count returns the number of the documents that among, as in Keep, selects. Errors: those of Each.
func (x *Index) Count(among func(Meta) bool) (n int, err error) {
	defer rescue(&err)
	for _, s := range x.segments {
		s.load(headRows)
		counts := s.facetsThat(among)
		for i := range s.ndocs {
			if counts[s.facetOf(i)] && s.live(i) {
				n++
			}
		}
	}
	return n, nil
}

// facetsThat returns, for each facet, whether is reports true; a nil is does for all.
func (s *segment) facetsThat(is func(Meta) bool) []bool {
	out := make([]bool, len(s.facets))
	for i, f := range s.facets {
		out[i] = is == nil || is(f.meta())
	}
	return out
}
