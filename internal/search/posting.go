package search

import "encoding/binary"

// The list of a term has a posting for each record that has the term, by the record's number: how many records lie
// between it and the one before, then an entry for each unit that has the term: how far the unit is from the one
// before, times four, plus two when a count follows because it stands there more than once, plus one when another entry
// follows.

const (
	counted = 2
	more    = 1
)

// appendEntry appends that a term stands count times in a unit, by steps after the one before.
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

// posting takes the record's number off the list b. prev is the record of the one before, -1 at first; docs how many
// there are.
func posting(b []byte, prev, docs int) (doc int, entries []byte, err error) {
	if len(b) > 0 && b[0] < 0x80 { // most often
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

// entry takes one entry off b. unit is that of the one before, 0 at first.
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

// skipEntries returns what follows the entries of a posting.
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
