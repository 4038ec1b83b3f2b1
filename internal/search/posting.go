package search

import "encoding/binary"

// The list of a term has a posting for each record with the term, by the record's number. A posting begins with the
// number of records between this record and the one before. Then comes an entry for each unit with the term: the
// distance from the unit before, times four, plus two when a count follows, plus one when another entry follows. An
// entry has a count when the unit has the term more than once.

const (
	counted = 2
	more    = 1
)

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
