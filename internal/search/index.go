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

// The indexes, each with the names of its base and of its tail.
var (
	records = files{"base", "tail"}
	turns   = files{"turns", "turns-tail"}
)

type files struct{ base, tail string }

// maxTail is how many bytes a tail may have beside its part of the base, before a change writes the base anew. Each
// look-up reads the tail whole.
const (
	maxTail  = 64 << 10
	tailPart = 32
)

// Index is an index as it was when it was opened. It answers from its open files, whatever other processes write later.
type Index struct {
	files    files
	segments []*segment // the base, then those of the tail
	open     []*os.File
	tail     int  // the bytes of the tail
	torn     bool // what follows in the tail cannot be read
}

// Open opens the index of the records in dir, memento's folder. A missing or damaged index, or one of another version,
// opens as an empty Index without an error: Follow then indexes every record. Errors: safefile.ErrRefused, the disk's.
// The caller closes the index.
func Open(dir string) (*Index, error) { return open(dir, records) }

// OpenTurns opens the index of the turns in dir, memento's folder, as Open opens that of the records.
func OpenTurns(dir string) (*Index, error) { return open(dir, turns) }

func open(dir string, f files) (*Index, error) {
	if _, err := safefile.Shared(filepath.Join(dir, Folder), true); err != nil { // a link, or another user's
		return nil, err
	}
	for try := 0; ; try++ {
		x := &Index{files: f}
		newer, err := x.load(filepath.Join(dir, Folder, f.base), filepath.Join(dir, Folder, f.tail))
		if err == nil && (!newer || try == 3) {
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

// load opens the base and reads the tail. newer reports that the tail is that of a newer base. Errors: ErrCorrupt, the
// disk's.
func (x *Index) load(base, tail string) (newer bool, err error) {
	if err := safefile.Check(base); err != nil {
		return false, err
	}
	f, err := safefile.Open(base)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	x.open = append(x.open, f)
	info, err := f.Stat()
	if err != nil {
		return false, err
	}
	below, err := load(f, info.Size())
	if err != nil {
		return false, err
	}
	x.segments = append(x.segments, below)
	data, err := safefile.Read(tail, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	for x.tail < len(data) {
		s, err := load(bytes.NewReader(data[x.tail:]), int64(len(data)-x.tail))
		if x.torn = err != nil; x.torn { // a process was killed as it wrote
			return false, nil
		}
		if s.under != below.gen { // of another base; a killed process left it
			x.torn = x.tail > 0
			return s.under > below.gen, nil
		}
		if err := x.put(s); err != nil {
			return false, err
		}
		x.tail += int(s.size) + 1
	}
	return false, nil
}

// put lays a segment over the others. Errors: ErrCorrupt, the disk's.
func (x *Index) put(s *segment) error {
	if err := s.load(groupRows); err != nil {
		return err
	}
	for g := range s.ngroups {
		for _, below := range x.segments {
			if err := below.hide(s.key(g)); err != nil {
				return err
			}
		}
	}
	x.segments = append(x.segments, s)
	return nil
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

// Memory returns an index of docs without files.
func Memory(docs []Doc) *Index {
	return &Index{files: records, segments: []*segment{opened(build(docs))}}
}

// Exists reports whether there is an index in dir, memento's folder, damaged or not.
func Exists(dir string) bool {
	_, err := safefile.Stat(filepath.Join(dir, Folder, records.base))
	return err == nil
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

// Update adds records to the index in dir, memento's folder, or replaces them, and takes those in removed out. It waits
// at most wait for the index's lock. Its work grows with the number of changes; only once in many calls it writes the
// whole index. A missing or damaged index has only the records in changed afterwards. Errors: safefile.ErrBusy,
// safefile.ErrRefused, the disk's; the index is then unchanged.
func Update(dir string, wait time.Duration, changed []Doc, removed []string) error {
	if len(changed) == 0 && len(removed) == 0 {
		return nil
	}
	fresh := build(changed, removed...) // it takes the time, so it comes before the lock
	return update(dir, wait, records, fresh)
}

// update adds a segment to an index.
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
		fresh = seal(fresh, below.gen)
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
func (x *Index) merge(fresh []byte) ([]byte, error) {
	w, under := newWriter(), x.segments[0].gen
	if err := x.put(opened(fresh)); err != nil {
		return nil, err
	}
	for _, s := range x.segments {
		if err := w.copy(s); err != nil {
			return nil, err
		}
	}
	return seal(w.finish(), under), nil
}

// File is a record, or the turns of a session, as it is now.
type File struct {
	ID    string // of a session SessionID
	Stamp Stamp
}

// Source gives Follow the records, or the turns of sessions.
type Source struct {
	Files []File
	// Whole reports whether Files has the file with this ID if there is one. Follow takes the others out. A nil Whole
	// does for all.
	Whole func(id string) bool
	// Look, unless nil, returns the stamp of a file whose stamp in Files differs from that in the index.
	Look func(id string) Stamp
	// Get returns the documents of a file. Where the first has no Stamp, that of the File holds. Follow takes a file
	// out for which Get returns an error.
	Get  func(File) ([]Doc, error)
	Most int // Follow stops after the file with the Most'th document; 0 for no limit
	// Said, unless nil, receives how many of the changed files are indexed so far.
	Said func(done, all int)
}

// Follow updates x, opened in dir, and returns the index to use from now on; it closes x when that is another one. more
// says that changed files are left because of Source.Most. When it cannot write the index, or dir is "", it returns an
// up-to-date index in memory beside the error. On ErrCorrupt it returns nil.
func (x *Index) Follow(dir string, wait time.Duration, from Source) (now *Index, more bool, err error) {
	for range 2 { // update drops a damaged index, and the second try builds all
		changed, removed, bad := x.diff(from)
		if bad != nil {
			x.Close()
			return nil, false, bad
		}
		if len(changed) == 0 && len(removed) == 0 {
			break
		}
		fresh, left := from.build(x, changed, removed)
		more = left
		if fresh == nil {
			break
		}
		if dir != "" {
			if err = update(dir, wait, x.files, fresh); err == nil {
				var y *Index
				if y, err = open(dir, x.files); err == nil {
					x.Close()
					if x = y; from.Most > 0 {
						break
					}
					continue
				}
			}
		}
		if bad := x.put(opened(fresh)); bad != nil {
			x.Close()
			return nil, false, bad
		}
		break
	}
	return x, more, err
}

// diff compares the index with the files. changed names those that the index lacks or has in another version, and
// removed those that are gone. Errors: ErrCorrupt, the disk's.
func (x *Index) diff(from Source) (changed []File, removed []string, err error) {
	seen := make([][]bool, len(x.segments))
	for i, s := range x.segments {
		if err := s.load(groupRows); err != nil {
			return nil, nil, err
		}
		seen[i] = make([]bool, s.ngroups)
	}
	listed := map[string]bool{}
	for _, f := range from.Files {
		if i, g := x.find(f.ID); i >= 0 {
			seen[i][g] = true
			at := x.segments[i].stampOf(g)
			if at.same(f.Stamp) || from.Look != nil && at.same(from.Look(f.ID)) {
				continue
			}
		}
		if !listed[f.ID] {
			listed[f.ID] = true
			changed = append(changed, f)
		}
	}
	for i, s := range x.segments {
		for g, seen := range seen[i] {
			if seen || !s.isLive(g) {
				continue
			}
			id, _, err := s.group(g)
			if err != nil {
				return nil, nil, err
			}
			if from.Whole == nil || from.Whole(id) {
				removed = append(removed, id)
			}
		}
	}
	return changed, removed, nil
}

// find returns the numbers of the segment and of the group of a file, after diff; -1 for none.
func (x *Index) find(id string) (int, int) {
	for i := len(x.segments) - 1; i >= 0; i-- {
		if g, row, err := x.segments[i].find(hash(id)); err == nil && row != nil && x.segments[i].isLive(g) {
			return i, g
		}
	}
	return -1, 0
}

// same reports whether a file with the stamp at is the version with the stamp s. It compares what is known.
func (s Stamp) same(at Stamp) bool {
	if at.Number != s.Number && at.Number != 0 && s.Number != 0 {
		return false
	}
	return at.Size == Unseen || at.Size == s.Size && at.Time == s.Time
}

// bulk is the number of files from which build limits its memory.
const bulk = 64

// build returns a segment with these files, and without those that are removed or for which Get returns an error, nil
// when it would say nothing to x. more reports whether there are files beyond Most.
func (from Source) build(x *Index, changed []File, removed []string) (fresh []byte, more bool) {
	if len(changed) > bulk && from.Most == 0 {
		// the memory held grows with the files, and the heap must not grow to a multiple of it
		defer debug.SetGCPercent(debug.SetGCPercent(50))
	}
	w := newWriter()
	for i, f := range changed {
		docs, err := from.Get(f)
		if err == nil {
			if len(docs) > 0 && docs[0].Stamp != (Stamp{}) {
				f.Stamp = docs[0].Stamp
			}
			w.group(hash(f.ID), f.ID, f.Stamp)
			for _, d := range docs {
				w.add(d)
			}
		} else if had, _ := x.find(f.ID); had >= 0 {
			w.remove(f.ID)
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

// Len returns how many documents the index holds.
func (x *Index) Len() (n int) {
	for _, s := range x.segments {
		n += s.ndocs - s.ndead
	}
	return n
}

// Each calls f with the Meta of each document that keep selects, in no particular order, until f returns false. Errors:
// ErrCorrupt, the disk's, perhaps after some calls of f.
func (x *Index) Each(keep Keep, f func(Meta) bool) error {
	for _, s := range x.segments {
		among := s.facetsThat(keep.Among)
		if !slices.Contains(among, true) {
			continue
		}
		if err := s.load(headRows); err != nil {
			return err
		}
		for i := range s.ndocs {
			if !among[s.facetOf(i)] || !s.live(i) {
				continue
			}
			m, err := s.info(i)
			if err != nil {
				return err
			}
			if (keep.Each == nil || keep.Each(m)) && !f(m) {
				return nil
			}
		}
	}
	return nil
}

// Count calls f with each Meta that Keep.Among gets, and the number of its documents. Errors: those of Each.
func (x *Index) Count(f func(m Meta, n int)) error {
	for _, s := range x.segments {
		if err := s.load(headRows); err != nil {
			return err
		}
		n := make([]int, len(s.facets))
		for i := range s.ndocs {
			if s.live(i) {
				n[s.facetOf(i)]++
			}
		}
		for i, have := range n {
			if have > 0 {
				f(s.facets[i].meta(), have)
			}
		}
	}
	return nil
}

// facetsThat returns, for each facet, whether is reports true; a nil is does for all.
func (s *segment) facetsThat(is func(Meta) bool) []bool {
	out := make([]bool, len(s.facets))
	for i, f := range s.facets {
		out[i] = is == nil || is(f.meta())
	}
	return out
}

// Keyed returns the IDs of the records of a project whose Doc had this Key. Errors: those of Each.
func (x *Index) Keyed(project, key string) (ids []string, err error) {
	for _, s := range x.segments {
		list, err := s.list(keyTerm(project, key))
		if err != nil {
			return nil, err
		}
		var docs []int
		if err := s.postings(list, func(p posting) { docs = append(docs, p.doc) }); err != nil {
			return nil, err
		}
		for _, doc := range docs {
			m, err := s.info(doc)
			if err != nil {
				return nil, err
			}
			ids = append(ids, m.ID)
		}
	}
	return ids, nil
}
