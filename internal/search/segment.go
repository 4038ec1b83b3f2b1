package search

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sort"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// An index has two files: a base, which is one segment and written whole, and a tail, to which each change appends a
// segment and a line end. A segment holds groups of documents: a record alone, or the turns of a session. A group
// replaces those with the same key in the segments before; where it has noDocs, the group is gone. All numbers are
// little-endian, and those in texts and lists uvarints:
//
//	header  magic, the ids of this segment and of the base beneath it, the lengths of the front and of each section,
//	        the checksums of the front and of the header
//	front   the checksum of each page of the sections, then the facets
//	groups  a row for each group, by its key: key, stamp, its first document, how many it has, where its name begins
//	names   the names of the groups
//	heads   a row for each document: tokens, units, facet, group, where its text begins, time of the update
//	texts   for each document: title, tags, turn; for each unit, the title first: its tokens and bytes
//	terms   a row for each term, by its hash: the hash, where its list begins
//	lists   for each term where it stands, see posting
//
// Groups, heads and terms have one row more, for where the last one ends. A facet is what many documents share: type,
// kind, project, status and stage. Two of a hundred thousand terms have the same hash with a chance of one in a
// billion; then a query finds one document too many.
const (
	magic      = "memento search 13\n"
	headerSize = len(magic) + (3+int(sections))*8 + 8
	groupSize  = 44
	headSize   = 28
	termSize   = 12
	pageSize   = 4 << 10
	maxFile    = 1 << 31
	noDocs     = -2 // the Stamp.Size of a group that is gone
)

// section names a section of a segment.
type section int

const (
	groupRows section = iota
	nameTexts
	headRows
	docTexts
	termRows
	listTexts
	sections
)

// ErrCorrupt says that the index is damaged and must be built again.
var ErrCorrupt = errors.New("the search index is damaged")

// failure is what a reader of a segment panics with, so that none of them returns an error: rescue does.
type failure struct{ err error }

// check panics with err, unless it is nil.
func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// rescue, deferred, turns a reader's panic into err: an index out of range, of a damaged length, is ErrCorrupt.
func rescue(err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = r.err
	case runtime.Error:
		*err = ErrCorrupt
	default:
		panic(r)
	}
}

var le = binary.LittleEndian

// sum returns a checksum. Of Go's checksums it is the one that builds no table, which would cost each search 0.2 ms.
func sum(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

// hash returns a hash whose high bits are spread as evenly as its low bits.
func hash[T string | []byte](s T) uint64 {
	const a, b = 0xa0761d6478bd642f, 0xe7037ed1a0b428db
	h := uint64(len(s)) ^ a
	for len(s) >= 8 {
		v := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		high, low := bits.Mul64(h^v, b)
		h, s = high^low, s[8:]
	}
	v := uint64(0)
	for i := len(s) - 1; i >= 0; i-- {
		v = v<<8 | uint64(s[i])
	}
	high, low := bits.Mul64(h^v^b, a)
	high, low = bits.Mul64(high^low, b)
	return high ^ low
}

// facet is what many documents share, see above.
type facet struct{ typ, kind, project, status, stage string }

func (f facet) meta() Meta {
	return Meta{Type: f.typ, Kind: f.kind, Project: f.project, Status: f.status, Stage: f.stage}
}

// cursor reads numbers and texts from b, from at on. It panics behind the end of b.
type cursor struct {
	b  []byte
	at int
}

// more reports whether there is something left.
func (c *cursor) more() bool { return c.at < len(c.b) }

func (c *cursor) number() uint64 {
	if c.b[c.at] < 0x80 { // the most frequent case
		c.at++
		return uint64(c.b[c.at-1])
	}
	v, n := binary.Uvarint(c.b[c.at:])
	if n <= 0 {
		check(ErrCorrupt)
	}
	c.at += n
	return v
}

// small reads a number that is less than maxFile.
func (c *cursor) small() int { return int(c.number() & (maxFile - 1)) }

func (c *cursor) text() string {
	n := c.small()
	c.at += n
	return string(c.b[c.at-n : c.at])
}

// segment is one segment that is open.
type segment struct {
	r         io.ReaderAt
	id, under uint64 // of this segment, and of the base beneath it
	ngroups   int
	ndocs     int
	size      int64 // of the whole segment
	start     int64 // where the sections begin
	bounds    [sections + 1]int64
	sums      []byte // the checksums of the pages
	facets    []facet
	types     []uint8          // the type of each facet
	sections  [sections][]byte // those that are loaded

	gone  []bool // the groups that a later segment replaces; nil for none
	dead  []bool // their documents
	ndead int
}

// load reads the header and the front of the segment at the start of r, of size bytes. Errors: ErrCorrupt, the disk's.
func load(r io.ReaderAt, size int64) (s *segment, err error) {
	defer rescue(&err)
	head := fill(r, 0, headerSize)
	if string(head[:len(magic)]) != magic || sum(head[:headerSize-4]) != le.Uint32(head[headerSize-4:]) {
		return nil, ErrCorrupt
	}
	number := func(i int) int64 { return int64(le.Uint64(head[len(magic)+i*8:]) % maxFile) }
	s = &segment{r: r, id: le.Uint64(head[len(magic):]), under: le.Uint64(head[len(magic)+8:])}
	s.start = int64(headerSize) + number(2)
	for i := range sections {
		s.bounds[i+1] = s.bounds[i] + number(3+int(i))
	}
	s.size = s.start + s.bounds[sections]
	s.ngroups, s.ndocs = s.length(groupRows)/groupSize-1, s.length(headRows)/headSize-1
	if s.size > size || min(s.ngroups, s.ndocs, s.length(termRows)-termSize) < 0 {
		return nil, ErrCorrupt
	}
	front := fill(r, int64(headerSize), int(number(2)))
	if sum(front) != le.Uint32(head[headerSize-8:]) {
		return nil, ErrCorrupt
	}
	pages := int(s.bounds[sections]+pageSize-1) / pageSize
	s.sums = front[:4*pages]
	for c := (cursor{b: front[4*pages:]}); c.more(); {
		typ := c.small()
		s.types = append(s.types, uint8(typ))
		s.facets = append(s.facets, facet{types[typ], c.text(), c.text(), c.text(), c.text()})
	}
	return s, nil
}

// length returns how many bytes a section has.
func (s *segment) length(in section) int { return int(s.bounds[in+1] - s.bounds[in]) }

// fill reads n bytes.
func fill(r io.ReaderAt, at int64, n int) []byte {
	b := make([]byte, n)
	if got, err := r.ReadAt(b, at); got < n {
		if err == io.EOF {
			err = ErrCorrupt
		}
		check(err)
	}
	return b
}

// read returns the bytes of a section from from to before to, and compares the checksums of their pages.
func (s *segment) read(in section, from, to int) []byte {
	switch {
	case from == to:
		return nil
	case s.sections[in] != nil:
		return s.sections[in][from:to:to]
	case from < 0 || to < from || to > s.length(in):
		check(ErrCorrupt)
	}
	first, end := s.bounds[in]+int64(from), s.bounds[in]+int64(to)
	begin := first / pageSize * pageSize
	all := fill(s.r, s.start+begin, int(min((end+pageSize-1)/pageSize*pageSize, s.bounds[sections])-begin))
	page := begin / pageSize * 4
	for b := range slices.Chunk(all, pageSize) {
		if sum(b) != le.Uint32(s.sums[page:]) {
			check(ErrCorrupt)
		}
		page += 4
	}
	return all[first-begin : end-begin : end-begin]
}

// load reads whole sections, each once.
func (s *segment) load(all ...section) {
	for _, in := range all {
		s.sections[in] = s.read(in, 0, s.length(in))
	}
}

// The values of document i, after load(headRows).
func (s *segment) tokens(i int) int    { return s.headAt(i, 0) }
func (s *segment) units(i int) int     { return s.headAt(i, 4) }
func (s *segment) facetOf(i int) int   { return s.headAt(i, 8) }
func (s *segment) groupOf(i int) int   { return s.headAt(i, 12) }
func (s *segment) typeOf(i int) uint8  { return s.types[s.facetOf(i)] }
func (s *segment) updated(i int) int64 { return int64(le.Uint64(s.sections[headRows][i*headSize+20:])) }
func (s *segment) headAt(i, at int) int {
	return int(le.Uint32(s.sections[headRows][i*headSize+at:]))
}

// text returns the text of document i, after load(headRows).
func (s *segment) text(i int) []byte { return s.read(docTexts, s.headAt(i, 16), s.headAt(i+1, 16)) }

// group is a group: its key, name and file's stamp, its documents from first to before last, its row and the next.
type group struct {
	key         uint64
	name        string
	at          safefile.Stamp
	first, last int
	row         []byte
}

// group returns group g without its name.
func (s *segment) group(g int) group {
	row := s.read(groupRows, g*groupSize, (g+2)*groupSize)
	at := safefile.Stamp{Number: le.Uint64(row[8:]), Size: int64(le.Uint64(row[16:])), Time: int64(le.Uint64(row[24:]))}
	first := int(le.Uint32(row[32:]))
	return group{key: le.Uint64(row), at: at, first: first, last: first + int(le.Uint32(row[36:])), row: row}
}

// nameOf returns the name of a group.
func (s *segment) nameOf(g group) string {
	return string(s.read(nameTexts, int(le.Uint32(g.row[40:])), int(le.Uint32(g.row[groupSize+40:]))))
}

// row finds the row that begins with hash among rows of size bytes, which are sorted. It returns the row's number and
// the row with the one behind it, nil for none.
func (s *segment) row(in section, size int, hash uint64) (int, []byte) {
	all := s.length(in)/size - 1
	high, _ := bits.Mul64(hash, uint64(all))                     // hashes are spread evenly, so that its row is near this one
	for near := 16 + int(math.Sqrt(float64(all))); ; near *= 4 { // 95 of 100 are found in the first try
		low, end := max(int(high)-near, 0), min(int(high)+near, all)
		rows := s.read(in, low*size, (end+1)*size)
		i := sort.Search(end-low, func(i int) bool { return le.Uint64(rows[i*size:]) >= hash })
		switch {
		case i < end-low && le.Uint64(rows[i*size:]) == hash:
			return low + i, rows[i*size : (i+2)*size]
		case near >= all || (i > 0 || low == 0) && (i < end-low || end == all):
			return 0, nil
		}
	}
}

// find returns the number of the group with this key that no later segment replaces, -1 for none.
func (s *segment) find(key uint64) int {
	if g, row := s.row(groupRows, groupSize, key); row != nil && (s.gone == nil || !s.gone[g]) {
		return g
	}
	return -1
}

// isLive reports whether a group is neither replaced nor gone.
func (s *segment) isLive(g int) bool {
	return (s.gone == nil || !s.gone[g]) && s.group(g).at.Size != noDocs
}

// live reports whether document i is of a group that is not replaced.
func (s *segment) live(i int) bool { return s.dead == nil || !s.dead[i] }

// hide marks the group with this key as replaced.
func (s *segment) hide(key uint64) {
	n := s.find(key)
	if n < 0 {
		return
	}
	if s.gone == nil {
		s.gone, s.dead = make([]bool, s.ngroups), make([]bool, s.ndocs)
	}
	s.gone[n] = true
	for g, i := s.group(n), 0; g.first+i < g.last; i++ {
		s.dead[g.first+i] = true
		s.ndead++
	}
}

// info returns the Meta of document i.
func (s *segment) info(i int) Meta {
	s.load(headRows)
	g := s.group(s.groupOf(i))
	m := s.facets[s.facetOf(i)].meta()
	if m.ID = s.nameOf(g); m.Type != Record {
		_, m.Session, _ = strings.Cut(m.ID, "/")
		m.ID = ""
	}
	m.Stamp, m.Updated = g.at, s.updated(i)
	c := cursor{b: s.text(i)}
	c.skipTo(&m)
	return m
}

// skipTo reads the part of a document's text before its units into m.
func (c *cursor) skipTo(m *Meta) {
	m.Title = c.text()
	for n := c.small(); n > 0; n-- {
		m.Tags = append(m.Tags, c.text())
	}
	m.Turn = c.small()
}

// listAt returns where the list of the term with this hash begins and ends, from 0 to 0 for none.
func (s *segment) listAt(hash uint64) (from, to int) {
	_, row := s.row(termRows, termSize, hash)
	if row == nil {
		return 0, 0
	}
	return int(le.Uint32(row[8:])), int(le.Uint32(row[termSize+8:]))
}

// list returns the list of the term with this hash, empty for none.
func (s *segment) list(hash uint64) []byte {
	from, to := s.listAt(hash)
	return s.read(listTexts, from, to)
}

// posting says how often a unit of a document has a term. A list has the distance from the document before, times two,
// plus one unless the count is 1; the unit, or its distance from the one before there; the count if not 1.
type posting struct {
	doc, unit, count int
	first            bool // the first one of its document
}

// next reads the next posting into p, which is {doc: -1} at first.
func (p *posting) next(c *cursor) {
	if b := c.b[c.at:]; len(b) > 1 && (b[0]|b[1]) < 0x80 && b[0]&1 == 0 { // most postings
		c.at += 2
		p.first, p.count = b[0] > 0, 1
		if p.first {
			p.doc, p.unit = p.doc+int(b[0]>>1), int(b[1])
		} else {
			p.unit += int(b[1])
		}
		return
	}
	v, unit := c.small(), c.small()
	p.first, p.count = v > 1, 1
	if p.first {
		p.doc, p.unit = p.doc+v>>1, unit
	} else {
		p.unit += unit
	}
	if v&1 == 1 {
		p.count = c.small()
	}
}

// append appends p to a list whose last posting is last.
func (p posting) append(b []byte, last posting) []byte {
	v := uint64(p.doc-last.doc) << 1
	if p.count != 1 {
		v |= 1
	}
	unit := p.unit
	if p.doc == last.doc {
		unit -= last.unit
	}
	b = binary.AppendUvarint(binary.AppendUvarint(b, v), uint64(unit))
	if p.count != 1 {
		b = binary.AppendUvarint(b, uint64(p.count))
	}
	return b
}
