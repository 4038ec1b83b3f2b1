package search

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"time"
)

// The index cuts a body into units. A unit ends at the end of a line once it has minUnit tokens, and anywhere after
// maxUnit tokens. Unit 0 is the title and the tags.
const (
	minUnit = 8
	maxUnit = 48
)

// writer makes a file of the index. The caller adds groups in the order of their keys, each with its documents, and
// each document with its units. The writer holds only what the file will hold, so that it needs little more memory than
// the file has bytes.
type writer struct {
	parts   [sections][]byte
	facets  []facet
	numbers map[facet]uint32
	lists   []list
	byHash  table // the terms by their hash
	byWord  table // the terms by a word of the text, so that each word is stemmed once
	size    int   // the bytes of all lists

	docs, unit, tokens int // documents before this one, its units and its tokens so far

	first *segment // the first of the files that are joined: its terms have the same numbers here
	now   []int    // for each document of first its number here, -1 for none
}

// list is the list of a term so far. b does not have the last posting yet.
type list struct {
	hash uint64
	b    []byte
	// The last document in b and the current one, from 1; the current document's unit, from 1.
	before, doc, unit uint32
	units, head, body uint32
}

func newWriter() *writer { return &writer{numbers: map[facet]uint32{}} }

// group adds a group without documents. The next documents are its.
func (w *writer) group(key uint64, name string, at Stamp) {
	w.parts[keyRows] = le.AppendUint64(w.parts[keyRows], key)
	w.groupRow(at)
	w.parts[nameTexts] = append(w.parts[nameTexts], name...)
}

func (w *writer) groupRow(at Stamp) {
	b := w.parts[groupRows]
	for _, v := range [...]uint64{at.Number, uint64(at.Size), uint64(at.Time)} {
		b = le.AppendUint64(b, v)
	}
	w.parts[groupRows] = le.AppendUint32(le.AppendUint32(b, uint32(w.docs)), uint32(len(w.parts[nameTexts])))
}

// addUnit adds a unit to the current document: how many tokens and bytes it has, and its terms.
func (w *writer) addUnit(tokens, size int, terms []uint32) {
	b := w.parts[unitTexts]
	for _, v := range [...]int{tokens, size, len(terms)} {
		b = binary.AppendUvarint(b, uint64(v))
	}
	for _, n := range terms {
		b = binary.AppendUvarint(b, uint64(n))
		w.post(n)
	}
	w.parts[unitTexts], w.unit, w.tokens = b, w.unit+1, w.tokens+tokens
}

// post notes that the current unit has the term.
func (w *writer) post(n uint32) {
	t, doc := &w.lists[n], uint32(w.docs)+1
	if t.doc != doc {
		w.flush(t)
		t.doc = doc
	}
	if unit := uint32(w.unit) + 1; t.unit != unit {
		t.unit = unit
		t.units++
	}
	if w.unit == 0 {
		t.head++
	} else {
		t.body++
	}
}

// flush appends the last posting to the list.
func (w *writer) flush(t *list) {
	if t.units == 0 {
		return
	}
	had := len(t.b)
	t.b = appendPosting(t.b, int(t.before)-1, posting{int(t.doc) - 1, int(t.units), int(t.head), int(t.body)})
	w.size += len(t.b) - had
	t.before, t.unit, t.units, t.head, t.body = t.doc, 0, 0, 0, 0
}

// endDoc adds the current document, after its units, and with what appendMeta made of it.
func (w *writer) endDoc(f facet, meta []byte, units int) {
	number, ok := w.numbers[f]
	if !ok {
		number = uint32(len(w.facets))
		w.facets, w.numbers[f] = append(w.facets, f), number
	}
	b := w.parts[headRows]
	group := len(w.parts[keyRows])/keySize - 1
	for _, v := range [...]int{w.tokens, w.unit - 1, int(number), group, len(w.parts[metaTexts]), units} {
		b = le.AppendUint32(b, uint32(v))
	}
	w.parts[headRows], w.parts[metaTexts] = b, append(w.parts[metaTexts], meta...)
	w.docs, w.unit, w.tokens = w.docs+1, 0, 0
}

// appendMeta appends what the index keeps of a document besides its words, its facet and its group.
func appendMeta(b []byte, m *Meta) []byte {
	b = binary.AppendUvarint(b, signed(m.Updated))
	b = appendText(b, m.Title)
	b = binary.AppendUvarint(b, uint64(len(m.Tags)))
	for _, t := range m.Tags {
		b = appendText(b, t)
	}
	return binary.AppendUvarint(b, uint64(m.Turn))
}

// term returns the number of the term with this hash.
func (w *writer) term(hash uint64) uint32 {
	n := w.byHash.at(hash)
	if *n == 0 {
		w.lists = append(w.lists, list{hash: hash})
		*n = uint32(len(w.lists))
	}
	return *n - 1
}

// finish returns the file. It leaves the writer unusable.
func (w *writer) finish(gen, under uint64) []byte {
	w.groupRow(Stamp{})
	last := w.parts[headRows]
	for _, v := range [...]int{0, 0, 0, 0, len(w.parts[metaTexts]), len(w.parts[unitTexts])} {
		last = le.AppendUint32(last, uint32(v))
	}
	w.parts[headRows] = last
	w.finishTerms()
	total := 0
	for _, p := range w.parts {
		total += len(p)
	}
	var facets []byte
	for _, f := range w.facets {
		facets = appendFacet(facets, f)
	}
	front := headerSize + 4*((total+pageSize-1)/pageSize) + len(facets)
	b := make([]byte, headerSize, front+total)
	head := append(b[:0], magic...)
	for _, v := range [...]uint64{gen, under, uint64(front - headerSize)} {
		head = le.AppendUint64(head, v)
	}
	b = b[:front]
	for i, p := range w.parts {
		head = le.AppendUint64(head, uint64(len(p)))
		b, w.parts[i] = append(b, p...), nil
	}
	sums := b[headerSize:headerSize]
	for page := range slices.Chunk(b[front:], pageSize) {
		sums = le.AppendUint32(sums, sum(page))
	}
	copy(b[headerSize+len(sums):], facets)
	head = le.AppendUint32(head, sum(b[headerSize:front]))
	le.AppendUint32(head, sum(head))
	return b
}

// finishTerms makes the sections of the terms.
func (w *writer) finishTerms() {
	n := len(w.lists)
	rows, slots := make([]byte, 0, (n+1)*termSize), make([]byte, slotSize<<bits.Len(uint(n+n/2)))
	all := make([]byte, 0, w.size+4*n)
	for n := range w.lists {
		t := &w.lists[n]
		w.flush(t)
		rows = le.AppendUint32(le.AppendUint64(rows, t.hash), uint32(len(all)))
		all, t.b = w.appendList(all, n), nil
		i := slotOf(t.hash, len(slots)/slotSize) * slotSize
		for le.Uint32(slots[i:]) != 0 {
			i = (i + slotSize) % len(slots)
		}
		le.PutUint32(slots[i:], uint32(n+1))
	}
	w.parts[termRows] = le.AppendUint32(le.AppendUint64(rows, 0), uint32(len(all)))
	w.parts[slotRows], w.parts[listTexts] = slots, all
}

// appendList appends the list of the term with this number.
func (w *writer) appendList(b []byte, n int) []byte {
	t := &w.lists[n]
	if w.first == nil || n >= w.first.nterms {
		return append(b, t.b...)
	}
	last := -1
	add := func(p posting) {
		b = appendPosting(b, last, p)
		last = p.doc
	}
	ours, from := posting{doc: -1}, cursor{b: t.b}
	more := ours.next(&from)
	_ = w.first.eachPosting(n, func(p posting) { // join has looked for damage
		if p.doc = w.now[p.doc]; p.doc < 0 {
			return
		}
		for ; more && ours.doc < p.doc; more = ours.next(&from) {
			add(ours)
		}
		add(p)
	})
	for ; more; more = ours.next(&from) {
		add(ours)
	}
	return b
}

func appendFacet(b []byte, f facet) []byte {
	b = binary.AppendUvarint(b, uint64(slices.Index(types[:], f.typ)))
	for _, s := range [...]string{f.kind, f.project, f.status, f.stage} {
		b = appendText(b, s)
	}
	return b
}

// newGen returns the generation of a file that is above the one with another generation.
func newGen(above uint64) uint64 { return max(uint64(time.Now().UnixNano()), above+1) }

// segment returns the file as a segment in memory.
func (w *writer) segment() *segment {
	file := w.finish(newGen(0), 0)
	s, _ := load(bytes.NewReader(file), int64(len(file))) // a file that was just made is not damaged
	s.file = file
	return s
}

// source names a group by its part and its number there; or a group to remove, by its key.
type source struct {
	key   uint64
	part  *segment
	group int
}

// join adds the groups of parts that are not replaced to a new writer. No two parts may have such a group with the same
// key. It adds the groups that are gone, and groups without documents with the keys in removed, only where another file
// is beneath. Errors: ErrCorrupt, the disk's.
func (w *writer) join(parts []*segment, removed []uint64, beneath bool) error {
	var order []source
	copies := map[*segment]*copier{}
	for _, s := range parts {
		for in := range sections {
			if _, err := s.load(in); err != nil {
				return err
			}
		}
		if err := s.loadHeads(); err != nil {
			return err
		}
		for g := range s.ngroups {
			if s.isLive(g) || beneath && (s.gone == nil || !s.gone[g]) {
				order = append(order, source{s.key(g), s, g})
			}
		}
		copies[s] = &copier{w, s, make([]uint32, s.nterms), nil}
	}
	for _, key := range removed {
		if beneath {
			order = append(order, source{key: key})
		}
	}
	if err := copies[parts[0]].begin(); err != nil {
		return err
	}
	slices.SortFunc(order, func(a, b source) int { return cmp.Compare(a.key, b.key) })
	for _, o := range order {
		if o.part == nil {
			w.group(o.key, "", Stamp{Size: noDocs})
		} else if err := copies[o.part].group(o.group); err != nil {
			return err
		}
	}
	return nil
}

// copier copies groups of a segment.
type copier struct {
	*writer
	from  *segment
	terms []uint32 // for each term of from its number here plus one, 0 for none yet
	unit  []uint32
}

// begin gives the terms of the first file the same numbers here, so that its texts can be copied as they are. Errors:
// ErrCorrupt.
func (c *copier) begin() error {
	c.first, c.now = c.from, make([]int, c.from.ndocs)
	for i := range c.now {
		c.now[i] = -1
	}
	for n := range c.terms {
		c.lists = append(c.lists, list{hash: le.Uint64(c.from.sections[termRows][n*termSize:])})
		number := uint32(n + 1)
		*c.byHash.at(c.lists[n].hash) = number
		if err := c.from.eachPosting(n, func(p posting) {
			if c.from.live(p.doc) {
				c.terms[n] = number
			}
		}); err != nil {
			return err
		}
	}
	c.size = c.from.length(listTexts)
	return nil
}

// group copies a group with its documents. Errors: ErrCorrupt, the disk's.
func (c *copier) group(g int) error {
	s := c.from
	name, at, err := s.group(g)
	if err != nil {
		return err
	}
	c.writer.group(s.key(g), name, at)
	for i := s.firstDoc(g); i < s.firstDoc(g+1); i++ {
		meta, err := s.meta(i)
		if err != nil {
			return err
		}
		text, err := s.text(i)
		if err != nil {
			return err
		}
		began := len(c.parts[unitTexts])
		if s == c.first {
			c.now[i], c.tokens, c.writer.unit = c.docs, s.tokens(i), s.units(i)+1
			c.parts[unitTexts] = append(c.parts[unitTexts], text...)
		} else if err := c.units(text); err != nil {
			return err
		}
		c.endDoc(s.facets[s.facetOf(i)], meta, began)
	}
	return nil
}

// units copies the units of a document. Errors: ErrCorrupt.
func (c *copier) units(text []byte) error {
	from := cursor{b: text}
	for from.more() {
		tokens, size := int(from.number()), int(from.number())
		c.unit = c.unit[:0]
		for range from.count() {
			n := from.number()
			if n >= uint64(len(c.terms)) {
				return ErrCorrupt
			}
			if c.terms[n] == 0 {
				c.terms[n] = c.term(le.Uint64(c.from.sections[termRows][n*termSize:])) + 1
			}
			c.unit = append(c.unit, c.terms[n]-1)
		}
		c.addUnit(tokens, size, c.unit)
	}
	return from.err()
}

// builder adds documents to a file.
type builder struct {
	*writer
	scanner
	terms      []uint32 // of the unit
	tokens     int      // of the unit
	base, from int      // the offsets of the line and of the unit
}

func newBuilder() *builder {
	b := &builder{writer: newWriter()}
	b.scanner = scanner{f: b.word}
	return b
}

// add adds a document to the last group.
func (b *builder) add(d Doc) {
	began := len(b.parts[unitTexts])
	b.base, b.from = 0, 0
	b.scan(d.Title)
	if d.Key != "" {
		b.terms = append(b.terms, b.term(keyTerm(d.Project, d.Key)))
	}
	b.markers(d)
	for _, t := range d.Tags {
		b.scan(t)
	}
	b.end(0)
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
	f := facet{d.Type, d.Kind, d.Project, d.Status, d.Stage}
	b.endDoc(f, appendMeta(nil, &d.Meta), began)
}

// end ends the unit at the offset to.
func (b *builder) end(to int) {
	b.addUnit(b.tokens, to-b.from, b.terms)
	b.terms, b.tokens, b.from = b.terms[:0], 0, to
}

// word adds the next word of the text.
func (b *builder) word(w word) {
	if b.unit > 0 && b.tokens >= maxUnit && !w.part && b.base+w.at > b.from {
		b.end(b.base + w.at)
	}
	n := b.byWord.at(hash(w.raw))
	if *n == 0 {
		*n = b.term(hash(w.text())) + 1
	}
	b.terms = append(b.terms, *n-1)
	if !w.part {
		b.tokens++
	}
}

// markers adds the terms that file: and error: look for.
func (b *builder) markers(d Doc) {
	for _, f := range d.Files {
		for path := fileName(f); path != ""; { // the path, and each end of it
			b.terms = append(b.terms, b.term(fileTerm(path)))
			rest := ""
			if _, rest, _ = strings.Cut(path, "/"); rest == "" {
				if dot := strings.LastIndexByte(path, '.'); dot > 0 {
					b.terms = append(b.terms, b.term(fileTerm(path[:dot])))
				}
			}
			path = rest
		}
	}
	for _, line := range d.Errors {
		words(line, false, func(w word) { b.terms = append(b.terms, b.term(errorTerm(w))) })
	}
}

// fileName returns the form of a path in the index.
func fileName(path string) string {
	return strings.Trim(strings.TrimPrefix(strings.ToLower(strings.ReplaceAll(path, `\`, "/")), "./"), "/")
}

func fileTerm(path string) uint64 { return hash("\x00file\x00" + path) }

func errorTerm(w word) uint64 { return hash("\x00error\x00" + w.text()) }

// keyTerm returns the hash of the term for a Key. It is no word's hash, since no word has a NUL.
func keyTerm(project, key string) uint64 { return hash("\x00" + project + "\x00" + key) }

// build returns a segment with docs, each a group. Of several documents with one ID it takes the last.
func build(docs []Doc) *segment {
	byKey := map[uint64]Doc{}
	for _, d := range docs {
		byKey[hash(d.ID)] = d
	}
	order := make([]uint64, 0, len(byKey))
	for key := range byKey {
		order = append(order, key)
	}
	slices.Sort(order)
	b := newBuilder()
	for _, key := range order {
		b.group(key, byKey[key].ID, byKey[key].Stamp)
		b.add(byKey[key])
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
