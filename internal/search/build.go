package search

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// The index cuts a body into units and notes the unit of each word. A unit ends at the end of a line once it has
// minUnit tokens, and anywhere after maxUnit tokens. Unit 0 is the title and the tags.
const (
	minUnit = 8
	maxUnit = 48
)

// builder makes an index file. The caller adds the documents in the order of their keys. The builder holds only
// what the file will hold, so that it needs no more memory than the file has bytes. Each term has a list, and a record
// appends to the lists of its words. Only the terms have to be sorted.
type builder struct {
	records []record
	facets  []facet
	numbers map[facet]uint32
	terms   []list
	byHash  table // the terms by their hash
	byRaw   table // the terms by a word of the text, so that each word is stemmed once
	size    int   // the bytes of all lists

	scanner
	doc, unit     int // the record and the unit that the scanner reads
	tokens, total int // the tokens of the unit and of the record so far
	base, from    int // the offsets of the line and of the unit
	units         []byte
}

// list is the list of a term so far. b does not have the last entry yet.
type list struct {
	hash  uint64
	b     []byte
	doc   int32  // of the last entry; -1 for none
	unit  uint32 // of the last entry
	step  uint32 // from the entry before
	count uint32
}

func newBuilder() *builder {
	b := &builder{numbers: map[facet]uint32{}}
	b.scanner = scanner{f: b.word}
	return b
}

// add adds a document. It skips a document whose key is not above the last one's.
func (b *builder) add(d Doc) {
	id := d.key()
	if n := len(b.records); n > 0 && b.records[n-1].id >= id || n == math.MaxInt32 {
		return
	}
	f := facet{d.Type, d.Kind, d.Project, d.Status, d.Stage, d.Broken}
	if d.Broken {
		d.Tags, d.Body = nil, ""
	}
	number, ok := b.numbers[f]
	if !ok {
		number = uint32(len(b.facets))
		b.facets, b.numbers[f] = append(b.facets, f), number
	}
	b.doc, b.unit, b.tokens, b.total, b.base, b.from, b.units = len(b.records), 0, 0, 0, 0, 0, b.units[:0]
	if !d.Broken {
		b.scan(d.Title)
		if d.Key != "" {
			b.use(b.term(key(d.Project, d.Key)))
		}
	}
	b.markers(d)
	for _, t := range d.Tags {
		b.scan(t)
	}
	b.unit, b.tokens, b.total = 1, 0, b.tokens
	for at := 0; at < len(d.Body); {
		line := d.Body[at:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		b.base = at
		b.scan(line)
		at += len(line)
		if b.tokens >= minUnit {
			b.end(at)
		}
	}
	if b.from < len(d.Body) {
		b.end(len(d.Body))
	}
	meta := appendMeta(nil, &d.Meta)
	b.records = append(b.records, record{id: id, tokens: uint32(b.total), units: uint32(b.unit - 1), facet: number,
		stamp:   d.Stamp,
		details: append(meta, b.units...)})
}

// end ends the unit at the offset to.
func (b *builder) end(to int) {
	b.units = binary.AppendUvarint(b.units, uint64(b.tokens))
	b.units = binary.AppendUvarint(b.units, uint64(to-b.from))
	b.unit, b.total, b.tokens, b.from = b.unit+1, b.total+b.tokens, 0, to
}

// word adds the next word of the text.
func (b *builder) word(w word) {
	if b.unit > 0 && b.tokens >= maxUnit && !w.part && b.base+w.at > b.from {
		b.end(b.base + w.at)
	}
	n := b.byRaw.at(hash(w.raw))
	if *n == 0 {
		*n = b.term(hash(w.text())) + 1
	}
	b.use(*n - 1)
	if !w.part {
		b.tokens++
	}
}

// markers adds the terms that file: and error: look for.
func (b *builder) markers(d Doc) {
	for _, f := range d.Files {
		for path := fileName(f); path != ""; { // the path, and each end of it
			b.use(b.term(fileTerm(path)))
			rest := ""
			if _, rest, _ = strings.Cut(path, "/"); rest == "" {
				if dot := strings.LastIndexByte(path, '.'); dot > 0 {
					b.use(b.term(fileTerm(path[:dot])))
				}
			}
			path = rest
		}
	}
	for _, line := range d.Errors {
		words(line, false, func(w word) { b.use(b.term(errorTerm(w))) })
	}
}

// fileName returns the form of a path in the index.
func fileName(path string) string {
	return strings.Trim(strings.TrimPrefix(strings.ToLower(strings.ReplaceAll(path, `\`, "/")), "./"), "/")
}

func fileTerm(path string) uint64 { return hash("\x00file\x00" + path) }

func errorTerm(w word) uint64 { return hash("\x00error\x00" + w.text()) }

// key returns the hash of the term for a Key. It is no word's hash, since no word has a NUL.
func key(project, key string) uint64 { return hash("\x00" + project + "\x00" + key) }

// term returns the number of the term with this hash.
func (b *builder) term(hash uint64) uint32 {
	n := b.byHash.at(hash)
	if *n == 0 {
		b.terms = append(b.terms, list{hash: hash, doc: -1})
		*n = uint32(len(b.terms))
	}
	return *n - 1
}

// use notes that the current unit has the term.
func (b *builder) use(n uint32) {
	t, doc, unit := &b.terms[n], int32(b.doc), uint32(b.unit)
	if t.doc == doc {
		if t.unit == unit {
			t.count++
			return
		}
		b.put(t, more)
		t.unit, t.step, t.count = unit, unit-t.unit, 1
		return
	}
	b.put(t, 0)
	had := len(t.b)
	t.b = binary.AppendUvarint(t.b, uint64(doc-t.doc-1))
	b.size += len(t.b) - had
	t.doc, t.unit, t.step, t.count = doc, unit, unit, 1
}

// put appends the last entry to the list.
func (b *builder) put(t *list, flags uint64) {
	if t.count > 0 {
		had := len(t.b)
		t.b = appendEntry(t.b, t.step, t.count, flags)
		b.size += len(t.b) - had
		t.count = 0
	}
}

// encode returns the file with the records. It leaves the builder unusable.
func (b *builder) encode(gen uint64) []byte {
	order := make([]uint32, len(b.terms))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(i, k uint32) int { return cmp.Compare(b.terms[i].hash, b.terms[k].hash) })
	c := content{facets: b.facets, records: b.records, size: b.size + (2+termSize)*len(b.terms)}
	c.lists = func(out []byte, term termFunc) (_ []byte, err error) {
		for _, i := range order {
			t := &b.terms[i]
			b.put(t, 0)
			out = append(out, t.b...)
			t.b = nil
			if out, err = term(t.hash, out); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	file, _ := encode(gen, c) // these lists return no error
	return file
}

// segment returns the documents as a segment in memory.
func (b *builder) segment() *segment {
	file := b.encode(uint64(time.Now().UnixNano()))
	s, _ := load(bytes.NewReader(file), int64(len(file))) // a file that encode has just made is not damaged
	s.file = file
	return s
}

// build returns a segment with docs. Of several documents with one key it takes the last.
func build(docs []Doc) *segment {
	order := make([]int, len(docs))
	for i := range order {
		order[i] = len(docs) - 1 - i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(docs[i].key(), docs[k].key()) })
	b := newBuilder()
	for _, i := range order {
		b.add(docs[i])
	}
	return b.segment()
}

// table is a map from hashes to numbers above 0.
type table struct {
	cells []cell
	used  int
}

type cell struct {
	hash  uint64
	value uint32
}

// at returns a pointer to the number of a hash. A new number is 0, and the caller sets it before the next call.
func (t *table) at(hash uint64) *uint32 {
	if 2*t.used >= len(t.cells) {
		old := t.cells
		t.cells, t.used = make([]cell, max(2*len(old), 256)), 0
		for _, c := range old {
			if c.value != 0 {
				*t.at(c.hash) = c.value
			}
		}
	}
	mask := uint64(len(t.cells) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		c := &t.cells[i]
		if c.value == 0 {
			c.hash = hash
			t.used++
			return &c.value
		}
		if c.hash == hash {
			return &c.value
		}
	}
}

// Snippet returns the text of body between the offsets from and to of a Hit, widened to whole words. It keeps the line
// ends; the caller makes one line of the text and cuts it.
func Snippet(body string, from, to int) string {
	from, to = min(max(from, 0), len(body)), min(max(to, 0), len(body))
	if from >= to {
		return ""
	}
	letter := func(i int) bool {
		r, _ := utf8.DecodeRuneInString(body[i:])
		return inWord(r) && !dense(r)
	}
	for from > 0 && (!utf8.RuneStart(body[from]) || letter(from) && body[from-1] > ' ') {
		from--
	}
	for to < len(body) && (!utf8.RuneStart(body[to]) || letter(to) && body[to-1] > ' ') {
		to++
	}
	return strings.TrimSpace(body[from:to])
}
