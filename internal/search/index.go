package search

import (
	"bytes"
	"cmp"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// Folder is the index's folder in memento's folder. Anybody may remove it at any time.
const Folder = safefile.Cache + "/index"

// The indexes, each with the names of its base and of its tail. Each change writes the whole tail again, and once in
// many changes the base. A session that goes on is written again with all its turns, so the tail of the turns is
// longer.
var (
	records = files{"base", "tail", 64, 1.5}
	turns   = files{"turns", "turns-tail", 2048, 18}
)

type files struct {
	base, tail  string
	least, root float64 // how many documents the tail may have: at least, and as a multiple of the base's square root
}

// Index is an index as it was when it was opened. It answers from its open files, whatever other processes write later.
type Index struct {
	files    files
	segments []*segment // base, then tail; either may be missing
	open     []*os.File
}

// Open opens the index of the records in dir, memento's folder. A missing or damaged index, or one of another version,
// opens as an empty Index without an error: Follow then indexes every record. Errors: safefile.ErrRefused, the disk's.
// The caller closes the index.
func Open(dir string) (*Index, error) { return open(dir, records) }

// OpenTurns opens the index of the turns in dir, memento's folder, as Open opens that of the records.
func OpenTurns(dir string) (*Index, error) { return open(dir, turns) }

func open(dir string, f files) (*Index, error) {
	x := &Index{files: f}
	if _, err := safefile.Shared(filepath.Join(dir, Folder), true); err != nil { // a link, or another user's
		return nil, err
	}
	for try := 0; ; try++ {
		base, err := x.load(filepath.Join(dir, Folder, f.base))
		var tail *segment
		if err == nil && base != nil {
			tail, err = x.load(filepath.Join(dir, Folder, f.tail))
		}
		switch {
		case err != nil:
			x.Close()
			return nil, err
		case base == nil:
			return x, nil
		case tail != nil && tail.under > base.gen && try < 3: // the base was replaced in between
			x.Close()
			continue
		}
		x.segments = []*segment{base}
		if tail != nil && tail.under == base.gen { // else a killed process left it
			err = x.put(tail)
		}
		if errors.Is(err, ErrCorrupt) {
			x.Close()
			err = nil
		}
		return x, err
	}
}

// load opens the segment at path. It returns nil for a missing or damaged one.
func (x *Index) load(path string) (*segment, error) {
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
			x.open = append(x.open, f)
			return s, nil
		}
	}
	f.Close()
	if errors.Is(err, ErrCorrupt) {
		err = nil
	}
	return nil, err
}

// put lays a tail over the base. Errors: ErrCorrupt, the disk's.
func (x *Index) put(tail *segment) error {
	keys, err := tail.keys()
	if err == nil {
		err = x.segments[0].hide(keys)
	}
	x.segments = append(x.segments[:1:1], tail)
	return err
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
	return &Index{files: records, segments: []*segment{build(docs)}}
}

// Exists reports whether there is an index in dir, memento's folder, damaged or not.
func Exists(dir string) bool {
	_, err := safefile.Stat(filepath.Join(dir, Folder, records.base))
	return err == nil
}

// Drop removes the index in dir, memento's folder, so that the next search builds it again. Anything in the place of a
// file that is not memento's stays: safefile.ErrRefused.
func Drop(dir string) error { return cmp.Or(records.drop(dir), turns.drop(dir)) }

func (f files) drop(dir string) (err error) {
	for _, name := range [...]string{f.base, f.tail} {
		path := filepath.Join(dir, Folder, name)
		err = cmp.Or(err, safefile.Check(path))
		if err == nil {
			err = safefile.Remove(path)
		}
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
	return update(dir, wait, records, build(changed), removed) // building takes the time, so it comes before the lock
}

func update(dir string, wait time.Duration, f files, fresh *segment, removed []string) error {
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
	name, data, err := x.merge(fresh, removed)
	if errors.Is(err, ErrCorrupt) {
		return f.drop(dir)
	} else if err != nil {
		return err
	}
	x.Close() // some systems do not let an open file be replaced
	if name == f.base {
		safefile.Sweep(filepath.Join(dir, Folder), time.Hour, time.Now())
	}
	return safefile.ReplaceVolatile(filepath.Join(dir, Folder, name), data, 0o600)
}

// merge returns the new content of one of the index's files, with the groups of fresh and without those in removed, and
// the name of the file. Errors: ErrCorrupt, the disk's.
func (x *Index) merge(fresh *segment, removed []string) (name string, data []byte, err error) {
	if len(x.segments) == 0 {
		return x.files.base, fresh.file, nil
	}
	base, parts := x.segments[0], append(slices.Clone(x.segments[1:]), fresh)
	keys, err := fresh.keys()
	if err != nil {
		return "", nil, err
	}
	gone := make([]uint64, len(removed))
	for i, id := range removed {
		gone[i] = hash(id)
	}
	slices.Sort(gone)
	gone = slices.Compact(gone)
	n := 0
	for _, s := range x.segments {
		if err := errors.Join(s.hide(keys), s.hide(gone)); err != nil {
			return "", nil, err
		}
		if n += s.ndead; s != base {
			n += s.ndocs - 2*s.ndead
		}
	}
	w := newWriter()
	name, under := x.files.tail, base.gen
	n += fresh.ndocs
	if most := max(x.files.least, x.files.root*math.Sqrt(float64(base.ndocs))); float64(n) > most {
		// the old tail is of the old base, so Open ignores it from now on
		name, under, parts = x.files.base, 0, append([]*segment{base}, parts...)
	}
	if err := w.join(parts, gone, name == x.files.tail); err != nil {
		return "", nil, err
	}
	return name, w.finish(newGen(base.gen), under), nil
}

// overlay applies a change to x in memory alone, for an index that cannot be written. Errors: ErrCorrupt, the disk's.
func (x *Index) overlay(fresh *segment, removed []string) error {
	name, data, err := x.merge(fresh, removed)
	if err != nil {
		return err
	}
	s, err := load(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	if name == x.files.base {
		x.segments = []*segment{s}
		return nil
	}
	return x.put(s)
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
	fail := func(err error) (*Index, bool, error) {
		x.Close()
		return nil, false, err
	}
	for range 2 { // update drops damaged files, and the second try builds all
		changed, removed, bad := x.diff(from)
		if bad != nil {
			return fail(bad)
		}
		if len(changed) == 0 && len(removed) == 0 {
			break
		}
		fresh, missing, left := from.build(changed)
		more = left
		for _, id := range missing {
			if x.has(id) {
				removed = append(removed, id)
			}
		}
		if fresh.ngroups == 0 && len(removed) == 0 {
			break
		}
		if dir != "" {
			if err = update(dir, wait, x.files, fresh, removed); err == nil {
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
		if bad := x.overlay(fresh, removed); bad != nil {
			return fail(bad)
		}
		break
	}
	return x, more, err
}

// diff compares the index with the files. changed names those that the index lacks or has in another version, in the
// order of their keys, and removed those that are gone. Errors: ErrCorrupt, the disk's.
func (x *Index) diff(from Source) (changed []File, removed []string, err error) {
	seen := make([][]bool, len(x.segments))
	for i, s := range x.segments {
		for _, in := range [...]section{keyRows, groupRows} {
			if _, err := s.load(in); err != nil {
				return nil, nil, err
			}
		}
		seen[i] = make([]bool, s.ngroups)
	}
	for _, f := range from.Files {
		if s, g := x.find(f.ID); s != nil {
			seen[slices.Index(x.segments, s)][g] = true
			at := s.stampOf(g)
			if at.same(f.Stamp) || from.Look != nil && at.same(from.Look(f.ID)) {
				continue
			}
		}
		changed = append(changed, f)
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
	slices.SortStableFunc(changed, func(a, b File) int { return cmp.Compare(hash(a.ID), hash(b.ID)) })
	return slices.CompactFunc(changed, func(a, b File) bool { return a.ID == b.ID }), removed, nil
}

// find returns the segment and the group of a file, nil for none, after diff.
func (x *Index) find(id string) (*segment, int) {
	for i := len(x.segments) - 1; i >= 0; i-- {
		if g, ok := x.segments[i].find(hash(id)); ok && x.segments[i].isLive(g) {
			return x.segments[i], g
		}
	}
	return nil, 0
}

// has reports whether the index has any version of a file, after diff.
func (x *Index) has(id string) bool { s, _ := x.find(id); return s != nil }

// same reports whether a file with the stamp at is the version with the stamp s. It compares what is known.
func (s Stamp) same(at Stamp) bool {
	if at.Number != s.Number && at.Number != 0 && s.Number != 0 {
		return false
	}
	return at.Size == Unseen || at.Size == s.Size && at.Time == s.Time
}

// bulk is the number of files from which build limits its memory.
const bulk = 64

// build indexes these files, which are in the order of their keys. It returns the IDs of those for which Get returned
// an error, and whether there are files beyond Most.
func (from Source) build(changed []File) (fresh *segment, missing []string, left bool) {
	if len(changed) > bulk && from.Most == 0 {
		// the memory held grows with the files, and the heap must not grow to a multiple of it
		defer debug.SetGCPercent(debug.SetGCPercent(50))
	}
	b := newBuilder()
	for i, f := range changed {
		docs, err := from.Get(f)
		if err != nil {
			missing = append(missing, f.ID)
		} else {
			if len(docs) > 0 && docs[0].Stamp != (Stamp{}) {
				f.Stamp = docs[0].Stamp
			}
			b.group(hash(f.ID), f.ID, f.Stamp)
			for _, d := range docs {
				b.add(d)
			}
		}
		if from.Said != nil {
			from.Said(i+1, len(changed))
		}
		if from.Most > 0 && b.docs >= from.Most {
			left = i+1 < len(changed)
			break
		}
	}
	return b.segment(), missing, left
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
		if err := s.loadHeads(); err != nil {
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
		if err := s.loadHeads(); err != nil {
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
		var docs []int
		if _, err := s.postings(keyTerm(project, key), func(p posting) { docs = append(docs, p.doc) }); err != nil {
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
