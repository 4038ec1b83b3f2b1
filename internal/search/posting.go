package search

import (
	"encoding/binary"
	"slices"
)

// The list of a term has a posting for each record with the term, by the record's number. A posting begins with the
// number of records between this record and the one before. Then comes an entry for each unit with the term: the
// distance from the unit before, times four, plus two when a count follows, plus one when another entry follows. An
// entry has a count when the unit has the term more than once.

const (
	counted = 2
	more    = 1
)

// A list of longList bytes or more begins with a table: its length, then how many documents and units have the term:
// a bit for each type with the term, and the two numbers of each. A list of more than blockSize postings then says for
// each block of so many how far its last document is from that of the block before, and its bytes. So a query that
// wants few documents reads only their blocks.
const (
	longList  = 64
	blockSize = 128
	tabled    = 1 << 31 // in the length of a list: it has a table
)

// tally says how many documents and units have a term.
type tally struct{ docs, units int }

// postings is the list of a term in a segment. The zero postings has no documents.
type postings struct {
	s      *segment
	at     int64  // the offset of the first posting in the segment
	size   int64  // the bytes of all postings
	b      []byte // they, nil until they are loaded
	table  bool
	counts [numTypes]tally // also of dead documents; only with a table
	blocks []byte          // what the table says of the blocks, empty for one block
}

// begin reads the table of a list, and all of a short list. Errors: ErrCorrupt, the disk's.
func (p *postings) begin(hasTable bool) error {
	b, err := p.s.at(p.at, int(min(p.size, pageSize)))
	if err != nil {
		return err
	}
	if hasTable {
		length, n := binary.Uvarint(b)
		if n <= 0 || length > uint64(p.size) {
			return ErrCorrupt
		}
		if size := int64(n) + int64(length); size > int64(len(b)) {
			if b, err = p.s.at(p.at, int(min(size, p.size))); err != nil {
				return err
			}
		}
		had := len(b)
		if b, err = p.cutTable(b); err != nil {
			return err
		}
		p.at, p.size = p.at+int64(had-len(b)), p.size-int64(had-len(b))
	}
	if int64(len(b)) == p.size {
		p.b = b
	}
	return nil
}

// load returns all postings. Errors: ErrCorrupt, the disk's.
func (p *postings) load() (b []byte, err error) {
	if p.b == nil && p.size > 0 {
		p.b, err = p.s.at(p.at, int(p.size))
	}
	return p.b, err
}

// addTable inserts the table of the list that begins at from in b. types has the type of each document. Errors:
// ErrCorrupt.
func addTable(b []byte, from int, types []uint8) ([]byte, error) {
	var counts [numTypes]tally
	var blocks []byte
	doc, last, n, begin := -1, -1, 0, len(b)-from
	for rest := b[from:]; len(rest) > 0; {
		var units int
		var err error
		if doc, rest, err = posting(rest, doc, len(types)); err != nil {
			return nil, err
		}
		if rest, units, err = countEntries(rest); err != nil {
			return nil, err
		}
		c := &counts[types[doc]]
		c.docs, c.units, n = c.docs+1, c.units+units, n+1
		if n%blockSize == 0 || len(rest) == 0 {
			blocks = binary.AppendUvarint(blocks, uint64(doc-last))
			blocks = binary.AppendUvarint(blocks, uint64(begin-len(rest)))
			last, begin = doc, len(rest)
		}
	}
	table := []byte{0}
	for typ, c := range counts {
		if c.docs > 0 {
			table[0] |= 1 << typ
			table = binary.AppendUvarint(binary.AppendUvarint(table, uint64(c.docs)), uint64(c.units))
		}
	}
	if n > blockSize {
		table = append(table, blocks...)
	}
	return slices.Insert(b, from, append(binary.AppendUvarint(nil, uint64(len(table))), table...)...), nil
}

// cutTable reads the table at the beginning of b, and returns the rest. Errors: ErrCorrupt.
func (p *postings) cutTable(b []byte) (rest []byte, err error) {
	size, n := binary.Uvarint(b)
	if n <= 0 || size == 0 || size > uint64(len(b)-n) {
		return nil, ErrCorrupt
	}
	table, rest := b[n:n+int(size)], b[n+int(size):]
	has := table[0]
	p.table, p.blocks = true, table[1:]
	for typ := range p.counts {
		if has&(1<<typ) == 0 {
			continue
		}
		for _, to := range [...]*int{&p.counts[typ].docs, &p.counts[typ].units} {
			v, n := binary.Uvarint(p.blocks)
			if n <= 0 || v > maxFile {
				return nil, ErrCorrupt
			}
			*to, p.blocks = int(v), p.blocks[n:]
		}
	}
	return rest, nil
}

// each calls f with each posting of the documents in only, which ascend, or of all when only is nil: the document, and
// the bytes of the list from its entries on. It reads the blocks with these documents, or all when there are many.
// Errors: ErrCorrupt, the disk's.
func (p *postings) each(only []uint32, f func(doc int, entries []byte)) error {
	if only == nil || p.b != nil || int64(len(only)) > p.size/(4*pageSize) {
		if _, err := p.load(); err != nil {
			return err
		}
	}
	if only == nil || len(p.blocks) == 0 {
		_, err := p.eachIn(p.b, -1, only, f)
		return err
	}
	before, off := -1, int64(0)
	var b []byte // what was read of the list, from at
	at := int64(0)
	for blocks := p.blocks; len(blocks) > 0 && len(only) > 0; {
		step, n := binary.Uvarint(blocks)
		size, m := binary.Uvarint(blocks[max(n, 0):])
		if n <= 0 || m <= 0 || step > uint64(p.s.ndocs) || size > uint64(p.size-off) {
			return ErrCorrupt
		}
		blocks = blocks[n+m:]
		last, end := before+int(step), off+int64(size)
		if int(only[0]) <= last {
			var err error
			if p.b != nil {
				b, at = p.b, 0
			} else if end > at+int64(len(b)) {
				if b, err = p.s.at(p.at+off, int(min(max(int64(size), pageSize), p.size-off))); err != nil {
					return err
				}
				at = off
			}
			if only, err = p.eachIn(b[off-at:end-at], before, only, f); err != nil {
				return err
			}
		}
		before, off = last, end
	}
	return nil
}

// eachIn is each for one block, and returns the rest of only. before is the last document before the block.
func (p *postings) eachIn(b []byte, before int, only []uint32, f func(int, []byte)) (rest []uint32, err error) {
	for doc := before; len(b) > 0; {
		if doc, b, err = posting(b, doc, p.s.ndocs); err != nil {
			return nil, err
		}
		entries := b
		if b, err = skipEntries(b); err != nil {
			return nil, err
		}
		if only == nil {
			f(doc, entries)
			continue
		}
		for len(only) > 0 && int(only[0]) < doc {
			only = only[1:]
		}
		if len(only) == 0 {
			return only, nil
		}
		if int(only[0]) == doc {
			f(doc, entries)
			only = only[1:]
		}
	}
	return only, nil
}

// appendEntry appends the entry of a unit that has the term count times, step units after the one before.
func appendEntry(b []byte, step, count uint32, flags uint64) []byte {
	v := uint64(step)<<2 | flags
	if count == 1 {
		if v < 0x80 {
			return append(b, byte(v))
		}
		return binary.AppendUvarint(b, v)
	}
	return binary.AppendUvarint(binary.AppendUvarint(b, v|counted), uint64(count))
}

// posting reads the record's number at the beginning of the list b. prev is the record before, -1 at first, and docs
// the number of all records.
func posting(b []byte, prev, docs int) (doc int, entries []byte, err error) {
	if len(b) > 0 && b[0] < 0x80 { // the most frequent case
		doc, b = prev+1+int(b[0]), b[1:]
	} else {
		d, n := binary.Uvarint(b)
		if n <= 0 || d >= uint64(docs) {
			return 0, nil, ErrCorrupt
		}
		doc, b = prev+1+int(d), b[n:]
	}
	if doc >= docs {
		return 0, nil, ErrCorrupt
	}
	return doc, b, nil
}

// entry reads the entry at the beginning of b. unit is the unit of the entry before, 0 at first.
func entry(b []byte, unit int) (at, count int, last bool, rest []byte, err error) {
	v, n := binary.Uvarint(b)
	if n <= 0 || v > maxFile {
		return 0, 0, false, nil, ErrCorrupt
	}
	b, count = b[n:], 1
	if v&counted != 0 {
		c, n := binary.Uvarint(b)
		if n <= 0 || c > maxFile {
			return 0, 0, false, nil, ErrCorrupt
		}
		b, count = b[n:], int(c)
	}
	return unit + int(v>>2), count, v&more == 0, b, nil
}

// countEntries is skipEntries that also returns how many entries there are.
func countEntries(b []byte) (rest []byte, n int, err error) {
	for last := false; !last; n++ {
		if _, _, last, b, err = entry(b, 0); err != nil {
			return nil, 0, err
		}
	}
	return b, n, nil
}

// skipEntries returns the bytes behind the entries of a posting.
func skipEntries(b []byte) (rest []byte, err error) {
	for last := false; !last; {
		if len(b) > 0 && b[0] < 0x80 && b[0]&counted == 0 {
			last, b = b[0]&more == 0, b[1:]
		} else if _, _, last, b, err = entry(b, 0); err != nil {
			return nil, err
		}
	}
	return b, nil
}
