package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// weights are the weights of the ranking. docs/search.md says which values were tried and how they were chosen.
type weights struct {
	k1 float64 // BM25: how soon more occurrences of a word add nothing
	b  float64 // BM25: how much the length of a text counts against it
	// window is the number of units in a passage. passage is the weight of the best passage beside the whole record.
	window  int
	passage float64
	// grain is the weight of a word's rarity among units beside its rarity among records, in a passage. A word that all
	// records have, such as a name, can still tell passages apart.
	grain float64
	// phrase is the extra weight of the words of a quotation when one passage has all of them.
	phrase  float64
	heading float64 // how many times a word of the title or of a tag counts
}

var standard = weights{k1: 1.2, b: 0.75, window: 3, passage: 0.75, grain: 0.4, phrase: 0.5, heading: 2}

// Bounds, so that no query takes long.
const (
	maxQuery  = 16 << 10 // bytes; of a longer query the first and the last half of them
	maxTerms  = 48       // the rarest terms
	maxPassed = 200      // the best records by their whole text, whose passages are scored
)

// A Hit's Share is computed as if there were at least few records. With three records alone, a word that one of them
// has would count next to nothing. The weight of a word that no record has is multiplied by unknown: the word is about
// something else, or about nothing ("once more").
const (
	few     = 20
	unknown = 0.5
)

// testOnlyNoStop keeps the stopwords of a query, to measure the effect of leaving them out.
var testOnlyNoStop bool

// term is one word of the query.
type term struct {
	hash    uint64
	times   float64 // how often the query has it, at most 3
	part    bool    // see word
	phrases []int   // the quotations of the query that have it
	idf     float64 // its rarity among records
	weight  float64 // for Share
	grain   float64 // its rarity among records and units
	uses    [2]uses // by segment
}

// uses holds the records of a segment that have a term.
type uses struct {
	list   []byte
	places []place
}

// place is a record that has the term. There may be many places, so each is small.
type place struct {
	doc   uint32
	at    uint32  // the offset of its entries in the list
	count float32 // how often the record has the term; the title counts by weights.heading
}

// parse returns the terms of q, each once.
func parse(q string) (terms []term) {
	quoted := 0
	if len(q) > maxQuery {
		from, to := maxQuery/2, len(q)-maxQuery/2
		for !utf8.RuneStart(q[from]) && from > 0 {
			from--
		}
		for to < len(q) && !utf8.RuneStart(q[to]) {
			to++
		}
		q = q[:from] + "\n" + q[to:]
	}
	take := func(stops bool) {
		at := map[uint64]int{}
		terms, quoted = nil, 0
		add := func(s string, phrase int) {
			words(s, true, func(w word) {
				if !stops && !testOnlyNoStop && stop(string(w.raw)) {
					return
				}
				h := hash(w.text())
				i, ok := at[h]
				if !ok {
					i = len(terms)
					at[h] = i
					terms = append(terms, term{hash: h, part: w.part})
				}
				terms[i].times = min(terms[i].times+1, 3)
				if phrase >= 0 {
					terms[i].phrases = append(terms[i].phrases, phrase)
				}
			})
		}
		for i, s := range strings.Split(q, `"`) {
			if i%2 == 1 && strings.IndexByte(s, '\n') < 0 {
				add(s, quoted)
				quoted++
			} else {
				add(s, -1)
			}
		}
	}
	if take(false); len(terms) == 0 {
		take(true)
	}
	return terms
}

// Query returns the records that best answer q, best first, at most limit, of those that keep selects. Any text is a
// query. There are no operators; words inside double quotes count more where they stand together. After ErrCorrupt the
// caller drops the index and builds it again.
func (x *Index) Query(q string, keep Keep, limit int) ([]Hit, error) {
	return x.query(q, keep, limit, &standard)
}

func (x *Index) query(q string, keep Keep, limit int, w *weights) ([]Hit, error) {
	terms := parse(q)
	if len(terms) == 0 || limit <= 0 {
		return nil, nil
	}
	docs, units, tokens, err := x.size()
	if err != nil || docs <= 0 {
		return nil, err
	}
	long := max(tokens/docs, 1)                              // the mean length of a record
	wide := max(tokens/max(units, 1), 1) * float64(w.window) // and of a passage
	for i := range terms {
		if err := x.weigh(&terms[i], docs, units, w); err != nil {
			return nil, err
		}
	}
	if len(terms) > maxTerms {
		slices.SortStableFunc(terms, func(a, b term) int { return cmp.Compare(b.idf, a.idf) })
		known := slices.DeleteFunc(slices.Clone(terms), func(t term) bool {
			return t.uses[0].places == nil && t.uses[1].places == nil
		})
		terms = known[:min(len(known), maxTerms)]
	}
	asked := 0.0
	for _, t := range terms {
		asked += t.weight
	}
	best, err := x.best(terms, keep, max(maxPassed, limit), long, w)
	if err != nil {
		return nil, err
	}
	r := reader{w: w}
	hits := make([]Hit, len(best))
	for i, f := range best {
		if hits[i], err = r.passage(x.segments[f.seg], f.seg, f.doc, terms, asked, wide); err != nil {
			return nil, err
		}
		hits[i].Score += f.score
	}
	order := make([]int, len(hits))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(compareBool(best[a].last, best[b].last), cmp.Compare(hits[b].Score, hits[a].Score))
	})
	out := make([]Hit, min(len(hits), limit))
	for i := range out {
		f := best[order[i]]
		out[i] = hits[order[i]]
		s := x.segments[f.seg]
		if out[i].Meta, err = s.info(f.doc); err == nil {
			out[i].Stamp, err = s.stampAt(f.doc)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// size returns the number of live records, and of their units and tokens. Errors: ErrCorrupt, the disk's.
func (x *Index) size() (docs, units, tokens float64, err error) {
	for _, s := range x.segments {
		if err := s.loadHeads(); err != nil {
			return 0, 0, 0, err
		}
		docs += float64(s.ndocs)
		units += float64(s.nunits)
		tokens += float64(s.tokens)
		for i, dead := range s.dead {
			if dead {
				docs--
				units -= float64(s.units(i))
				tokens -= float64(s.length(i))
			}
		}
	}
	return docs, units, tokens, nil
}

// weigh finds the records with a term, and sets the weights of the term among so many records and units.
func (x *Index) weigh(t *term, docs, units float64, w *weights) error {
	have, in := 0, 0
	for n, s := range x.segments {
		n1, n2, err := t.uses[n].find(s, t.hash, w)
		if err != nil {
			return err
		}
		have += n1
		in += n2
	}
	rarity := func(all, have float64) float64 { return math.Log(1 + (max(all-have, 0)+.5)/(have+.5)) }
	t.idf = rarity(docs, float64(have))
	t.weight = rarity(max(docs, few), float64(have))
	if have == 0 {
		t.weight *= unknown
	}
	t.grain = t.idf + w.grain*rarity(max(units, float64(in)), float64(in))
	return nil
}

// find finds the records of s with the term, and returns how many live records and units have it. Errors: ErrCorrupt,
// the disk's.
func (u *uses) find(s *segment, hash uint64, w *weights) (have, in int, err error) {
	if u.list, err = s.list(hash); err != nil || u.list == nil {
		return 0, 0, err
	}
	u.places = make([]place, 0, min(len(u.list)/2, s.ndocs)) // a posting has at least two bytes
	for b, doc := u.list, -1; len(b) > 0; {
		if doc, b, err = posting(b, doc, s.ndocs); err != nil {
			return 0, 0, err
		}
		p := place{doc: uint32(doc), at: uint32(len(u.list) - len(b))}
		n, sum, head := 0, 0, 0
		for unit, last := 0, false; !last; n++ {
			count := 1
			// the most frequent case of entry: a call would take twice as long
			if len(b) > 0 && b[0] < 0x80 && b[0]&counted == 0 {
				unit, last, b = unit+int(b[0]>>2), b[0]&more == 0, b[1:]
			} else if unit, count, last, b, err = entry(b, unit); err != nil {
				return 0, 0, err
			}
			if unit == 0 {
				head += count
			} else {
				sum += count
			}
		}
		if !s.live(doc) {
			continue
		}
		have++
		in += n
		p.count = float32(float64(head)*w.heading + float64(sum))
		u.places = append(u.places, p)
	}
	return have, in, nil
}

// candidate is a record with words of the query.
type candidate struct {
	seg, doc int
	score    float64
	last     bool // see Keep.Last
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// best returns the records that keep selects with the best scores of their whole text, best first, at most most. long
// is the mean number of tokens of a record. Errors: ErrCorrupt, the disk's.
func (x *Index) best(terms []term, keep Keep, most int, long float64, w *weights) (best []candidate, err error) {
	order := func(a, b candidate) int {
		if c := cmp.Or(compareBool(a.last, b.last), cmp.Compare(b.score, a.score)); c != 0 {
			return c
		}
		if a.seg == b.seg {
			return cmp.Compare(a.doc, b.doc)
		}
		return cmp.Compare(x.segments[a.seg].idOf(a.doc), x.segments[b.seg].idOf(b.doc))
	}
	for n, s := range x.segments { // few records enter best, so this neither sorts all nor asks keep about all
		among, last := s.facetsThat(keep.Among), make([]bool, len(s.facets))
		if keep.Last != nil {
			last = s.facetsThat(keep.Last)
		}
		scores := make([]float64, s.ndocs)
		for i := range terms {
			t := &terms[i]
			for _, p := range t.uses[n].places {
				scores[p.doc] += t.idf * t.times * w.saturate(float64(p.count), float64(s.length(int(p.doc))), long)
			}
		}
		for doc, score := range scores {
			if score <= 0 || len(best) == most && score < best[most-1].score && !best[most-1].last {
				continue
			}
			f := candidate{n, doc, score, last[s.facetOf(doc)]}
			if len(best) == most && order(f, best[most-1]) > 0 || !among[s.facetOf(doc)] {
				continue
			}
			if keep.Record != nil {
				m, err := s.info(doc)
				if err != nil {
					return nil, err
				}
				if !keep.Record(m) {
					continue
				}
			}
			if len(best) == most {
				best = best[:most-1]
			}
			at, _ := slices.BinarySearchFunc(best, f, order)
			best = slices.Insert(best, at, f)
		}
	}
	return best, nil
}

// saturate returns the BM25 value of a term that a text of this length has tf times.
func (w *weights) saturate(tf, length, average float64) float64 {
	return tf * (w.k1 + 1) / (tf + w.k1*(1-w.b+w.b*length/average))
}

// reader finds the best passage of one record after the other. It uses its memory again.
type reader struct {
	w      *weights
	spans  []span
	counts []int  // how often each unit has each term
	some   []bool // whether a unit has any term
}

// passage returns a Hit with the score of the record's best window of units, the offsets of the best unit there, and
// how much of the query that window or the title has. Errors: ErrCorrupt, the disk's.
func (r *reader) passage(s *segment, seg, doc int, terms []term, asked, wide float64) (h Hit, err error) {
	if r.spans, err = s.spans(doc, r.spans); err != nil {
		return h, err
	}
	n := len(r.spans) + 1
	if err := r.count(seg, doc, n, terms); err != nil {
		return h, err
	}
	title := r.counts[:len(terms)]
	for i := range terms {
		if terms[i].part {
			continue
		}
		if h.Asked++; title[i] > 0 {
			h.Titled++
		}
	}
	score := func(from, to int) (score, share float64, count int) { return r.score(from, to, terms, asked, wide) }
	if r.some[0] {
		_, h.Share, h.Words = score(0, 1)
	}
	top, at := 0.0, 0
	for u := 1; u < n; u++ {
		v, share, count := score(u, min(u+r.w.window, n))
		if v > top {
			top, at = v, u
		}
		if share > h.Share {
			h.Share, h.Words = share, count
		}
	}
	h.Score = r.w.passage * top
	if at == 0 {
		if len(r.spans) > 0 {
			h.To = r.spans[0].to
		}
		return h, nil
	}
	best := -1.0
	for u := at; u < min(at+r.w.window, n); u++ {
		if v, _, _ := score(u, u+1); v > best {
			best, h.From, h.To = v, r.spans[u-1].from, r.spans[u-1].to
		}
	}
	return h, nil
}

// count counts each term in each of a record's n units. Unit 0 is the title.
func (r *reader) count(seg, doc, n int, terms []term) (err error) {
	r.counts = slices.Grow(r.counts[:0], n*len(terms))[:n*len(terms)]
	r.some = slices.Grow(r.some[:0], n)[:n]
	clear(r.counts)
	clear(r.some)
	for i := range terms {
		u := &terms[i].uses[seg]
		at, ok := slices.BinarySearchFunc(u.places, uint32(doc),
			func(p place, doc uint32) int { return cmp.Compare(p.doc, doc) })
		if !ok {
			continue
		}
		b := u.list[u.places[at].at:]
		for unit, last := 0, false; !last; {
			var count int
			if unit, count, last, b, err = entry(b, unit); err != nil {
				return err
			}
			if unit < n {
				r.counts[unit*len(terms)+i] = count
				r.some[unit] = true
			}
		}
	}
	return nil
}

// score returns the score of the counted record's units from from to before to, the share of the query's weight that
// these units and the title have, and how many of the query's words.
func (r *reader) score(from, to int, terms []term, asked, wide float64) (score, share float64, count int) {
	title := r.counts[:len(terms)]
	length, any := 0.0, false
	for u := from; u < to; u++ {
		any = any || r.some[u]
		if u > 0 {
			length += float64(r.spans[u-1].tokens)
		}
	}
	if !any {
		return 0, 0, 0
	}
	var missing uint64 // which of the first 64 quotations lack a word
	for i := range terms {
		t, tf := &terms[i], 0
		for u := from; u < to; u++ {
			tf += r.counts[u*len(terms)+i]
		}
		if tf > 0 {
			score += t.grain * t.times * r.w.saturate(float64(tf), length, wide)
		}
		if tf > 0 || title[i] > 0 {
			share += t.weight
			if !t.part {
				count++
			}
		}
		if tf == 0 {
			for _, q := range t.phrases {
				missing |= 1 << min(q, 63)
			}
		}
	}
	for i := range terms {
		for _, q := range terms[i].phrases {
			if missing&(1<<min(q, 63)) == 0 {
				score += r.w.phrase * terms[i].grain
			}
		}
	}
	return score, share / max(asked, 1e-9), count
}
