package search

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// The index cuts a body into units. A unit ends at the end of a line once it has minUnit tokens, and anywhere after
// maxUnit tokens. Unit 0 is the title and the tags.
const (
	minUnit = 8
	maxUnit = 48
)

// writer makes a segment. The caller adds groups, each with its documents. The writer holds only what the segment will
// hold, so that it needs little more memory than the segment has bytes.
type writer struct {
	scanner
	groups       []group
	facets       []facet
	numbers      map[facet]uint32
	heads, texts []byte
	lists        []list
	byHash       map[uint64]uint32 // the numbers of the lists by the hash of their term
	byWord       map[uint64]uint32 // the same by a word of the text, so that each word is stemmed once
	docs         int

	// The document that is added: its tokens, its units with those of the text so far, and its current unit: its
	// tokens, and the offsets of the line and of the unit.
	tokens, unit, inUnit int
	spans                []byte
	base, from           int
}

// list is the list of a term so far. b does not have the last posting yet.
type list struct {
	hash   uint64
	b      []byte
	before posting // the last posting in b
	last   posting
}

func newWriter() *writer {
	w := &writer{numbers: map[facet]uint32{}, byHash: map[uint64]uint32{}, byWord: map[uint64]uint32{}}
	w.f = w.word
	return w
}

// group adds a group without documents. The next documents are its.
func (w *writer) group(key uint64, name string, at safefile.Stamp) {
	w.groups = append(w.groups, group{key: key, name: name, at: at, first: w.docs, last: w.docs})
}

// remove adds what says that the group with this name is gone.
func (w *writer) remove(name string) { w.group(hash(name), "", safefile.Stamp{Size: noDocs}) }

// term returns the number of the list of the term with this hash.
func (w *writer) term(hash uint64) uint32 {
	n, ok := w.byHash[hash]
	if !ok {
		n = uint32(len(w.lists))
		w.byHash[hash] = n
		w.lists = append(w.lists, list{hash: hash, before: posting{doc: -1}, last: posting{doc: -1}})
	}
	return n
}

// post notes count more occurrences of a term in a unit of a document. Documents and their units come in their order.
func (w *writer) post(number uint32, doc, unit, count int) {
	l := &w.lists[number]
	if l.last.doc == doc && l.last.unit == unit {
		l.last.count += count
		return
	}
	l.flush()
	l.last = posting{doc: doc, unit: unit, count: count}
}

// flush appends the last posting to the list.
func (l *list) flush() {
	if l.last.count > 0 {
		l.b = l.last.append(l.b, l.before)
		l.before = l.last
	}
}

// endDoc adds a document to the last group, after its postings.
func (w *writer) endDoc(f facet, tokens, units int, updated int64) {
	number, ok := w.numbers[f]
	if !ok {
		number = uint32(len(w.facets))
		w.facets, w.numbers[f] = append(w.facets, f), number
	}
	w.head(tokens, units, int(number), len(w.groups)-1, updated)
	w.docs++
	w.groups[len(w.groups)-1].last = w.docs
}

// head appends a row to heads. The caller appends to texts after it.
func (w *writer) head(tokens, units, facet, group int, updated int64) {
	for _, v := range [...]int{tokens, units, facet, group, len(w.texts)} {
		w.heads = le.AppendUint32(w.heads, uint32(v))
	}
	w.heads = le.AppendUint64(w.heads, uint64(updated))
}

// add adds a document to the last group.
func (w *writer) add(d Doc) {
	w.tokens, w.unit, w.inUnit, w.spans, w.base, w.from = 0, 0, 0, w.spans[:0], 0, 0
	w.scan(d.Title)
	for _, t := range d.Tags {
		w.scan(t)
	}
	w.end(0)
	for at := 0; at < len(d.Body); {
		line := d.Body[at:]
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		w.base = at
		w.scan(line)
		at += len(line)
		if w.inUnit >= minUnit {
			w.end(at)
		}
	}
	if w.from < len(d.Body) {
		w.end(len(d.Body))
	}
	w.endDoc(facet{d.Type, d.Kind, d.Project, d.Status, d.Stage}, w.tokens, w.unit-1, d.Updated)
	w.texts = binary.AppendUvarint(appendText(w.texts, d.Title), uint64(len(d.Tags)))
	for _, t := range d.Tags {
		w.texts = appendText(w.texts, t)
	}
	w.texts = append(binary.AppendUvarint(w.texts, uint64(d.Turn)), w.spans...)
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// end ends the unit at the offset to.
func (w *writer) end(to int) {
	w.spans = binary.AppendUvarint(binary.AppendUvarint(w.spans, uint64(w.inUnit)), uint64(to-w.from))
	w.tokens, w.unit, w.inUnit, w.from = w.tokens+w.inUnit, w.unit+1, 0, to
}

// word adds the next word of the text.
func (w *writer) word(next word) {
	if w.unit > 0 && w.inUnit >= maxUnit && !next.part && w.base+next.at > w.from {
		w.end(w.base + next.at)
	}
	raw := hash(next.raw)
	n, ok := w.byWord[raw]
	if !ok {
		n = w.term(hash(next.text()))
		w.byWord[raw] = n
	}
	w.post(n, w.docs, w.unit, 1)
	if !next.part {
		w.inUnit++
	}
}

// copy adds the live groups of a segment.
func (w *writer) copy(s *segment) {
	s.load(groupRows, nameTexts, headRows, docTexts, termRows, listTexts)
	now := make([]int, s.ndocs) // the number of each document here, -1 for none
	for i := range now {
		now[i] = -1
	}
	var live []group
	for g := range s.ngroups {
		if s.isLive(g) {
			live = append(live, s.group(g))
		}
	}
	slices.SortFunc(live, func(a, b group) int { return a.first - b.first })
	for _, g := range live {
		w.group(g.key, s.nameOf(g), g.at)
		for i := g.first; i < g.last; i++ {
			now[i] = w.docs
			w.endDoc(s.facets[s.facetOf(i)], s.tokens(i), s.units(i), s.updated(i))
			w.texts = append(w.texts, s.text(i)...)
		}
	}
	rows := s.sections[termRows]
	for n := range len(rows)/termSize - 1 {
		at := rows[n*termSize:]
		list := s.read(listTexts, int(le.Uint32(at[8:])), int(le.Uint32(at[termSize+8:])))
		number, ok := uint32(0), false
		for c, p := (cursor{b: list}), (posting{doc: -1}); c.more(); {
			if p.next(&c); now[p.doc] < 0 {
				continue
			}
			if !ok {
				number, ok = w.term(le.Uint64(at)), true
				w.lists[number].b = slices.Grow(w.lists[number].b, len(list))
			}
			w.post(number, now[p.doc], p.unit, p.count)
		}
	}
}

// finish returns the segment, of which seal says what is beneath. It leaves the writer unusable.
func (w *writer) finish() []byte {
	var parts [sections][]byte
	order := make([]int, len(w.groups))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(w.groups[a].key, w.groups[b].key) })
	now := make([]uint32, len(order))
	rows, names := make([]byte, 0, (len(order)+1)*groupSize), []byte(nil)
	for n, i := range append(order, -1) {
		g := group{}
		if i >= 0 {
			g, now[i] = w.groups[i], uint32(n)
		}
		for _, v := range [...]uint64{g.key, g.at.Number, uint64(g.at.Size), uint64(g.at.Time)} {
			rows = le.AppendUint64(rows, v)
		}
		for _, v := range [...]int{g.first, g.last - g.first, len(names)} {
			rows = le.AppendUint32(rows, uint32(v))
		}
		names = append(names, g.name...)
	}
	w.head(0, 0, 0, 0, 0)
	for i := range w.docs {
		at := w.heads[i*headSize+12:]
		le.PutUint32(at, now[le.Uint32(at)])
	}
	parts[groupRows], parts[nameTexts], parts[headRows], parts[docTexts] = rows, names, w.heads, w.texts
	slices.SortFunc(w.lists, func(a, b list) int { return cmp.Compare(a.hash, b.hash) })
	terms, all := make([]byte, 0, (len(w.lists)+1)*termSize), []byte(nil)
	for i := range w.lists {
		l := &w.lists[i]
		l.flush()
		terms = le.AppendUint32(le.AppendUint64(terms, l.hash), uint32(len(all)))
		all, l.b = append(all, l.b...), nil
	}
	parts[termRows], parts[listTexts] = le.AppendUint32(le.AppendUint64(terms, 0), uint32(len(all))), all
	return w.assemble(parts)
}

// assemble returns the segment of these sections.
func (w *writer) assemble(parts [sections][]byte) []byte {
	var facets []byte
	for _, f := range w.facets {
		facets = binary.AppendUvarint(facets, uint64(slices.Index(types[:], f.typ)))
		for _, s := range [...]string{f.kind, f.project, f.status, f.stage} {
			facets = appendText(facets, s)
		}
	}
	total := 0
	for _, p := range parts {
		total += len(p)
	}
	front := headerSize + 4*((total+pageSize-1)/pageSize) + len(facets)
	b := make([]byte, front, front+total+1)
	head := le.AppendUint64(append(b[:0], magic...), uint64(time.Now().UnixNano()))
	head = le.AppendUint64(le.AppendUint64(head, 0), uint64(front-headerSize))
	for _, p := range parts {
		head = le.AppendUint64(head, uint64(len(p)))
		b = append(b, p...)
	}
	sums := b[headerSize:headerSize]
	for page := range slices.Chunk(b[front:], pageSize) {
		sums = le.AppendUint32(sums, sum(page))
	}
	copy(b[headerSize+len(sums):], facets)
	le.AppendUint32(head, sum(b[headerSize:front]))
	return seal(b, 0)
}

// seal notes in a segment the id of the base beneath it.
func seal(b []byte, under uint64) []byte {
	le.PutUint64(b[len(magic)+8:], under)
	le.PutUint32(b[headerSize-4:], sum(b[:headerSize-4]))
	return b
}

// opened returns a segment that was just made, and is not damaged.
func opened(b []byte) *segment {
	s, _ := load(bytes.NewReader(b), int64(len(b)))
	return s
}
