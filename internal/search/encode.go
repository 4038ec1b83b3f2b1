package search

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// record is the record of a file that is being written.
type record struct {
	id      uint64
	tokens  uint32
	units   uint32
	facet   uint32
	stamp   Stamp
	details []byte
}

// termFunc takes the list of a term, which ends b.
type termFunc func(hash uint64, b []byte) ([]byte, error)

// content is the content of a file.
type content struct {
	under   uint64
	hidden  []uint32
	facets  []facet
	records []record // by id
	// lists appends the list of each term to b, in the order of the terms' hashes, and calls term after each. It is nil
	// for a file without terms. It goes on with the b that term returns.
	lists func(b []byte, term termFunc) ([]byte, error)
	size  int // the approximate bytes of the lists
}

// encode returns the file with content c and this generation. Errors: those of c.lists.
func encode(gen uint64, c content) ([]byte, error) {
	le := binary.LittleEndian
	details := 0
	for i := range c.records {
		details += len(c.records[i].details)
	}
	b := make([]byte, headerSize, headerSize+len(c.records)*(idSize+headSize+stampSize)+details+c.size+c.size/16+
		pageSize)
	b, tokens, units := appendRecords(b, c.records)
	facetSums, docTypes := c.sumUp()
	begin := len(b)
	var terms []byte
	if c.lists != nil {
		var err error
		last := begin
		b, err = c.lists(b, func(hash uint64, b []byte) (_ []byte, err error) {
			flag := uint32(0)
			if len(b)-last >= longList {
				flag = tabled
				if b, err = addTable(b, last, docTypes); err != nil {
					return nil, err
				}
			}
			terms = le.AppendUint32(le.AppendUint32(le.AppendUint64(terms, hash), uint32(last-begin)),
				uint32(len(b)-last)|flag)
			last = len(b)
			return b, nil
		})
		if err != nil {
			return nil, err
		}
	}
	lists := len(b) - begin
	b, fanBits := appendTerms(b, terms)
	front := len(b)
	for page := b[headerSize:]; len(page) > 0; {
		n := min(len(page), pageSize)
		b = le.AppendUint32(b, sum(page[:n]))
		page = page[n:]
	}
	for _, d := range c.hidden {
		b = le.AppendUint32(b, d)
	}
	facets := len(b)
	for i, f := range c.facets {
		b = appendFacet(b, f)
		for _, v := range facetSums[i] {
			b = binary.AppendUvarint(b, v)
		}
	}
	head := append(b[:0:headerSize], magic...)
	for _, v := range [numbers]uint64{gen, c.under, tokens, units, uint64(len(c.records)), uint64(details),
		uint64(lists), uint64(len(terms) / termSize), uint64(fanBits), uint64(len(c.hidden)),
		uint64(len(b) - facets)} {
		head = le.AppendUint64(head, v)
	}
	head = le.AppendUint32(head, sum(b[front:]))
	le.AppendUint32(head, sum(head))
	return b, nil
}

// sumUp returns for each facet how many documents, units and tokens it has, and the type of each document.
func (c *content) sumUp() (all [][3]uint64, docTypes []uint8) {
	all, docTypes = make([][3]uint64, len(c.facets)), make([]uint8, len(c.records))
	numbers := make([]uint8, len(c.facets))
	for i, f := range c.facets {
		numbers[i] = uint8(slices.Index(types[:], f.typ))
	}
	for i := range c.records {
		r := &c.records[i]
		of := &all[r.facet]
		of[0], of[1], of[2] = of[0]+1, of[1]+uint64(r.units), of[2]+uint64(r.tokens)
		docTypes[i] = numbers[r.facet]
	}
	return all, docTypes
}

// appendRecords appends the sections of the records, from ids to details, and returns how many tokens and units they
// have together.
func appendRecords(b []byte, records []record) (out []byte, tokens, units uint64) {
	le := binary.LittleEndian
	for i := range records {
		r := &records[i]
		b = le.AppendUint64(le.AppendUint64(b, r.id), r.stamp.Number)
		tokens += uint64(r.tokens)
		units += uint64(r.units)
	}
	at := 0
	for i := range records {
		r := &records[i]
		b = le.AppendUint32(le.AppendUint32(le.AppendUint32(le.AppendUint32(b, r.tokens), r.units), r.facet),
			uint32(at))
		at += len(r.details)
	}
	b = le.AppendUint32(append(b, make([]byte, headSize-4)...), uint32(at))
	for i := range records {
		b = le.AppendUint64(le.AppendUint64(b, uint64(records[i].stamp.Size)), uint64(records[i].stamp.Time))
	}
	for i := range records {
		b = append(b, records[i].details...)
	}
	return b, tokens, units
}

// appendTerms appends the sections terms and fan. A bucket has the terms whose hashes begin with the same fanBits bits.
func appendTerms(b, terms []byte) (out []byte, fanBits int) {
	le := binary.LittleEndian
	b = append(b, terms...)
	count := len(terms) / termSize
	fanBits = max(bits.Len(uint(count))-6, 0) // 32 to 64 terms in each bucket
	for bucket, to := uint64(0), 0; bucket < 1<<fanBits; bucket++ {
		for to < count && le.Uint64(terms[to*termSize:])>>uint(64-fanBits) == bucket {
			to++
		}
		b = le.AppendUint32(b, uint32(to))
	}
	return b, fanBits
}

func appendFacet(b []byte, f facet) []byte {
	flags := byte(slices.Index(types[:], f.typ)) << 1
	if f.broken {
		flags |= 1
	}
	b = append(b, flags)
	for _, s := range [...]string{f.kind, f.project, f.status, f.stage} {
		b = appendText(b, s)
	}
	return b
}
