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

// Folder is where the index stands in memento's folder. All of it may be removed at any time.
const Folder = "index"

const (
	baseName = "base"
	tailName = "tail"
	maxRaw   = 1 << 40 // bytes of one of its files: as large as it got
)

// Index is the index as it was when it was opened. It answers from the files it holds open, whatever is written later.
type Index struct {
	segments []*segment // base, then tail; either may be missing
	files    []*os.File
}

// Open reads the index in dir, memento's folder. One that is missing, damaged or of another version is an empty Index
// and no error: Diff then names every record as changed. Errors: safefile.ErrRefused, or what the disk said. The caller
// closes it.
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
		if tail != nil && tail.under > base.gen && try < 3 { // the base was replaced in between
			x.Close()
			continue
		}
		x.segments = append(x.segments, base)
		if tail != nil && tail.under == base.gen && base.hide(tail.hidden) == nil {
			x.segments = append(x.segments, tail)
		}
		return x, nil
	}
}

// Holds reports whether the index in dir may hold words, of whatever record and however long ago: all of them are terms
// of one of its files, or one of these cannot be read.
func Holds(dir, words string) bool {
	terms := parse(words)
	for _, name := range [...]string{baseName, tailName} {
		path := filepath.Join(dir, Folder, name)
		if _, err := safefile.Stat(path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		x := &Index{}
		s, err := x.open(path)
		missing := false
		for _, t := range terms {
			if s == nil {
				break
			}
			list, bad := s.list(t.hash)
			missing, err = missing || list == nil && bad == nil, errors.Join(err, bad)
		}
		x.Close()
		if err != nil || s == nil || !missing && len(terms) > 0 {
			return true
		}
	}
	return false
}

// Raw reports whether has reports true for any file of the index in dir, memento's folder, or one of them cannot be
// read: titles, tags and names of records stand there as they are.
func Raw(dir string, has func(data []byte) bool) bool {
	entries, err := safefile.ListFolder(filepath.Join(dir, Folder))
	if err != nil {
		return true
	}
	for _, f := range entries {
		if data, err := safefile.Read(filepath.Join(dir, Folder, f.Name()), maxRaw); err != nil || has(data) {
			return true
		}
	}
	return false
}

// Erase is Drop with all else that memento left in the index's folder, while nobody writes there. What is not memento's
// stays, without an error. Errors: safefile's.
func Erase(dir string, wait time.Duration) error {
	folder := filepath.Join(dir, Folder)
	if info, err := os.Lstat(folder); err != nil || !info.IsDir() {
		return nil
	}
	unlock, err := safefile.LockIn(dir, "index", wait)
	if err != nil {
		return err
	}
	defer unlock()
	entries, err := safefile.List(folder)
	if err != nil {
		return err
	}
	for _, f := range entries {
		path := filepath.Join(folder, f.Name())
		if err := safefile.Check(path); errors.Is(err, safefile.ErrRefused) {
			continue
		} else if err != nil {
			return err
		}
		if err := safefile.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// Alike reports whether a search for what would find text: each of its terms, in whatever form, stands there.
func Alike(text, what string) bool {
	terms := parse(what)
	there := map[uint64]bool{}
	words(text, true, func(w word) { there[hash(w.text())] = true })
	return len(terms) > 0 && !slices.ContainsFunc(terms, func(t term) bool { return !there[t.hash] })
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

// Len returns how many records the index holds.
func (x *Index) Len() int {
	n := 0
	for _, s := range x.segments {
		n += s.ndocs - s.ndead
	}
	return n
}

// File is a record as it stands in its folder now.
type File struct {
	ID    string
	Stamp Stamp
}

// has reports whether the index holds the record, in whatever state. Errors: ErrCorrupt, or what the disk said.
func (x *Index) has(id string) (bool, error) {
	for _, s := range x.segments {
		if n, ok, err := s.find(hash(id)); err != nil || ok && s.live(n) {
			return ok, err
		}
	}
	return false, nil
}

// Diff compares the index with the records there are: changed are those it has not, or has in another state; removed
// those it has and that are gone. Nothing of either is a fresh index. Before a record that the index has is said to be
// changed, look is asked how it stands; a nil look confirms all. A record may be named twice. Errors: ErrCorrupt, or
// what the disk said.
func (x *Index) Diff(files []File, look func(id string) Stamp) (changed, removed []string, err error) {
	seen := make([][]bool, len(x.segments))
	for i, s := range x.segments {
		if err := s.spread(); err != nil {
			return nil, nil, err
		}
		seen[i] = make([]bool, s.ndocs)
	}
next:
	for i := range files {
		f := &files[i]
		id := hash(f.ID)
		for i := len(x.segments) - 1; i >= 0; i-- {
			s := x.segments[i]
			n, ok, err := s.find(id)
			if err != nil {
				return nil, nil, err
			}
			if !ok || !s.live(n) {
				continue
			}
			seen[i][n] = true
			if same, err := s.same(n, f.Stamp); err != nil {
				return nil, nil, err
			} else if same {
				continue next
			}
			if look != nil && f.Stamp.Size != Forget {
				f.Stamp = look(f.ID)
				if same, err := s.same(n, f.Stamp); err != nil {
					return nil, nil, err
				} else if same {
					continue next
				}
			}
			break
		}
		changed = append(changed, f.ID)
	}
	for i, s := range x.segments {
		for n, seen := range seen[i] {
			if seen || !s.live(n) {
				continue
			}
			m, err := s.info(n)
			if err != nil {
				return nil, nil, err
			}
			removed = append(removed, m.ID)
		}
	}
	return changed, removed, nil
}

// same reports whether a file with this stamp, as far as it is known, is the one that was indexed as record i.
func (s *segment) same(i int, at Stamp) (bool, error) {
	if number := s.number(i); at.Number != number && at.Number != 0 && number != 0 {
		return false, nil
	}
	if at.Size == Unseen {
		return true, nil
	}
	if err := s.loadStamps(); err != nil {
		return false, err
	}
	size, time := s.stamp(i)
	return at.Size == size && at.Time == time, nil
}

// tailMax is how many records the tail holds before it is made one with a base of so many: with each that is saved the
// tail is written again, and with each merger the base.
func tailMax(base int) int { return max(64, int(1.5*math.Sqrt(float64(base)))) }

// Update puts the records in changed into the index in dir, memento's folder, and takes those in removed out, under a
// lock for which it waits at most wait. Its work grows with what changed, but for a merge of everything once in many
// times. An index that is missing or damaged holds changed alone afterwards. Errors: safefile.ErrBusy,
// safefile.ErrRefused, or what the disk said; the index is then as it was.
func Update(dir string, wait time.Duration, changed []Doc, removed []string) error {
	if len(changed) == 0 && len(removed) == 0 {
		return nil
	}
	return update(dir, wait, newChange(build(changed), removed)) // built before the lock: that is what takes time
}

func update(dir string, wait time.Duration, c change) error {
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
	fresh *segment
	gone  []uint64 // what the index held of these counts no more, as of what fresh has
}

func newChange(fresh *segment, removed []string) change {
	c := change{fresh: fresh}
	for _, id := range removed {
		c.gone = append(c.gone, hash(id))
	}
	return c
}

// hides returns which records of s count no more after c. Errors: ErrCorrupt, or what the disk said.
func (c change) hides(s *segment) (docs []uint32, err error) {
	if err := c.fresh.loadIDs(); err != nil {
		return nil, err
	}
	if c.fresh.ndocs+len(c.gone) > 64 {
		if err := s.spread(); err != nil {
			return nil, err
		}
	}
	hide := func(id uint64) error {
		i, ok, err := s.find(id)
		if ok && err == nil {
			docs = append(docs, uint32(i))
		}
		return err
	}
	for i := range c.fresh.ndocs {
		if err := hide(c.fresh.id(i)); err != nil {
			return nil, err
		}
	}
	for _, id := range c.gone {
		if err := hide(id); err != nil {
			return nil, err
		}
	}
	return docs, nil
}

// merge returns the file that brings x up to date, and its name. x is of no use afterwards. Errors: ErrCorrupt, or what
// the disk said.
func (x *Index) merge(c change) (name string, data []byte, err error) {
	gen := uint64(time.Now().UnixNano())
	if len(x.segments) == 0 {
		return baseName, c.fresh.file, nil
	}
	for _, s := range x.segments {
		docs, err := c.hides(s)
		if err != nil {
			return "", nil, err
		}
		if err := s.hide(docs); err != nil {
			return "", nil, err
		}
	}
	base, parts := x.segments[0], append(x.segments[1:len(x.segments):len(x.segments)], c.fresh)
	gen = max(gen, base.gen+1)
	n := base.ndead
	for _, s := range parts {
		n += s.ndocs - s.ndead
	}
	name = tailName
	if n > tailMax(base.ndocs) { // the tail that stays behind is above a generation that is gone, and counts no more
		name, parts = baseName, append([]*segment{base}, parts...)
	}
	all, err := joined(parts...)
	if err != nil {
		return "", nil, err
	}
	if name == tailName {
		all.under = base.gen
		for i, dead := range base.dead {
			if dead {
				all.hidden = append(all.hidden, uint32(i))
			}
		}
	}
	data, err = encode(gen, all)
	return name, data, err
}

// overlay brings x up to date in memory alone: where the index cannot be written, it answers all the same. What cannot
// be merged, since the files are damaged, is left out of it.
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
		x.segments = []*segment{s}
		return nil
	}
	x.segments = append(x.segments[:1:1], s) // what the base lost, merge hid
	return nil
}

// Memory returns an index of docs that stands in no file.
func Memory(docs []Doc) *Index {
	return &Index{segments: []*segment{build(docs)}}
}

// Drop removes the index in dir, memento's folder: it is built again at the next look-up. What stands there and is no
// file of ours stays: safefile.ErrRefused.
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

// Each calls f with what is known of each record that keep lets pass, but for its Stamp, in no particular order, until
// it returns false. Errors: ErrCorrupt, or what the disk said; f was called with some then.
func (x *Index) Each(keep Keep, f func(Meta) bool) error {
	for _, s := range x.segments {
		among := s.among(keep)
		if !slices.Contains(among, true) {
			continue
		}
		if err := s.loadMarks(); err != nil {
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
			if (keep.Record == nil || keep.Record(m)) && !f(m) {
				return nil
			}
		}
	}
	return nil
}

// Count calls f with what Keep.Among is asked about, and how many records share it. Errors: those of Each.
func (x *Index) Count(f func(m Meta, n int)) error {
	for _, s := range x.segments {
		if err := s.loadMarks(); err != nil {
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

// among says which facets keep lets pass.
func (s *segment) among(keep Keep) []bool {
	if keep.Among == nil {
		return s.facetsThat(func(Meta) bool { return true })
	}
	return s.facetsThat(keep.Among)
}

// facetsThat says of which facets is reports true.
func (s *segment) facetsThat(is func(Meta) bool) []bool {
	out := make([]bool, len(s.facets))
	for i, f := range s.facets {
		out[i] = is(f.meta())
	}
	return out
}

// Broken returns the records that could not be read. Errors: those of Each.
func (x *Index) Broken() (out []Meta, err error) {
	err = x.Each(Keep{Among: func(m Meta) bool { return m.Broken }}, func(m Meta) bool {
		out = append(out, m)
		return true
	})
	return out, err
}

// Stamp returns the state in which a record was indexed; false when the index has none of this ID, or cannot be read.
func (x *Index) Stamp(id string) (Stamp, bool) {
	for _, s := range x.segments {
		if n, ok, err := s.find(hash(id)); err != nil {
			return Stamp{}, false
		} else if ok && s.live(n) {
			at, err := s.stampAt(n)
			return at, err == nil
		}
	}
	return Stamp{}, false
}

// Keyed returns the IDs of the records of a project that were given this Key. Errors: those of Each.
func (x *Index) Keyed(project, k string) (ids []string, err error) {
	for _, s := range x.segments {
		list, err := s.list(key(project, k))
		if err != nil {
			return nil, err
		}
		for doc := -1; len(list) > 0; {
			if doc, list, err = posting(list, doc, s.ndocs); err != nil {
				return nil, err
			}
			if list, err = skipEntries(list); err != nil {
				return nil, err
			}
			if !s.live(doc) {
				continue
			}
			m, err := s.info(doc)
			if err != nil {
				return nil, err
			}
			ids = append(ids, m.ID)
		}
	}
	return ids, nil
}

// Source is where an index is brought up to date from.
type Source struct {
	Files []File
	Look  func(id string) Stamp        // as for Diff
	Get   func(id string) (Doc, error) // a record that it cannot give is left out
	Most  int                          // how many records are asked for at most, 0 for all
	// Said, unless nil, is told how many of the records that changed were taken in.
	Said func(done, all int)
}

// Done is what bringing an index up to date found, by ID.
type Done struct {
	Changed, Removed []string // see Diff
	Left             []string // of what changed, that for which Source.Most had no room
}

// Refresh brings x, opened in dir, up to date, and returns the index to use from now on: x is closed when that is
// another. When the index cannot be written, or dir is "", one that answers as well without is returned, beside the
// error. On ErrCorrupt there is none.
func (x *Index) Refresh(dir string, wait time.Duration, from Source) (now *Index, done Done, err error) {
	fail := func(err error) (*Index, Done, error) {
		x.Close()
		return nil, Done{}, err
	}
	for try := range 2 { // once more should the files that were to be added to turn out damaged
		changed, removed, bad := x.Diff(from.Files, from.Look)
		if bad != nil {
			return fail(bad)
		}
		if len(changed) == 0 && len(removed) == 0 {
			break
		}
		slices.SortFunc(changed, func(a, b string) int { return cmp.Compare(hash(a), hash(b)) })
		changed = slices.Compact(changed)
		if try == 0 {
			done.Changed, done.Removed = changed, removed
		}
		fresh, missing, left := from.take(changed)
		done.Left = left
		for _, id := range missing {
			had, bad := x.has(id)
			if bad != nil {
				return fail(bad)
			}
			if had {
				removed = append(removed, id)
			}
		}
		if fresh.ndocs == 0 && len(removed) == 0 {
			break
		}
		c := newChange(fresh, removed)
		if dir != "" {
			if err = update(dir, wait, c); err == nil {
				var y *Index
				if y, err = Open(dir); err == nil {
					x.Close()
					if x = y; from.Most > 0 {
						break
					}
					continue
				}
			}
		}
		if bad := x.overlay(c); bad != nil {
			return fail(bad)
		}
		break
	}
	return x, done, err
}

// bulk is how many records are so many that what is held of them is worth bounding.
const bulk = 512

// take returns the records with these ids, which come in the order of their hashes; which of them are missing, and
// which are left.
func (from Source) take(ids []string) (fresh *segment, missing, left []string) {
	if len(ids) > bulk && from.Most == 0 {
		// what is held grows with the records, and no multiple of it is to be
		defer debug.SetGCPercent(debug.SetGCPercent(100))
	}
	b := newBuilder()
	for i, id := range ids {
		if d, err := from.Get(id); err != nil || d.ID != id {
			missing = append(missing, id)
		} else {
			b.add(d)
		}
		if from.Said != nil {
			from.Said(i+1, len(ids))
		}
		if len(b.records) == from.Most && from.Most > 0 {
			left = ids[i+1:]
			break
		}
	}
	return b.segment(), missing, left
}
