package search

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/bits"
	"slices"
)

// The index has two files of one format, a base and a tail. The tail holds the records saved since the base was
// written, and lists the records of the base that it replaces. All numbers are little-endian:
//
//	header   magic, then numbers: see load. The checksum of the front, then that of the header
//	ids      an idSize row for each record, by its key: the key, its file's number
//	heads    a headSize row for each record, and one more: tokens, units, facet, offset in the details
//	stamps   a stampSize row for each record: size, time
//	details  for each record: time of the update, ID, title, tags, session, turn, then the tokens and bytes of each
//	         unit of the body
//	lists    the postings of each term, one list after the other: see posting.go
//	terms    a termSize row for each term, by hash: hash, offset and length of its list, and whether it has a table
//	fan      for each bucket of term hashes: the end of its rows
//	front    the checksums of the pages from ids to fan; the replaced records of the file beneath; the facets,
//	         each with how many documents, units and tokens it has
//
// Open reads the header and the front. A query reads the heads, unless it wants few documents, and from the other
// sections only the pages it needs, each with its checksum. A facet is what many records share: type, kind, project,
// status, stage, and whether they could be read.
//
// The index keeps the hashes of terms. With a hundred thousand terms, two have the same hash with a chance of one in a
// billion; then a query finds one record too many.
const (
	magic      = "memento search 7\n"
	numbers    = 11
	headerSize = len(magic) + numbers*8 + 8
	idSize     = 16
	headSize   = 16
	stampSize  = 16
	termSize   = 16
	fanSize    = 4
	pageSize   = 4 << 10
	maxFile    = 1 << 31
	// A file up to wholeFile bytes, and details up to wholeDetails, are read at once: reading pieces would take longer.
	wholeFile    = 64 << 10
	wholeDetails = 512 << 10
)

// ErrCorrupt says that the index is damaged and must be built again.
var ErrCorrupt = errors.New("the search index is damaged")

// sum returns a checksum. Of Go's checksums it is the one that builds no table, which would cost each search 0.2 ms.
func sum(b []byte) uint32 { return crc32.ChecksumIEEE(b) }

// hash returns a hash whose high bits are spread as evenly as its low bits, so that they can choose a bucket.
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

// facet is what many records share, see above.
type facet struct {
	typ, kind, project, status, stage string
	broken                            bool
}

func (f facet) meta() Meta {
	return Meta{Type: f.typ, Kind: f.kind, Project: f.project, Status: f.status, Stage: f.stage, Broken: f.broken}
}

// segment is one open file of the index.
type segment struct {
	r      io.ReaderAt
	size   int64
	gen    uint64 // the generation of this file
	under  uint64 // the generation of the file beneath, 0 for none
	tokens uint64
	ndocs  int
	nterms uint32
	shift  uint

	sums   []byte   // the checksums of the pages
	hidden []uint32 // the replaced records of the segment beneath
	facets []facet
	types  []uint8 // the type of each facet
	sizes  []sums  // of each facet, also of dead documents

	// The offsets of the sections from the end of the header. Each section ends where the next one begins.
	headsAt, stampsAt, detailsAt, listsAt, termsAt, fanAt, end int64

	ids, heads, stamps, details, terms []byte // whole sections, nil until they are loaded

	starts []uint32 // for find, by the high bits of an ID's hash: see spread
	low    uint     // how far spread shifts a hash

	chunks [][]byte // the heads by chunks, as far as they are loaded, when not all are

	dead  []bool   // the replaced records of this segment; nil for none
	gone  []uint32 // their numbers
	ndead int

	scratch []byte // for detail
	file    []byte // the whole file, when a builder made it
}

// load reads the header and the front of the segment in r. Errors: ErrCorrupt, the disk's.
func load(r io.ReaderAt, size int64) (*segment, error) {
	if size < int64(headerSize) || size > maxFile {
		return nil, ErrCorrupt
	}
	if _, inMemory := r.(*bytes.Reader); size <= wholeFile && !inMemory {
		b, err := readAt(r, 0, int(size))
		if err != nil {
			return nil, err
		}
		r = bytes.NewReader(b)
	}
	head, err := readAt(r, 0, headerSize)
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	if string(head[:len(magic)]) != magic || sum(head[:headerSize-4]) != le.Uint32(head[headerSize-4:]) {
		return nil, ErrCorrupt
	}
	u64 := func(i int) uint64 { return le.Uint64(head[len(magic)+i*8:]) }
	s := &segment{r: r, size: size, gen: u64(0), under: u64(1), tokens: u64(2)} // nobody needs u64(3), the units
	ndocs, ndetails, nlists, nterms, fanBits, nhidden, nfacets := u64(4), u64(5), u64(6), u64(7), u64(8), u64(9),
		u64(10)
	for _, n := range [...]uint64{ndocs, ndetails, nlists, nterms, nhidden, nfacets} {
		if n > uint64(size) {
			return nil, ErrCorrupt
		}
	}
	if fanBits > 20 {
		return nil, ErrCorrupt
	}
	s.ndocs, s.nterms, s.shift = int(ndocs), uint32(nterms), uint(64-fanBits)
	s.headsAt = int64(ndocs) * idSize
	s.stampsAt = s.headsAt + int64(ndocs+1)*headSize
	s.detailsAt = s.stampsAt + int64(ndocs)*stampSize
	s.listsAt = s.detailsAt + int64(ndetails)
	s.termsAt = s.listsAt + int64(nlists)
	s.fanAt = s.termsAt + int64(nterms)*termSize
	s.end = s.fanAt + fanSize<<fanBits
	pages := (s.end + pageSize - 1) / pageSize
	front := pages*4 + int64(nhidden)*4 + int64(nfacets)
	if int64(headerSize)+s.end+front != size {
		return nil, ErrCorrupt
	}
	b, err := readAt(r, int64(headerSize)+s.end, int(front))
	if err != nil {
		return nil, err
	}
	if sum(b) != le.Uint32(head[headerSize-8:]) {
		return nil, ErrCorrupt
	}
	s.sums, b = b[:pages*4], b[pages*4:]
	for range nhidden {
		s.hidden, b = append(s.hidden, le.Uint32(b)), b[4:]
	}
	for text := string(b); text != ""; {
		number := int(text[0] >> 1)
		if number >= len(types) {
			return nil, ErrCorrupt
		}
		f := facet{typ: types[number], broken: text[0]&1 == 1}
		text = text[1:]
		for _, to := range [...]*string{&f.kind, &f.project, &f.status, &f.stage} {
			var ok bool
			if *to, text, ok = cutText(text); !ok {
				return nil, ErrCorrupt
			}
		}
		var all sums
		for _, to := range [...]*float64{&all.docs, &all.units, &all.tokens} {
			v, n := uvarint(text)
			if n <= 0 {
				return nil, ErrCorrupt
			}
			*to, text = float64(v), text[n:]
		}
		s.facets, s.types, s.sizes = append(s.facets, f), append(s.types, uint8(number)), append(s.sizes, all)
	}
	return s, nil
}

func readAt(r io.ReaderAt, at int64, n int) ([]byte, error) {
	b := make([]byte, n)
	return b, fill(b, r, at)
}

func fill(b []byte, r io.ReaderAt, at int64) error {
	if got, err := r.ReadAt(b, at); got < len(b) {
		if err == nil || err == io.EOF {
			err = ErrCorrupt
		}
		return err
	}
	return nil
}

// at returns n bytes from the offset off behind the header, and compares the checksums of their pages. Errors:
// ErrCorrupt, the disk's.
func (s *segment) at(off int64, n int) ([]byte, error) { return s.read(nil, off, n) }

// read is at that uses the memory of buf.
func (s *segment) read(buf *[]byte, off int64, n int) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	if off < 0 || n < 0 || off+int64(n) > s.end {
		return nil, ErrCorrupt
	}
	first := off / pageSize
	from := first * pageSize
	to := min((off+int64(n)+pageSize-1)/pageSize*pageSize, s.end)
	var b []byte
	if buf != nil {
		*buf = slices.Grow((*buf)[:0], int(to-from))
		b = (*buf)[:to-from]
	} else {
		b = make([]byte, to-from)
	}
	if err := fill(b, s.r, int64(headerSize)+from); err != nil {
		return nil, err
	}
	for page := b; len(page) > 0; first++ {
		k := min(len(page), pageSize)
		if sum(page[:k]) != binary.LittleEndian.Uint32(s.sums[first*4:]) {
			return nil, ErrCorrupt
		}
		page = page[k:]
	}
	return b[off-from:][:n:n], nil
}

// whole reads the section from off to end into *section, unless it is there already.
func (s *segment) whole(section *[]byte, off, end int64) (err error) {
	if *section == nil {
		*section, err = s.at(off, int(end-off))
	}
	return err
}

func (s *segment) loadIDs() error { return s.whole(&s.ids, 0, s.headsAt) }

// loadHeads reads all heads. Errors: ErrCorrupt, the disk's.
func (s *segment) loadHeads() error {
	if s.heads != nil {
		return nil
	}
	b, err := s.readHeads(0, s.ndocs+1)
	if err == nil {
		s.heads, s.chunks = b, nil
	}
	return err
}

// chunk is how many heads needHead reads at once.
const chunk = 256

// needHead reads the heads of document i and of the next one, and some around them, unless they are there already.
// Errors: ErrCorrupt, the disk's.
func (s *segment) needHead(i int) error {
	if s.heads != nil {
		return nil
	}
	if s.chunks == nil {
		s.chunks = make([][]byte, s.ndocs/chunk+1)
	}
	for n := i / chunk; n <= (i+1)/chunk; n++ {
		if s.chunks[n] != nil {
			continue
		}
		b, err := s.readHeads(n*chunk, min((n+1)*chunk, s.ndocs+1))
		if err != nil {
			return err
		}
		s.chunks[n] = b
	}
	return nil
}

// needHeads is needHead for docs, which ascend. It reads all heads at once when it needs a good part of them. Errors:
// those of needHead.
func (s *segment) needHeads(docs []uint32) error {
	chunks, last := 0, -1
	for _, doc := range docs {
		if n := int(doc) / chunk; n != last {
			chunks, last = chunks+1, n
		}
	}
	if chunks > s.ndocs/chunk/4+1 {
		return s.loadHeads()
	}
	for _, doc := range docs {
		if err := s.needHead(int(doc)); err != nil {
			return err
		}
	}
	return nil
}

// readHeads reads the heads from from to before to. It checks that their offsets ascend and that their facets exist.
// Errors: ErrCorrupt, the disk's.
func (s *segment) readHeads(from, to int) ([]byte, error) {
	b, err := s.at(s.headsAt+int64(from)*headSize, (to-from)*headSize)
	if err != nil {
		return nil, err
	}
	last := uint32(0)
	for i := range to - from {
		row := b[i*headSize:]
		at := binary.LittleEndian.Uint32(row[12:])
		if at < last || int64(at) > s.listsAt-s.detailsAt || from+i < s.ndocs &&
			int(binary.LittleEndian.Uint32(row[8:])) >= len(s.facets) {
			return nil, ErrCorrupt
		}
		last = at
	}
	return b, nil
}

func (s *segment) loadStamps() error { return s.whole(&s.stamps, s.stampsAt, s.detailsAt) }

func (s *segment) loadDetails() error { return s.whole(&s.details, s.detailsAt, s.listsAt) }

// The values of record i, after loadIDs, loadHeads or needHead, or loadStamps.
func (s *segment) id(i int) uint64      { return binary.LittleEndian.Uint64(s.ids[i*idSize:]) }
func (s *segment) number(i int) uint64  { return binary.LittleEndian.Uint64(s.ids[i*idSize+8:]) }
func (s *segment) length(i int) uint32  { return s.headAt(i, 0) }
func (s *segment) units(i int) uint32   { return s.headAt(i, 4) }
func (s *segment) facetOf(i int) uint32 { return s.headAt(i, 8) }
func (s *segment) place(i int) uint32   { return s.headAt(i, 12) }
func (s *segment) headAt(i, at int) uint32 {
	if s.heads == nil {
		return binary.LittleEndian.Uint32(s.chunks[i/chunk][i%chunk*headSize+at:])
	}
	return binary.LittleEndian.Uint32(s.heads[i*headSize+at:])
}
func (s *segment) stamp(i int) (size, time int64) {
	b := s.stamps[i*stampSize:]
	return int64(binary.LittleEndian.Uint64(b)), int64(binary.LittleEndian.Uint64(b[8:]))
}

// idOf is id that calls loadIDs itself. It returns 0 when the ids cannot be read.
func (s *segment) idOf(i int) uint64 {
	if s.loadIDs() != nil {
		return 0
	}
	return s.id(i)
}

func (s *segment) live(i int) bool { return s.dead == nil || !s.dead[i] }

// hide marks records of s as dead. It returns ErrCorrupt, and marks none, when s lacks one of them.
func (s *segment) hide(docs []uint32) error {
	if len(docs) == 0 {
		return nil
	}
	if slices.ContainsFunc(docs, func(d uint32) bool { return int(d) >= s.ndocs }) {
		return ErrCorrupt
	}
	if s.dead == nil {
		s.dead = make([]bool, s.ndocs)
	}
	for _, d := range docs {
		if !s.dead[d] {
			s.dead[d] = true
			s.gone = append(s.gone, d)
			s.ndead++
		}
	}
	return nil
}

// find returns the number of the record whose ID has this hash. In a large segment without loadIDs it reads only the
// rows around the likely one, since hashes are spread evenly. Errors: ErrCorrupt, the disk's.
func (s *segment) find(id uint64) (int, bool, error) {
	if s.ids == nil && s.ndocs > 4096 {
		share, _ := bits.Mul64(id, uint64(s.ndocs))
		// about four standard deviations of the distance between the likely row and the real one
		near := 1 << (bits.Len(uint(s.ndocs))/2 + 1)
		low, high := max(int(share)-near, 0), min(int(share)+near, s.ndocs)
		b, err := s.at(int64(low)*idSize, (high-low)*idSize)
		if err != nil {
			return 0, false, err
		}
		n := high - low
		if (low == 0 || binary.LittleEndian.Uint64(b) <= id) &&
			(high == s.ndocs || binary.LittleEndian.Uint64(b[(n-1)*idSize:]) >= id) {
			i, ok := findIn(b, 0, n, id)
			return low + i, ok, nil
		}
	}
	if err := s.loadIDs(); err != nil {
		return 0, false, err
	}
	if s.starts == nil {
		i, ok := findIn(s.ids, 0, s.ndocs, id)
		return i, ok, nil
	}
	bucket := id >> s.low
	i, ok := findIn(s.ids, int(s.starts[bucket]), int(s.starts[bucket+1]), id)
	return i, ok, nil
}

// findIn returns the row of an ID's hash between the rows low and high, and whether there is one.
func findIn(rows []byte, low, high int, id uint64) (int, bool) {
	for low < high {
		if middle := (low + high) / 2; binary.LittleEndian.Uint64(rows[middle*idSize:]) < id {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low*idSize < len(rows) && binary.LittleEndian.Uint64(rows[low*idSize:]) == id
}

// spread prepares find for a search of every record: it notes the first row for each value of a hash's high bits.
func (s *segment) spread() error {
	if err := s.loadIDs(); err != nil || s.starts != nil {
		return err
	}
	high := max(bits.Len(uint(s.ndocs))-1, 1)
	s.low = uint(64 - high)
	s.starts = make([]uint32, 1<<high+1)
	next := uint64(0)
	for i := range s.ndocs {
		for bucket := s.id(i) >> s.low; next <= bucket; next++ {
			s.starts[next] = uint32(i)
		}
	}
	for ; next < uint64(len(s.starts)); next++ {
		s.starts[next] = uint32(s.ndocs)
	}
	return nil
}

// list returns the postings of the term with this hash, nil when no record has the term.
func (s *segment) list(term uint64) ([]byte, error) {
	p, err := s.postings(term)
	if err != nil {
		return nil, err
	}
	return p.load()
}

// listAt returns where the list of the term in the first of rows is, and whether it has a table.
func listAt(rows []byte) (at, n int64, hasTable bool) {
	size := binary.LittleEndian.Uint32(rows[12:])
	return int64(binary.LittleEndian.Uint32(rows[8:])), int64(size &^ tabled), size&tabled != 0
}

// postings is list with the list's table.
func (s *segment) postings(term uint64) (p postings, err error) {
	bucket := int64(term >> s.shift)
	from, to := uint32(0), uint32(0)
	if bucket == 0 {
		b, err := s.at(s.fanAt, fanSize)
		if err != nil {
			return p, err
		}
		to = binary.LittleEndian.Uint32(b)
	} else {
		b, err := s.at(s.fanAt+(bucket-1)*fanSize, 2*fanSize)
		if err != nil {
			return p, err
		}
		from, to = binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[fanSize:])
	}
	if from > to || to > s.nterms {
		return p, ErrCorrupt
	}
	rows, err := s.at(s.termsAt+int64(from)*termSize, int(to-from)*termSize)
	if err != nil {
		return p, err
	}
	for ; len(rows) > 0; rows = rows[termSize:] {
		if binary.LittleEndian.Uint64(rows) != term {
			continue
		}
		at, n, hasTable := listAt(rows)
		p.s, p.at, p.size = s, s.listsAt+at, n
		if p.at+n > s.termsAt {
			return p, ErrCorrupt
		}
		return p, p.begin(hasTable)
	}
	return p, nil
}

// detail returns the details of record i, its number of units and its facet. The details are valid until the next call.
// Errors: ErrCorrupt, the disk's.
func (s *segment) detail(i int) (b []byte, units int, f facet, err error) {
	if err := s.needHead(i); err != nil {
		return nil, 0, f, err
	}
	from, to := s.place(i), s.place(i+1)
	if from > to { // in two chunks
		return nil, 0, f, ErrCorrupt
	}
	if s.heads != nil && s.details == nil && s.listsAt-s.detailsAt <= wholeDetails {
		if err := s.loadDetails(); err != nil {
			return nil, 0, f, err
		}
	}
	if s.details != nil {
		b = s.details[from:to]
	} else if b, err = s.read(&s.scratch, s.detailsAt+int64(from), int(to-from)); err != nil {
		return nil, 0, f, err
	}
	return b, int(s.units(i)), s.facets[s.facetOf(i)], nil
}

// info returns the Meta of record i without its Stamp. Errors: ErrCorrupt, the disk's.
func (s *segment) info(i int) (Meta, error) {
	b, _, f, err := s.detail(i)
	if err != nil {
		return Meta{}, err
	}
	m := f.meta()
	_, err = takeMeta(b, &m)
	return m, err
}

// updated returns the Meta.Updated of document i, after loadHeads. Errors: ErrCorrupt, the disk's.
func (s *segment) updated(i int) (int64, error) {
	if isTurn(s.types[s.facetOf(i)]) { // its stamp has the time: reading the details of many turns would take long
		if err := s.loadStamps(); err != nil {
			return 0, err
		}
		_, at := s.stamp(i)
		return at, nil
	}
	b, _, _, err := s.detail(i)
	if err != nil {
		return 0, err
	}
	at, n := binary.Varint(b)
	if n <= 0 {
		return 0, ErrCorrupt
	}
	return at, nil
}

// stampAt returns the Stamp of record i. It needs no loadStamps. Errors: ErrCorrupt, the disk's.
func (s *segment) stampAt(i int) (Stamp, error) {
	id, err := s.at(int64(i)*idSize, idSize)
	if err != nil {
		return Stamp{}, err
	}
	stamp, err := s.at(s.stampsAt+int64(i)*stampSize, stampSize)
	if err != nil {
		return Stamp{}, err
	}
	le := binary.LittleEndian
	return Stamp{int64(le.Uint64(stamp)), int64(le.Uint64(stamp[8:])), le.Uint64(id[8:])}, nil
}

// appendMeta appends the details of a record that come before its units.
func appendMeta(b []byte, m *Meta) []byte {
	b = binary.AppendVarint(b, m.Updated)
	b = appendText(b, m.ID)
	b = appendText(b, m.Title)
	b = binary.AppendUvarint(b, uint64(len(m.Tags)))
	for _, t := range m.Tags {
		b = appendText(b, t)
	}
	return binary.AppendUvarint(appendText(b, m.Session), uint64(m.Turn))
}

// takeMeta reads the details that appendMeta wrote into m, and returns the rest of b.
func takeMeta(b []byte, m *Meta) (rest []byte, err error) {
	updated, n := binary.Varint(b)
	if n <= 0 {
		return nil, ErrCorrupt
	}
	m.Updated = updated
	text := string(b[n:])
	var ok, also bool
	m.ID, text, ok = cutText(text)
	m.Title, text, also = cutText(text)
	tags, n := uvarint(text)
	if !ok || !also || n <= 0 || tags > uint64(len(text)) {
		return nil, ErrCorrupt
	}
	text = text[n:]
	for range tags {
		var t string
		if t, text, ok = cutText(text); !ok {
			return nil, ErrCorrupt
		}
		m.Tags = append(m.Tags, t)
	}
	if m.Session, text, ok = cutText(text); !ok {
		return nil, ErrCorrupt
	}
	turn, n := uvarint(text)
	if n <= 0 || turn > maxFile {
		return nil, ErrCorrupt
	}
	m.Turn, text = int(turn), text[n:]
	return b[len(b)-len(text):], nil
}

// skipMeta is takeMeta that returns only the rest.
func skipMeta(b []byte) (rest []byte, err error) {
	skip := func() (v uint64) {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			err, b = ErrCorrupt, nil
			return 0
		}
		b = b[n:]
		return v
	}
	text := func() {
		if n := skip(); n > uint64(len(b)) {
			err, b = ErrCorrupt, nil
		} else {
			b = b[n:]
		}
	}
	skip()
	text()
	text()
	for n := skip(); n > 0 && err == nil; n-- {
		text()
	}
	text()
	skip()
	return b, err
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// cutText reads the text that appendText wrote at the beginning of s, and returns the rest.
func cutText(s string) (text, rest string, ok bool) {
	n, k := uvarint(s)
	if k <= 0 || n > uint64(len(s)-k) {
		return "", s, false
	}
	return s[k : k+int(n)], s[k+int(n):], true
}

// uvarint is binary.Uvarint for a string.
func uvarint(s string) (v uint64, n int) {
	for shift := 0; n < len(s) && shift < 64; shift += 7 {
		c := s[n]
		n++
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v, n
		}
	}
	return 0, 0
}

// span is one unit of a body.
type span struct{ tokens, from, to int }

// spans returns the units of record i. Errors: ErrCorrupt, the disk's.
func (s *segment) spans(i int, into []span) ([]span, error) {
	into = into[:0]
	b, units, _, err := s.detail(i)
	if err == nil {
		b, err = skipMeta(b)
	}
	if err != nil {
		return into, err
	}
	at := 0
	for range units {
		t, n := binary.Uvarint(b)
		if n <= 0 {
			return into, ErrCorrupt
		}
		size, m := binary.Uvarint(b[n:])
		if m <= 0 || t > maxFile || size > maxFile {
			return into, ErrCorrupt
		}
		b = b[n+m:]
		into = append(into, span{int(t), at, at + int(size)})
		at += int(size)
	}
	return into, nil
}
