package search

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
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
const Folder = "index"

const maxRaw = 1 << 40 // bytes of one of its files: no limit

// Index is the index as it was when it was opened. It answers from its open files, whatever other processes write
// later.
type Index struct {
	pair     pair
	segments []*segment // base, then tail; either may be missing
	files    []*os.File
}

// Open opens the index of the records in dir, memento's folder. A missing or damaged index, or one of another version,
// opens as an empty Index without an error: Diff then names every record as changed. Errors: safefile.ErrRefused, the
// disk's. The caller closes the index.
func Open(dir string) (*Index, error) { return records.open(dir) }

func (p pair) open(dir string) (*Index, error) {
	x := &Index{pair: p}
	if _, err := safefile.Shared(filepath.Join(dir, Folder), true); err != nil { // a link, or another user's
		return nil, err
	}
	for try := 0; ; try++ {
		base, err := x.open(filepath.Join(dir, Folder, p.base))
		if err != nil {
			x.Close()
			return nil, err
		}
		if base == nil {
			return x, nil
		}
		tail, err := x.open(filepath.Join(dir, Folder, p.tail))
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

// MayHold reports whether the index in dir may hold words, also words of a record that is gone: one of its files has
// all of them as terms, or cannot be read.
func MayHold(dir, words string) bool {
	terms := parse(words)
	for _, name := range names {
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

// AnyFile reports whether has reports true for a file of the index in dir, memento's folder, or a file cannot be read.
// The files hold titles, tags and names of records as they are.
func AnyFile(dir string, has func(data []byte) bool) bool {
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

// Erase removes all of memento's files in the index's folder, under the index's lock. A file that is not memento's
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

// Matches reports whether text has all terms of query, in any form of the words.
func Matches(text, query string) bool {
	terms := parse(query)
	there := map[uint64]bool{}
	words(text, true, func(w word) { there[hash(w.text())] = true })
	return len(terms) > 0 && !slices.ContainsFunc(terms, func(t term) bool { return !there[t.hash] })
}

// Exists reports whether there is an index in dir, memento's folder, damaged or not.
func Exists(dir string) bool {
	_, err := safefile.Stat(filepath.Join(dir, Folder, records.base))
	return err == nil
}

// open opens the segment at path. It returns nil for a missing or damaged one.
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

// Close closes the files.
func (x *Index) Close() {
	for _, f := range x.files {
		f.Close()
	}
	x.files, x.segments = nil, nil
}

// Version returns a string that is another one for an index with other documents.
func (x *Index) Version() string {
	out := ""
	for _, s := range x.segments {
		out += fmt.Sprintf("%d %d ", s.gen, s.ndead)
	}
	return out
}

// Len returns how many records the index holds.
func (x *Index) Len() int {
	n := 0
	for _, s := range x.segments {
		n += s.ndocs - s.ndead
	}
	return n
}

// File is the file of a record as it is now.
type File struct {
	ID    string
	Stamp Stamp
}

// has reports whether the index holds any version of the record. Errors: ErrCorrupt, the disk's.
func (x *Index) has(id string) (bool, error) {
	for _, s := range x.segments {
		if n, ok, err := s.find(hash(id)); err != nil || ok && s.live(n) {
			return ok, err
		}
	}
	return false, nil
}

// Diff compares the index with the files of all records. changed names the records that the index lacks or has in
// another version, removed those that have no file any more. The index is up to date when both are empty. Before Diff
// names a record of the index as changed, it asks look for the record's stamp, unless look is nil. changed may name a
// record twice. Errors: ErrCorrupt, the disk's.
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

// same reports whether a file with this stamp is the version that was indexed as record i. It compares what is known.
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

// tailMax is the pair.tailMax of the records.
func tailMax(base int) int { return max(64, int(1.5*math.Sqrt(float64(base)))) }

// Update adds the documents in changed to the index in dir, memento's folder, and takes the records in removed out. It
// waits at most wait for the index's lock. Its work grows with the number of changes; only once in many calls it merges
// the whole index. A missing or damaged index has only the documents in changed afterwards. Errors: safefile.ErrBusy,
// safefile.ErrRefused, the disk's; the index is then unchanged.
func Update(dir string, wait time.Duration, changed []Doc, removed []string) error {
	if len(changed) == 0 && len(removed) == 0 {
		return nil
	}
	return update(dir, wait, newChange(build(changed), removed)) // building takes the time, so it comes before the lock
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
	x, err := c.pair.open(dir)
	if err != nil {
		return err
	}
	defer x.Close()
	name, data, err := x.merge(c)
	if errors.Is(err, ErrCorrupt) {
		return c.pair.drop(dir)
	} else if err != nil {
		return err
	}
	x.Close() // some systems do not let an open file be replaced
	if name == c.pair.base {
		safefile.Sweep(filepath.Join(dir, Folder), time.Hour, time.Now())
	}
	return safefile.ReplaceVolatile(filepath.Join(dir, Folder, name), data, 0o600)
}

// change is a change of the index.
type change struct {
	pair  pair
	fresh *segment // documents that replace their older versions
	gone  []uint64 // the keys of records to remove, besides those that fresh replaces; or of the covers of sessions
}

func newChange(fresh *segment, removed []string) change {
	c := change{pair: records, fresh: fresh}
	for _, id := range removed {
		c.gone = append(c.gone, hash(id))
	}
	return c
}

// hides returns the documents of s that c replaces or removes. Errors: ErrCorrupt, the disk's.
func (c change) hides(s *segment) (docs []uint32, err error) {
	if c.pair.base == turns.base {
		return c.hidesSessions(s)
	}
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

// merge returns the new content of one of the index's files, with c, and the name of the file. It leaves x unusable.
// Errors: ErrCorrupt, the disk's.
func (x *Index) merge(c change) (name string, data []byte, err error) {
	gen := uint64(time.Now().UnixNano())
	if len(x.segments) == 0 {
		return c.pair.base, c.fresh.file, nil
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
	name = c.pair.tail
	if n > c.pair.tailMax(base.ndocs) { // the old tail belongs to the old base, so Open will ignore it
		name, parts = c.pair.base, append([]*segment{base}, parts...)
	}
	all, err := joined(parts...)
	if err != nil {
		return "", nil, err
	}
	if name == c.pair.tail {
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

// overlay applies c to x in memory alone, for an index that cannot be written. Errors: ErrCorrupt, the disk's.
func (x *Index) overlay(c change) error {
	name, data, err := x.merge(c)
	if err != nil {
		return err
	}
	s, err := load(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	if name == c.pair.base {
		x.segments = []*segment{s}
		return nil
	}
	x.segments = append(x.segments[:1:1], s) // merge has hidden the replaced records of the base
	return nil
}

// Memory returns an index of docs without files.
func Memory(docs []Doc) *Index {
	return &Index{pair: records, segments: []*segment{build(docs)}}
}

// Drop removes the index in dir, memento's folder, so that the next search builds it again. Anything in the place of a
// file that is not memento's stays: safefile.ErrRefused.
func Drop(dir string) error {
	return cmp.Or(records.drop(dir), turns.drop(dir))
}

func dropFile(path string) error {
	if err := safefile.Check(path); err != nil {
		return err
	}
	return safefile.Remove(path)
}

// Each calls f with the Meta, without the Stamp, of each record that keep selects, in no particular order, until f
// returns false. Errors: ErrCorrupt, the disk's, perhaps after some calls of f.
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

// Count calls f with each Meta that Keep.Among gets, and the number of its records. Errors: those of Each.
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

// Broken returns the records that could not be read. Errors: those of Each.
func (x *Index) Broken() (out []Meta, err error) {
	err = x.Each(Keep{Among: func(m Meta) bool { return m.Broken }}, func(m Meta) bool {
		out = append(out, m)
		return true
	})
	return out, err
}

// Stamp returns the stamp with which a record was indexed. It returns false when the index lacks the record or cannot
// be read.
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

// Keyed returns the IDs of the records of a project whose Doc had this Key. Errors: those of Each.
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

// Source gives Refresh the records.
type Source struct {
	Files []File
	Look  func(id string) Stamp        // see Diff
	Get   func(id string) (Doc, error) // Refresh skips a record for which Get returns an error
	Most  int                          // the most records to index, 0 for all
	// Said, unless nil, receives how many of the changed records are indexed so far.
	Said func(done, all int)
}

// Done lists the IDs of the records that Refresh compared.
type Done struct {
	Changed, Removed []string // see Diff
	Left             []string // changed records beyond Source.Most
}

// Refresh updates x, opened in dir, and returns the index to use from now on; it closes x when that is another one.
// When it cannot write the index, or dir is "", it returns an up-to-date index in memory beside the error. On
// ErrCorrupt it returns nil.
func (x *Index) Refresh(dir string, wait time.Duration, from Source) (now *Index, done Done, err error) {
	fail := func(err error) (*Index, Done, error) {
		x.Close()
		return nil, Done{}, err
	}
	for try := range 2 { // update drops damaged files, and the second try builds all
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
		fresh, missing, left := from.build(changed)
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

// bulk is the number of records from which build limits its memory.
const bulk = 512

// build indexes the records with these ids, which are in the order of their hashes. It returns the ids that Get does
// not know, and those beyond Most.
func (from Source) build(ids []string) (fresh *segment, missing, left []string) {
	if len(ids) > bulk && from.Most == 0 {
		// the memory held grows with the records, and the heap must not grow to a multiple of it
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
