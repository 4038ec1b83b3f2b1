package search

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"time"
)

// joined returns the content of a file with all live records of parts. No two parts may have a live record with the
// same ID. It reads the lists of each part piece by piece. Errors, also of the content's lists: ErrCorrupt, the disk's.
func joined(parts ...*segment) (c content, err error) {
	order, err := living(parts)
	if err != nil {
		return c, err
	}
	for _, s := range parts {
		c.size += int(s.fanAt - s.listsAt)
	}
	numbers := map[facet]uint32{}
	now := make([][]int32, len(parts)) // for each part, the new number of a record by its old one; -1 for a dead one
	facets := make([][]uint32, len(parts))
	for n, s := range parts {
		now[n] = make([]int32, s.ndocs)
		for i := range now[n] {
			now[n][i] = -1
		}
		for _, f := range s.facets {
			number, ok := numbers[f]
			if !ok {
				number = uint32(len(c.facets))
				c.facets, numbers[f] = append(c.facets, f), number
			}
			facets[n] = append(facets[n], number)
		}
	}
	c.records = make([]record, len(order))
	for i, o := range order {
		s := parts[o.part]
		size, time := s.stamp(o.doc)
		now[o.part][o.doc] = int32(i)
		c.records[i] = record{o.id, s.length(o.doc), s.units(o.doc), facets[o.part][s.facetOf(o.doc)],
			Stamp{size, time, s.number(o.doc)}, s.details[s.place(o.doc):s.place(o.doc+1)]}
	}
	readers := make([]*lists, len(parts))
	for n, s := range parts {
		if readers[n], err = s.reader(now[n]); err != nil {
			return c, err
		}
	}
	c.lists = func(b []byte, term termFunc) ([]byte, error) { return joinLists(readers, b, term) }
	return c, nil
}

// segment returns the content as a segment in memory. Errors: those of c.lists.
func (c content) segment() (*segment, error) {
	file, err := encode(uint64(time.Now().UnixNano()), c)
	if err != nil {
		return nil, err
	}
	s, err := load(bytes.NewReader(file), int64(len(file)))
	if err == nil {
		s.file = file
	}
	return s, err
}

// source names a record by its part and its number there.
type source struct {
	part, doc int
	id        uint64
}

// living returns the live records of all parts, in the order of their IDs' hashes.
func living(parts []*segment) ([]source, error) {
	var order []source
	for n, s := range parts {
		for _, load := range [...]func() error{s.loadIDs, s.loadHeads, s.loadStamps, s.loadDetails} {
			if err := load(); err != nil {
				return nil, err
			}
		}
		for i := range s.ndocs {
			if s.live(i) {
				order = append(order, source{n, i, s.id(i)})
			}
		}
	}
	slices.SortFunc(order, func(a, b source) int { return cmp.Compare(a.id, b.id) })
	return order, nil
}

// joinLists appends to b the lists of every term of readers, in the order of the terms' hashes, and calls term after
// each. Errors: ErrCorrupt, the disk's.
func joinLists(readers []*lists, b []byte, term termFunc) ([]byte, error) {
	with := make([]*lists, 0, len(readers)) // the readers with the term
	for {
		least, any := uint64(0), false
		for _, r := range readers {
			if len(r.rows) > 0 && (!any || r.hash() < least) {
				least, any = r.hash(), true
			}
		}
		if !any {
			return b, nil
		}
		with = with[:0]
		for _, r := range readers {
			if len(r.rows) == 0 || r.hash() != least {
				continue
			}
			if err := r.open(); err != nil {
				return nil, err
			}
			if r.doc >= 0 {
				with = append(with, r)
			}
		}
		had := len(b)
		var err error
		if b, err = joinList(with, b); err != nil {
			return nil, err
		}
		if len(b) > had {
			if b, err = term(least, b); err != nil {
				return nil, err
			}
		}
	}
}

// joinList appends to b the postings of the open lists of with, in the order of the records.
func joinList(with []*lists, b []byte) ([]byte, error) {
	last := int32(-1)
	for len(with) > 0 {
		r := with[0]
		for _, other := range with[1:] {
			if other.doc < r.doc {
				r = other
			}
		}
		if r.doc <= last {
			return nil, ErrCorrupt // the records are not in order
		}
		b = binary.AppendUvarint(b, uint64(r.doc-last-1))
		b = append(b, r.entries...)
		last = r.doc
		if err := r.next(); err != nil {
			return nil, err
		}
		if r.doc < 0 {
			with = slices.DeleteFunc(with, func(other *lists) bool { return other == r })
		}
	}
	return b, nil
}

// piece is how many bytes of the lists a reader reads at once.
const piece = 1 << 20

// lists reads the lists of a segment one after the other.
type lists struct {
	s       *segment
	now     []int32
	rows    []byte // the rows of the terms that are left
	b       []byte // a piece of the lists
	at      int64  // its offset
	left    []byte // the rest of the open list
	was     int    // the old number of the current record
	doc     int32  // the new number of the current record; -1 at the end of the list
	entries []byte // of the current record
}

func (s *segment) reader(now []int32) (*lists, error) {
	rows, err := s.at(s.termsAt, int(s.fanAt-s.termsAt))
	return &lists{s: s, now: now, rows: rows}, err
}

func (l *lists) hash() uint64 { return binary.LittleEndian.Uint64(l.rows) }

// open moves to the first posting of the next term's list.
func (l *lists) open() (err error) {
	at, n, hasTable := listAt(l.rows)
	l.rows = l.rows[termSize:]
	all := l.s.termsAt - l.s.listsAt
	if at+n > all {
		return ErrCorrupt
	}
	if at < l.at || at+n > l.at+int64(len(l.b)) {
		if l.b, err = l.s.at(l.s.listsAt+at, int(min(max(n, piece), all-at))); err != nil {
			return err
		}
		l.at = at
	}
	l.left, l.was = l.b[at-l.at:][:n], -1
	if hasTable {
		if l.left, err = new(postings).cutTable(l.left); err != nil {
			return err
		}
	}
	return l.next()
}

// next moves to the next posting of a live record.
func (l *lists) next() error {
	for len(l.left) > 0 {
		doc, entries, err := posting(l.left, l.was, l.s.ndocs)
		if err != nil {
			return err
		}
		rest, err := skipEntries(entries)
		if err != nil {
			return err
		}
		l.was, l.left = doc, rest
		if l.doc = l.now[doc]; l.doc >= 0 {
			l.entries = entries[:len(entries)-len(rest)]
			return nil
		}
	}
	l.doc = -1
	return nil
}
