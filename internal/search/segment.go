package search

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/bits"
	"slices"
	"strings"
)

// The index is two files of one format, a base and a tail: the tail holds what was saved since the base was written, and
// what stands in it, or is named there as removed, counts no more in the base. Little-endian throughout:
//
//	header    magic, then headerSize bytes of numbers and sums, its own sum last
//	docs      one docSize row a record, by the hash of its ID
//	removed   hashes of IDs, sorted
//	units     for each record: the tokens and bytes of each unit of its body, as varints
//	meta      for each record: its strings
//	fan       for each bucket of term hashes: where its rows end, and their sum
//	terms     one termSize row a term, by hash: hash, where its postings begin, their length and sum
//	postings  for each term: record (the distance from the last), length of what follows, then unit and count pairs
//
// A look-up reads the header, the docs, the fan and a few rows and lists, each with its sum, never the whole file. Terms
// are kept as hashes: with a hundred thousand of them two share one with a chance of one in a billion, and then one record
// too many is found.
const (
	magic      = "memento search 2\n"
	headerSize = 120
	docSize    = 64
	termSize   = 24
	fanSize    = 8
	maxFile    = 1 << 31
)

// ErrCorrupt is the reason when the index does not hold what was written: it is to be built again.
var ErrCorrupt = errors.New("the search index is damaged")

// castagnoli is not a variable: filling one would cost every process, whether or not it looks anything up.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

func sum(b []byte) uint32 { return crc32.Checksum(b, castagnoli()) }

// hash is FNV-1a, its bits mixed so that the high ones can choose a bucket.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	return h ^ h>>33
}

type row struct { // of docs
	id       uint64
	size     int64
	time     int64
	number   uint64
	updated  int64
	tokens   uint32
	nunits   uint32
	units    uint32 // where its part of the section begins
	meta     uint32
	metaSize uint32
	broken   uint32 // 1: it could not be read
}

// segment is one file, opened. r stays open for postings.
type segment struct {
	r       io.ReaderAt
	gen     uint64
	rows    []row
	ids     []uint64 // of rows
	removed []uint64
	tokens  uint64
	nunits  uint64
	units   []byte
	meta    string
	fan     []byte
	shift   uint
	terms   int64 // offset of the section
	nterms  uint32
	lists   int64
	size    int64
	dead    []bool // nil when none is
}

// load reads what every look-up needs of the segment that r holds. Errors: ErrCorrupt, or what the disk said.
func load(r io.ReaderAt, size int64) (*segment, error) {
	if size < int64(len(magic)+headerSize) || size > maxFile {
		return nil, ErrCorrupt
	}
	head, err := readAt(r, 0, len(magic)+headerSize)
	if err != nil {
		return nil, err
	}
	if string(head[:len(magic)]) != magic {
		return nil, ErrCorrupt
	}
	h := head[len(magic):]
	if sum(head[:len(head)-4]) != binary.LittleEndian.Uint32(h[headerSize-4:]) {
		return nil, ErrCorrupt
	}
	u64 := func(i int) uint64 { return binary.LittleEndian.Uint64(h[i*8:]) }
	s := &segment{r: r, gen: u64(0), size: size}
	s.tokens, s.nunits = u64(1), u64(2)
	// 3: docs; 4: bytes of units; 5: bytes of meta; 6: terms; 7: bits of the fan; 8: removed; 9: bytes of postings; 10, 11: four sums
	ndocs, nunits, nmeta, nterms, fanBits, nremoved, nlists := u64(3), u64(4), u64(5), u64(6), u64(7), u64(8), u64(9)
	for _, n := range [...]uint64{ndocs, nunits, nmeta, nterms, nremoved, nlists} {
		if n > uint64(size) {
			return nil, ErrCorrupt
		}
	}
	if fanBits > 20 {
		return nil, ErrCorrupt
	}
	front := int64(ndocs*docSize + nremoved*8 + nunits + nmeta + fanSize<<fanBits)
	at := int64(len(head))
	s.terms = at + front
	s.lists = s.terms + int64(nterms*termSize)
	if s.lists+int64(nlists) != size {
		return nil, ErrCorrupt
	}
	body, err := readAt(r, at, int(front))
	if err != nil {
		return nil, err
	}
	if sum(body) != binary.LittleEndian.Uint32(h[10*8:]) {
		return nil, ErrCorrupt
	}
	s.shift, s.nterms = uint(64-fanBits), uint32(nterms)
	s.rows, s.ids = make([]row, ndocs), make([]uint64, ndocs)
	for i := range s.rows {
		b := body[i*docSize : (i+1)*docSize]
		le := binary.LittleEndian
		s.rows[i] = row{le.Uint64(b), int64(le.Uint64(b[8:])), int64(le.Uint64(b[16:])), le.Uint64(b[24:]), int64(le.Uint64(b[32:])),
			le.Uint32(b[40:]), le.Uint32(b[44:]), le.Uint32(b[48:]), le.Uint32(b[52:]), le.Uint32(b[56:]), le.Uint32(b[60:])}
		s.ids[i] = s.rows[i].id
	}
	body = body[ndocs*docSize:]
	s.removed = make([]uint64, nremoved)
	for i := range s.removed {
		s.removed[i] = binary.LittleEndian.Uint64(body[i*8:])
	}
	body = body[nremoved*8:]
	s.units, body = body[:nunits], body[nunits:]
	s.meta, s.fan = string(body[:nmeta]), body[nmeta:]
	return s, nil
}

func readAt(r io.ReaderAt, at int64, n int) ([]byte, error) {
	b := make([]byte, n)
	if got, err := r.ReadAt(b, at); got < n {
		if err == nil || err == io.EOF {
			err = ErrCorrupt
		}
		return nil, err
	}
	return b, nil
}

// find returns the number of the record whose ID has this hash. Hashes are spread evenly, so that it stands near where its
// share of them ends: this is asked once for each record there is.
func (s *segment) find(id uint64) (int, bool) {
	const near = 64
	share, _ := bits.Mul64(id, uint64(len(s.ids)))
	low, high := max(int(share)-near, 0), min(int(share)+near, len(s.ids))
	if low == high || s.ids[low] > id || s.ids[high-1] < id {
		low, high = 0, len(s.ids)
	}
	for low < high {
		if middle := (low + high) / 2; s.ids[middle] < id {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(s.ids) && s.ids[low] == id
}

// list returns the postings of the term with this hash, nil when there is none.
func (s *segment) list(term uint64) ([]byte, error) {
	bucket := int(term >> s.shift)
	from := uint32(0)
	if bucket > 0 {
		from = binary.LittleEndian.Uint32(s.fan[(bucket-1)*fanSize:])
	}
	to := binary.LittleEndian.Uint32(s.fan[bucket*fanSize:])
	if from > to || to > s.nterms {
		return nil, ErrCorrupt
	}
	if from == to {
		return nil, nil
	}
	rows, err := readAt(s.r, s.terms+int64(from)*termSize, int(to-from)*termSize)
	if err != nil {
		return nil, err
	}
	if sum(rows) != binary.LittleEndian.Uint32(s.fan[bucket*fanSize+4:]) {
		return nil, ErrCorrupt
	}
	for ; len(rows) > 0; rows = rows[termSize:] {
		if binary.LittleEndian.Uint64(rows) == term {
			return s.postings(rows)
		}
	}
	return nil, nil
}

func (s *segment) postings(row []byte) ([]byte, error) {
	at, n := int64(binary.LittleEndian.Uint64(row[8:])), int64(binary.LittleEndian.Uint32(row[16:]))
	if at < 0 || at > s.size || s.lists+at+n > s.size {
		return nil, ErrCorrupt
	}
	b, err := readAt(s.r, s.lists+at, int(n))
	if err != nil {
		return nil, err
	}
	if sum(b) != binary.LittleEndian.Uint32(row[20:]) {
		return nil, ErrCorrupt
	}
	return b, nil
}

// posting is one record of a term's list.
type posting struct {
	doc   int
	units []byte // unit and count pairs
}

// next takes the first posting off b. prev is the record of the one before, -1 at first.
func next(b []byte, prev, docs int) (p posting, rest []byte, err error) {
	d, n := binary.Uvarint(b)
	if n <= 0 || d >= uint64(docs) {
		return p, nil, ErrCorrupt
	}
	b = b[n:]
	size, n := binary.Uvarint(b)
	if n <= 0 || size > uint64(len(b)-n) {
		return p, nil, ErrCorrupt
	}
	b = b[n:]
	p = posting{prev + 1 + int(d), b[:size]}
	if p.doc >= docs {
		return p, nil, ErrCorrupt
	}
	return p, b[size:], nil
}

// each calls f with each unit of a posting and how often the term stands there.
func each(b []byte, f func(unit, n int)) {
	unit := 0
	for len(b) > 0 {
		v, n := binary.Uvarint(b)
		if n <= 0 || v > maxFile {
			return
		}
		b = b[n:]
		unit += int(v >> 1)
		count := uint64(1)
		if v&1 == 1 {
			if count, n = binary.Uvarint(b); n <= 0 || count > maxFile {
				return
			}
			b = b[n:]
		}
		f(unit, int(count))
	}
}

// info returns what is known of record i.
func (s *segment) info(i int) Meta {
	r := s.rows[i]
	m := Meta{Stamp: Stamp{r.size, r.time, r.number}, Updated: r.updated, Broken: r.broken == 1}
	if uint64(r.meta)+uint64(r.metaSize) > uint64(len(s.meta)) {
		return m
	}
	b := s.meta[r.meta : r.meta+r.metaSize]
	for i := 0; ; i++ {
		n, k := uvarint(b)
		if k <= 0 || n > uint64(len(b)-k) {
			return m
		}
		v := b[k : k+int(n)]
		b = b[k+int(n):]
		switch i {
		case 0:
			m.ID = v
		case 1:
			m.Title = v
		case 2:
			m.Kind = v
		case 3:
			m.Project = v
		case 4:
			m.Status = v
		case 5:
			m.State = v
		default:
			m.Tags = append(m.Tags, v)
		}
	}
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

// spans returns the units of record i.
func (s *segment) spans(i int, into []span) []span {
	into = into[:0]
	r := s.rows[i]
	if uint64(r.units) > uint64(len(s.units)) {
		return into
	}
	b, at := s.units[r.units:], 0
	for range r.nunits {
		t, n := binary.Uvarint(b)
		if n <= 0 {
			return into
		}
		size, m := binary.Uvarint(b[n:])
		if m <= 0 || t > maxFile || size > maxFile {
			return into
		}
		b = b[n+m:]
		into = append(into, span{int(t), at, at + int(size)})
		at += int(size)
	}
	return into
}

// entry is a record on its way into a file.
type entry struct {
	row
	units []byte
	meta  string
	terms []use
}

// use is a term of a record: unit and count pairs as in the file.
type use struct {
	term  uint64
	units []byte
}

// encode returns the file that holds entries and says which IDs are removed.
func encode(gen uint64, entries []entry, removed []uint64) []byte {
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.id, b.id) })
	slices.Sort(removed)
	le := binary.LittleEndian
	var docs, units []byte
	var meta strings.Builder
	var tokens, nunits uint64
	type occurrence struct {
		term uint64
		doc  int
		use  int
	}
	total := 0
	for _, e := range entries {
		total += len(e.terms)
	}
	all := make([]occurrence, 0, total)
	for i, e := range entries {
		tokens += uint64(e.tokens)
		nunits += uint64(e.nunits)
		docs = le.AppendUint64(docs, e.id)
		docs = le.AppendUint64(docs, uint64(e.size))
		docs = le.AppendUint64(docs, uint64(e.time))
		docs = le.AppendUint64(docs, e.number)
		docs = le.AppendUint64(docs, uint64(e.updated))
		for _, v := range [...]uint32{e.row.tokens, e.row.nunits, uint32(len(units)), uint32(meta.Len()), uint32(len(e.meta)), e.broken} {
			docs = le.AppendUint32(docs, v)
		}
		units = append(units, e.units...)
		meta.WriteString(e.meta)
		for k, u := range e.terms {
			all = append(all, occurrence{u.term, i, k})
		}
	}
	slices.SortFunc(all, func(a, b occurrence) int {
		if a.term != b.term {
			return cmp.Compare(a.term, b.term)
		}
		return cmp.Compare(a.doc, b.doc)
	})
	var terms, lists []byte
	var hashes []uint64
	for i := 0; i < len(all); {
		at, prev, term := len(lists), -1, all[i].term
		for ; i < len(all) && all[i].term == term; i++ {
			u := entries[all[i].doc].terms[all[i].use].units
			lists = binary.AppendUvarint(lists, uint64(all[i].doc-prev-1))
			lists = binary.AppendUvarint(lists, uint64(len(u)))
			lists = append(lists, u...)
			prev = all[i].doc
		}
		terms = le.AppendUint64(terms, term)
		terms = le.AppendUint64(terms, uint64(at))
		terms = le.AppendUint32(terms, uint32(len(lists)-at))
		terms = le.AppendUint32(terms, sum(lists[at:]))
		hashes = append(hashes, term)
	}
	fanBits := max(bits.Len(uint(len(hashes)))-5, 0) // some 16 to 32 terms a bucket
	var fan []byte
	for bucket, from := 0, 0; bucket < 1<<fanBits; bucket++ {
		to := from
		for to < len(hashes) && int(hashes[to]>>uint(64-fanBits)) == bucket {
			to++
		}
		fan = le.AppendUint32(fan, uint32(to))
		fan = le.AppendUint32(fan, sum(terms[from*termSize:to*termSize]))
		from = to
	}
	front := docs
	for _, id := range removed {
		front = le.AppendUint64(front, id)
	}
	front = append(front, units...)
	front = append(front, meta.String()...)
	front = append(front, fan...)
	out := make([]byte, 0, len(magic)+headerSize+len(front)+len(terms)+len(lists))
	out = append(out, magic...)
	for _, v := range [...]uint64{gen, tokens, nunits, uint64(len(entries)), uint64(len(units)), uint64(meta.Len()), uint64(len(hashes)),
		uint64(fanBits), uint64(len(removed)), uint64(len(lists)), uint64(sum(front)), 0, 0, 0} {
		out = le.AppendUint64(out, v)
	}
	out = append(out, 0, 0, 0, 0)
	out = le.AppendUint32(out, sum(out))
	out = append(out, front...)
	out = append(out, terms...)
	return append(out, lists...)
}

// decode returns every record of the segment that is not dead, to be written again.
func (s *segment) decode() ([]entry, error) {
	entries := make([]entry, len(s.rows))
	for i, r := range s.rows {
		e := &entries[i]
		e.row = r
		end := uint32(len(s.units))
		if i+1 < len(s.rows) {
			end = s.rows[i+1].units
		}
		if r.units > end || end > uint32(len(s.units)) || uint64(r.meta)+uint64(r.metaSize) > uint64(len(s.meta)) {
			return nil, ErrCorrupt
		}
		e.units, e.meta = s.units[r.units:end], s.meta[r.meta:r.meta+r.metaSize]
	}
	rows, err := readAt(s.r, s.terms, int(s.nterms)*termSize)
	if err != nil {
		return nil, err
	}
	lists, err := readAt(s.r, s.lists, int(s.size-s.lists))
	if err != nil {
		return nil, err
	}
	for ; len(rows) > 0; rows = rows[termSize:] {
		at, n := binary.LittleEndian.Uint64(rows[8:]), uint64(binary.LittleEndian.Uint32(rows[16:]))
		if at > uint64(len(lists)) || n > uint64(len(lists))-at || sum(lists[at:at+n]) != binary.LittleEndian.Uint32(rows[20:]) {
			return nil, ErrCorrupt
		}
		term := binary.LittleEndian.Uint64(rows)
		for b, prev := lists[at:at+n], -1; len(b) > 0; {
			var p posting
			if p, b, err = next(b, prev, len(s.rows)); err != nil {
				return nil, err
			}
			prev = p.doc
			if s.dead == nil || !s.dead[p.doc] {
				entries[p.doc].terms = append(entries[p.doc].terms, use{term, p.units})
			}
		}
	}
	if s.dead == nil {
		return entries, nil
	}
	live := entries[:0]
	for i, e := range entries {
		if !s.dead[i] {
			live = append(live, e)
		}
	}
	return live, nil
}
