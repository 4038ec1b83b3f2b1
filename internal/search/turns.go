package search

import (
	"cmp"
	"errors"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sort"
	"time"
)

// Session is the file of a session as it is now.
type Session struct {
	Project, ID string
	Stamp       Stamp
}

// cover returns the document that stands for the session in the index. It keeps the stamp.
func (s Session) cover() Doc {
	return Doc{Meta: Meta{Type: cover, Project: s.Project, Session: s.ID, Stamp: s.Stamp}}
}

// Sessions gives Follow the turns of sessions.
type Sessions struct {
	There []Session
	// Whole reports whether There names all sessions of a project. Follow takes the project's other sessions out.
	Whole func(project string) bool
	// Get returns the documents of a session's turns in their order. Follow sets their Project and Session. It skips a
	// session for which Get returns an error.
	Get  func(Session) ([]Doc, error)
	Most int // Follow stops after the session with the Most'th document; 0 for no limit
	// Said, unless nil, receives how many of the changed sessions are indexed so far.
	Said func(done, all int)
}

// OpenTurns opens the index of the turns in dir, memento's folder, as Open opens that of the records.
func OpenTurns(dir string) (*Index, error) { return turns.open(dir) }

// Join lets x answer from y too. Nobody may update x or use y afterwards. Close of x closes both.
func (x *Index) Join(y *Index) {
	x.segments = append(slices.Clone(x.segments), y.segments...)
	x.files = append(x.files, y.files...)
	y.segments, y.files = nil, nil
}

// Follow updates x, opened by OpenTurns in dir, and returns the index to use from now on; it closes x when that is
// another one. A session that changed is indexed anew, and its older documents go. left is the number of changed
// sessions beyond Most. When Follow cannot write the index, it returns an up-to-date index in memory beside the error.
// On ErrCorrupt it returns nil.
func (x *Index) Follow(dir string, wait time.Duration, from Sessions) (now *Index, left int, err error) {
	fail := func(err error) (*Index, int, error) {
		x.Close()
		return nil, 0, err
	}
	changed, gone, err := x.compareSessions(from)
	if err != nil {
		return fail(err)
	}
	if len(changed) == 0 && len(gone) == 0 {
		return x, 0, nil
	}
	fresh, taken, left, err := from.build(changed)
	if err != nil {
		return fail(err)
	}
	c := change{pair: turns, fresh: fresh, gone: append(gone, taken...)}
	if err = update(dir, wait, c); err == nil {
		var y *Index
		if y, err = OpenTurns(dir); err == nil {
			x.Close()
			return y, left, nil
		}
	}
	if bad := x.overlay(c); bad != nil {
		return fail(errors.Join(err, bad))
	}
	return x, left, err
}

// compareSessions returns the sessions that x lacks or has in another version, and the keys of the covers of those that
// are gone. Errors: ErrCorrupt, the disk's.
func (x *Index) compareSessions(from Sessions) (changed []Session, gone []uint64, err error) {
	there := make(map[uint64]bool, len(from.There))
	for _, s := range x.segments {
		if err := s.spread(); err != nil {
			return nil, nil, err
		}
	}
next:
	for _, f := range from.There {
		h := f.cover()
		there[h.key()] = true
		for _, s := range x.segments {
			n, ok, err := s.find(h.key())
			if err != nil {
				return nil, nil, err
			}
			if !ok || !s.live(n) {
				continue
			}
			if same, err := s.same(n, f.Stamp); err != nil {
				return nil, nil, err
			} else if same {
				continue next
			}
			break
		}
		changed = append(changed, f)
	}
	for _, s := range x.segments {
		whole := make([]bool, len(s.facets))
		for i, f := range s.facets {
			whole[i] = f.typ == cover && from.Whole(f.project)
		}
		if !slices.Contains(whole, true) {
			continue
		}
		if err := s.loadHeads(); err != nil {
			return nil, nil, err
		}
		for i := range s.ndocs {
			if whole[s.facetOf(i)] && s.live(i) && !there[s.id(i)] {
				gone = append(gone, s.id(i))
			}
		}
	}
	return changed, gone, nil
}

// bulkText is how many bytes of text build gathers before it indexes them. The words of all text together would need
// much more memory than their index.
const bulkText = 4 << 20

// bulkSessions is the number of sessions from which build limits its memory.
const bulkSessions = 64

// build indexes the turns of these sessions. taken has the keys of the covers of those that it read. Errors: none but
// ErrCorrupt, which a segment in memory does not return.
func (from Sessions) build(changed []Session) (fresh *segment, taken []uint64, left int, err error) {
	if len(changed) > bulkSessions && from.Most == 0 {
		defer debug.SetGCPercent(debug.SetGCPercent(50)) // as in Source.build; and each part leaves much behind
	}
	var parts []*segment
	var docs []Doc
	size, total := 0, 0
	flush := func() {
		parts = append(parts, build(docs))
		clear(docs)
		docs, size = docs[:0], 0
	}
	for i, f := range changed {
		if from.Most > 0 && total >= from.Most {
			left = len(changed) - i
			break
		}
		all, bad := from.Get(f)
		if bad != nil {
			continue
		}
		h := f.cover()
		docs, taken = append(docs, h), append(taken, h.key())
		for _, d := range all {
			d.Project, d.Session = f.Project, f.ID
			d.Stamp = Stamp{Time: d.Updated} // see updated
			docs = append(docs, d)
			size += len(d.Body)
		}
		if total += len(all); size > bulkText {
			flush()
		}
		if from.Said != nil {
			from.Said(i+1, len(changed))
		}
	}
	if len(docs) > 0 || len(parts) == 0 {
		flush()
	}
	if len(parts) == 1 {
		return parts[0], taken, left, nil
	}
	c, err := joined(parts...)
	if err != nil {
		return nil, nil, 0, err
	}
	fresh, err = c.segment()
	return fresh, taken, left, err
}

// hidesSessions returns the documents of s that belong to sessions of which c has the covers' keys. Errors: ErrCorrupt,
// the disk's.
func (c change) hidesSessions(s *segment) (docs []uint32, err error) {
	if err := s.loadIDs(); err != nil {
		return nil, err
	}
	for _, key := range c.gone {
		i := sort.Search(s.ndocs, func(i int) bool { return s.id(i) >= key })
		for ; i < s.ndocs && s.id(i)&^turnBits == key; i++ {
			docs = append(docs, uint32(i))
		}
	}
	return docs, nil
}

// pair names the two files of an index: a base, and a tail with what changed since the base was written.
type pair struct {
	base, tail string
	// tailMax returns how many documents the tail may have beside a base of so many. Each change writes the whole tail
	// again, and each merge of the two the whole base.
	tailMax func(base int) int
}

var (
	records = pair{"base", "tail", tailMax}
	// A session that goes on is written again with all its turns, so the tail is longer.
	turns = pair{"turns", "turns-tail", func(base int) int { return max(2048, 12*tailMax(base)) }}
)

// names lists the names of all files of the index.
var names = [...]string{records.base, records.tail, turns.base, turns.tail}

// drop removes the pair's files. Errors: safefile.ErrRefused, the disk's.
func (p pair) drop(dir string) error {
	return cmp.Or(dropFile(filepath.Join(dir, Folder, p.base)), dropFile(filepath.Join(dir, Folder, p.tail)))
}
