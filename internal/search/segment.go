package search

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/bits"
	"slices"
	"sort"
)

// An index has two files of one format: a base, and a tail with what changed since the base was written. A file holds
// groups of documents: a record alone, or the turns of a session. A group of the tail replaces that of the base with
// the same key; where it has noDocs, the group is gone. All numbers are little-endian, and those in texts uvarints:
//
//	header  magic, the generations of this file and of the base beneath it, the lengths of the front and of each
//	        section, the checksums of the front and of the header
//	front   the checksum of each page of the sections, then the facets
//	keys    the key of each group, in ascending order
//	groups  a row for each group: the stamp, its first document, where its name begins
//	names   the names of the groups
//	heads   a row for each document: tokens, units, facet, group, where its meta and its units begin
//	metas   for each document: time of the update, title, tags, turn
//	units   for each unit of a document, the title first: its tokens, bytes, and the numbers of its terms
//	lists   for each term, by its number: the documents that have it, see posting
//	terms   a row for each term, by its number: its hash, where its list begins
//	slots   a hash table of the terms: the number of each plus one, 0 for none
//
// Groups, heads and terms have one row more, for where the last one ends. A facet is what many documents share: type,
// kind, project, status and stage. Two of a hundred thousand terms have the same hash with
// a chance of one in a billion; then a query finds one document too many.
const (
	magic      = "memento search 10\n"
	headerSize = len(magic) + (3+int(sections))*8 + 8
	keySize    = 8
	groupSize  = 32
	headSize   = 24
	termSize   = 12
	slotSize   = 4
	pageSize   = 4 << 10
	maxFile    = 1 << 31
	noDocs     = -2 // the Stamp.Size of a group that is gone
)

// section names a section of a file.
type section int

const (
	keyRows section = iota
	groupRows
	nameTexts
	headRows
	metaTexts
	unitTexts
	listTexts
	termRows
	slotRows
	sections
)

// ErrCorrupt says that the index is damaged and must be built again.
var ErrCorrupt = errors.New("the search index is damaged")

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
type facet struct {
	typ, kind, project, status, stage string
}

func (f facet) meta() Meta {
	return Meta{Type: f.typ, Kind: f.kind, Project: f.project, Status: f.status, Stage: f.stage}
}

// cursor reads numbers and texts from b, from at on. Behind the end of b it reads zeros and is bad.
type cursor struct {
	b   []byte
	at  int
	bad bool
}

// more reports whether there is something left.
func (c *cursor) more() bool { return c.at < len(c.b) }

func (c *cursor) number() uint64 {
	if c.at < len(c.b) && c.b[c.at] < 0x80 { // the most frequent case
		c.at++
		return uint64(c.b[c.at-1])
	}
	v, n := binary.Uvarint(c.b[c.at:])
	if n <= 0 {
		c.at, c.bad = len(c.b), true
		return 0
	}
	c.at += n
	return v
}

// count reads a number of things of which each has a byte or more.
func (c *cursor) count() int {
	n := c.number()
	if n > uint64(len(c.b)-c.at) {
		c.at, c.bad = len(c.b), true
		return 0
	}
	return int(n)
}

func (c *cursor) text() []byte {
	n := c.count()
	c.at += n
	return c.b[c.at-n : c.at]
}

// err returns ErrCorrupt for a cursor that is bad.
func (c *cursor) err() error {
	if c.bad {
		return ErrCorrupt
	}
	return nil
}

func appendText[T string | []byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// segment is one open file of the index.
type segment struct {
	r          io.ReaderAt
	gen, under uint64 // the generations of this file and of the one beneath it
	ngroups    int
	ndocs      int
	nterms     int
	start      int64 // where the sections begin
	bounds     [sections + 1]int64
	sums       []byte // the checksums of the pages
	facets     []facet
	types      []uint8 // the type of each facet
	sections   [sections][]byte
	scratch    []byte // for read

	gone  []bool // the groups that the segment above replaces; nil for none
	dead  []bool // their documents
	ndead int
	file  []byte // the whole file, when a writer has just made it
}

// load reads the header and the front of the segment in r. Errors: ErrCorrupt, the disk's.
func load(r io.ReaderAt, size int64) (*segment, error) {
	if size < int64(headerSize) || size > maxFile {
		return nil, ErrCorrupt
	}
	head := make([]byte, headerSize)
	if err := fill(head, r, 0); err != nil {
		return nil, err
	}
	if string(head[:len(magic)]) != magic || sum(head[:headerSize-4]) != le.Uint32(head[headerSize-4:]) {
		return nil, ErrCorrupt
	}
	number := func(i int) int64 { return int64(le.Uint64(head[len(magic)+i*8:])) }
	s := &segment{r: r, gen: uint64(number(0)), under: uint64(number(1)), start: int64(headerSize) + number(2)}
	for i := range sections {
		n := number(3 + int(i))
		if n < 0 || n > size {
			return nil, ErrCorrupt
		}
		s.bounds[i+1] = s.bounds[i] + n
	}
	all := s.bounds[sections]
	pages := (all + pageSize - 1) / pageSize
	if s.start < int64(headerSize)+4*pages || s.start+all != size {
		return nil, ErrCorrupt
	}
	s.ngroups, s.ndocs = s.length(keyRows)/keySize, s.length(headRows)/headSize-1
	s.nterms = s.length(termRows)/termSize - 1
	if min(s.ndocs, s.nterms) < 0 || s.length(groupRows) < (s.ngroups+1)*groupSize {
		return nil, ErrCorrupt
	}
	front := make([]byte, s.start-int64(headerSize))
	if err := fill(front, r, int64(headerSize)); err != nil {
		return nil, err
	}
	if sum(front) != le.Uint32(head[headerSize-8:]) {
		return nil, ErrCorrupt
	}
	s.sums = front[:4*pages]
	return s, s.takeFacets(front[4*pages:])
}

// takeFacets reads the facets in b. Errors: ErrCorrupt.
func (s *segment) takeFacets(b []byte) error {
	for c := (cursor{b: b}); c.more(); {
		number := c.number()
		if number >= uint64(numTypes) {
			return ErrCorrupt
		}
		f := facet{typ: types[number]}
		for _, to := range [...]*string{&f.kind, &f.project, &f.status, &f.stage} {
			*to = string(c.text())
		}
		if c.bad {
			return ErrCorrupt
		}
		s.facets, s.types = append(s.facets, f), append(s.types, uint8(number))
	}
	return nil
}

// length returns how many bytes a section has.
func (s *segment) length(in section) int { return int(s.bounds[in+1] - s.bounds[in]) }

func fill(b []byte, r io.ReaderAt, at int64) error {
	if got, err := r.ReadAt(b, at); got < len(b) {
		if err == nil || err == io.EOF {
			err = ErrCorrupt
		}
		return err
	}
	return nil
}

// read returns the bytes of a section from from to before to, and compares the checksums of their pages. Unless the
// section is loaded, they are valid until the next call. Errors: ErrCorrupt, the disk's.
func (s *segment) read(in section, from, to int) (b []byte, err error) {
	if from < 0 || to < from || to > s.length(in) {
		return nil, ErrCorrupt
	}
	if s.sections[in] != nil {
		return s.sections[in][from:to], nil
	}
	s.scratch, b, err = s.pages(s.scratch, s.bounds[in]+int64(from), to-from)
	return b, err
}

// load returns a whole section, which it reads once. Errors: ErrCorrupt, the disk's.
func (s *segment) load(in section) (b []byte, err error) {
	if s.sections[in] == nil {
		_, s.sections[in], err = s.pages(nil, s.bounds[in], s.length(in))
	}
	return s.sections[in], err
}

// pages reads the pages with n bytes at the offset off of the sections into buf. It returns all of them, and the n
// bytes, which are not nil. Errors: ErrCorrupt, the disk's.
func (s *segment) pages(buf []byte, off int64, n int) (all, b []byte, err error) {
	first := off / pageSize
	from := first * pageSize
	to := min((off+int64(n)+pageSize-1)/pageSize*pageSize, s.bounds[sections])
	if n == 0 {
		return buf, []byte{}, nil
	}
	all = slices.Grow(buf[:0], int(to-from))[:to-from]
	if err := fill(all, s.r, s.start+from); err != nil {
		return nil, nil, err
	}
	for page := range slices.Chunk(all, pageSize) {
		if sum(page) != le.Uint32(s.sums[first*4:]) {
			return nil, nil, ErrCorrupt
		}
		first++
	}
	return all, all[off-from:][:n:n], nil
}

// loadHeads reads the heads, and checks them. Errors: ErrCorrupt, the disk's.
func (s *segment) loadHeads() error {
	if s.sections[headRows] != nil {
		return nil
	}
	b, err := s.load(headRows)
	if err != nil {
		return err
	}
	for i := range s.ndocs {
		if int(le.Uint32(b[i*headSize+8:])) >= len(s.facets) || int(le.Uint32(b[i*headSize+12:])) >= s.ngroups {
			s.sections[headRows] = nil
			return ErrCorrupt
		}
	}
	return nil
}

// The values of document i, after loadHeads.
func (s *segment) tokens(i int) int   { return s.headAt(i, 0) }
func (s *segment) units(i int) int    { return s.headAt(i, 4) }
func (s *segment) facetOf(i int) int  { return s.headAt(i, 8) }
func (s *segment) groupOf(i int) int  { return s.headAt(i, 12) }
func (s *segment) typeOf(i int) uint8 { return s.types[s.facetOf(i)] }
func (s *segment) headAt(i, at int) int {
	return int(le.Uint32(s.sections[headRows][i*headSize+at:]))
}

// meta and text return what is kept of document i, after loadHeads. Errors: ErrCorrupt, the disk's.
func (s *segment) meta(i int) ([]byte, error) {
	return s.read(metaTexts, s.headAt(i, 16), s.headAt(i+1, 16))
}
func (s *segment) text(i int) ([]byte, error) {
	return s.read(unitTexts, s.headAt(i, 20), s.headAt(i+1, 20))
}

// key returns the key of group g, after load(keyRows).
func (s *segment) key(g int) uint64 { return le.Uint64(s.sections[keyRows][g*keySize:]) }

// stampOf and firstDoc return values of group g, after load(groupRows).
func (s *segment) stampOf(g int) Stamp { return takeStamp(s.sections[groupRows][g*groupSize:]) }
func (s *segment) firstDoc(g int) int {
	return min(int(le.Uint32(s.sections[groupRows][g*groupSize+24:])), s.ndocs)
}

func takeStamp(row []byte) Stamp {
	return Stamp{Number: le.Uint64(row), Size: int64(le.Uint64(row[8:])), Time: int64(le.Uint64(row[16:]))}
}

// group returns the name and the stamp of group g. Errors: ErrCorrupt, the disk's.
func (s *segment) group(g int) (name string, at Stamp, err error) {
	rows, err := s.read(groupRows, g*groupSize, (g+2)*groupSize)
	if err != nil {
		return "", at, err
	}
	at = takeStamp(rows)
	b, err := s.read(nameTexts, int(le.Uint32(rows[28:])), int(le.Uint32(rows[groupSize+28:])))
	return string(b), at, err
}

// find returns the group with this key that is not replaced, after load(keyRows).
func (s *segment) find(key uint64) (g int, ok bool) {
	g = sort.Search(s.ngroups, func(g int) bool { return s.key(g) >= key })
	return g, g < s.ngroups && s.key(g) == key && (s.gone == nil || !s.gone[g])
}

// isLive reports whether a group is neither replaced nor gone, after load(groupRows).
func (s *segment) isLive(g int) bool {
	return (s.gone == nil || !s.gone[g]) && s.stampOf(g).Size != noDocs
}

// live reports whether document i is of a group that is not replaced.
func (s *segment) live(i int) bool { return s.dead == nil || !s.dead[i] }

// hide marks the groups with these keys as replaced. Errors: ErrCorrupt, the disk's.
func (s *segment) hide(keys []uint64) error {
	if _, err := s.load(keyRows); err != nil {
		return err
	}
	for _, key := range keys {
		g, ok := s.find(key)
		if !ok {
			continue
		}
		rows, err := s.read(groupRows, g*groupSize, (g+2)*groupSize)
		if err != nil {
			return err
		}
		from, to := int(le.Uint32(rows[24:])), int(le.Uint32(rows[groupSize+24:]))
		if to < from || to > s.ndocs {
			return ErrCorrupt
		}
		if s.gone == nil {
			s.gone, s.dead = make([]bool, s.ngroups), make([]bool, s.ndocs)
		}
		s.gone[g] = true
		for i := from; i < to; i++ {
			s.dead[i] = true
			s.ndead++
		}
	}
	return nil
}

// keys returns the keys of all groups. Errors: ErrCorrupt, the disk's.
func (s *segment) keys() (out []uint64, err error) {
	if _, err := s.load(keyRows); err != nil {
		return nil, err
	}
	for g := range s.ngroups {
		out = append(out, s.key(g))
	}
	return out, nil
}

// info returns the Meta of document i. Errors: ErrCorrupt, the disk's.
func (s *segment) info(i int) (Meta, error) {
	if err := s.loadHeads(); err != nil {
		return Meta{}, err
	}
	name, at, err := s.group(s.groupOf(i))
	if err != nil {
		return Meta{}, err
	}
	m := s.facets[s.facetOf(i)].meta()
	m.setName(name)
	m.Stamp = at
	b, err := s.meta(i)
	if err != nil {
		return m, err
	}
	c := cursor{b: b}
	m.Updated = unsigned(c.number())
	m.Title = string(c.text())
	for range c.count() {
		m.Tags = append(m.Tags, string(c.text()))
	}
	m.Turn = int(c.number())
	return m, c.err()
}

// signed and unsigned change a number that may be negative into one that is not, and back.
func signed(v int64) uint64   { return uint64(v<<1) ^ uint64(v>>63) }
func unsigned(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// updated returns the Meta.Updated of document i. It reads the metas once, for many calls. Errors: ErrCorrupt, the
// disk's.
func (s *segment) updated(i int) (int64, error) {
	if _, err := s.load(metaTexts); err != nil {
		return 0, err
	}
	b, err := s.meta(i)
	if err != nil {
		return 0, err
	}
	c := cursor{b: b}
	return unsigned(c.number()), c.err()
}

// term returns the number of the term with this hash, false for none. Errors: ErrCorrupt, the disk's.
func (s *segment) term(hash uint64) (number int, ok bool, err error) {
	all := s.length(slotRows) / slotSize
	if all == 0 || all&(all-1) != 0 {
		return 0, false, ErrCorrupt
	}
	i := slotOf(hash, all)
	for range all {
		b, err := s.read(slotRows, i*slotSize, (i+1)*slotSize)
		if err != nil {
			return 0, false, err
		}
		if number = int(le.Uint32(b)) - 1; number < 0 {
			return 0, false, nil
		}
		if b, err = s.read(termRows, number*termSize, (number+1)*termSize); err != nil {
			return 0, false, err
		}
		if le.Uint64(b) == hash {
			return number, true, nil
		}
		i = (i + 1) & (all - 1)
	}
	return 0, false, nil
}

// slotOf returns the first slot, of so many, in which a term may be.
func slotOf(hash uint64, slots int) int { return int(hash >> (64 - uint(bits.Len(uint(slots-1))))) }

// listAt returns where the list of the term with this number begins and ends. Errors: ErrCorrupt, the disk's.
func (s *segment) listAt(number int) (from, to int, err error) {
	b, err := s.read(termRows, number*termSize, (number+2)*termSize)
	if err != nil {
		return 0, 0, err
	}
	return int(le.Uint32(b[8:])), int(le.Uint32(b[termSize+8:])), nil
}

// list returns the list of the term with this number, as read does. Errors: ErrCorrupt, the disk's.
func (s *segment) list(number int) ([]byte, error) {
	from, to, err := s.listAt(number)
	if err != nil {
		return nil, err
	}
	return s.read(listTexts, from, to)
}

// posting says that a document has a term: in how many units, how often in the title, and how often in the body. Its
// document stands in a list as the distance from the one before, times two, plus one unless the term is once in the
// body and nowhere else. Then the three numbers follow.
type posting struct{ doc, units, head, body int }

// next reads the next posting into p, which is {doc: -1} at first, and reports whether there is one.
func (p *posting) next(c *cursor) bool {
	if b := c.b[c.at:]; len(b) >= 4 && (b[0]|b[1]|b[2]|b[3]) < 0x80 { // most postings, without a call
		if p.doc += 1 + int(b[0]>>1); b[0]&1 == 1 {
			p.units, p.head, p.body = int(b[1]), int(b[2]), int(b[3])
			c.at += 4
			return true
		}
		p.units, p.head, p.body = 1, 0, 1
		c.at++
		return true
	}
	if !c.more() {
		return false
	}
	v := c.number()
	p.doc, p.units, p.head, p.body = p.doc+1+int(v>>1&(maxFile-1)), 1, 0, 1
	if v&1 == 1 {
		p.units, p.head, p.body = int(c.number()), int(c.number()), int(c.number())
	}
	return true
}

// appendPosting appends a posting to a list whose last document is last, -1 for none.
func appendPosting(b []byte, last int, p posting) []byte {
	step := uint64(p.doc-last-1) << 1
	if p.units == 1 && p.body == 1 {
		return binary.AppendUvarint(b, step)
	}
	b = binary.AppendUvarint(b, step|1)
	for _, v := range [...]int{p.units, p.head, p.body} {
		b = binary.AppendUvarint(b, uint64(v))
	}
	return b
}

// postings calls f with each posting of the term with this hash in a live document. It returns the term's number, -1
// for none. Errors: ErrCorrupt, the disk's.
func (s *segment) postings(hash uint64, f func(posting)) (number int, err error) {
	number, ok, err := s.term(hash)
	if err != nil || !ok {
		return -1, err
	}
	return number, s.eachPosting(number, func(p posting) {
		if s.live(p.doc) {
			f(p)
		}
	})
}

// eachPosting calls f with each posting of the term with this number. Errors: ErrCorrupt, the disk's.
func (s *segment) eachPosting(number int, f func(posting)) error {
	b, err := s.list(number)
	if err != nil {
		return err
	}
	c, p := cursor{b: b}, posting{doc: -1}
	for p.next(&c) {
		if p.doc >= s.ndocs {
			return ErrCorrupt
		}
		f(p)
	}
	return c.err()
}
