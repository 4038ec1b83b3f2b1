package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// weights say how a record is scored; docs/search.md says what was tried, and what of it was fitted to anything.
type weights struct {
	k1 float64 // how soon more of one word helps no more
	b  float64 // how much a long text counts less
	// window is how many units are a passage, and passage what the best one counts beside the whole record.
	window  int
	passage float64
	// grain is what the rarity of a word among units counts beside its rarity among records, in a passage: what all
	// records have, as the name of somebody who is in each, still tells passages apart.
	grain float64
	// phrase is what the words of a quotation count once more when one passage has them all.
	phrase  float64
	heading float64 // how many times a word of the title or of a tag counts
}

var standard = weights{k1: 1.2, b: 0.75, window: 3, passage: 0.75, grain: 0.4, phrase: 0.5, heading: 2}

// Bounds, so that no query takes long.
const (
	maxQuery  = 16 << 10 // bytes: of a longer query the first and the last half of that
	maxTerms  = 48       // the rarest
	maxPassed = 200      // records whose passages are looked at: the best by the whole
)

// How much of a query one record holds is judged as if there were few records at least: of three alone, a word that one
// has would count next to nothing. A word that none has counts by unknown: it is about something else, or about nothing
// ("once more").
const (
	few     = 20
	unknown = 0.5
)

// testOnlyNoStop keeps the stopwords of a query, to measure what leaving them out is worth.
var testOnlyNoStop bool

// term is one word of the query.
type term struct {
	hash    uint64
	times   float64
	part    bool
	phrases []int
	idf     float64 // among records
	weight  float64 // its part in what the query asks for
	grain   float64 // among passages
	uses    [2]uses // by segment
}

// uses is where a term stands in a segment.
type uses struct {
	list   []byte
	places []place
}

// place is a record that has the term. There may be many: it is small.
type place struct {
	doc   uint32
	at    uint32  // where in the list its entries begin
	count float32 // how often, the heading weighted: a whole number, or half of one
}

// parse returns the terms of q, each once, with the quotations it stands in.
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

// Query returns the records that best answer q, at most limit, best first, of those that keep lets pass.
// Any text is a query: operators and quotes are words like others, but that words inside double quotes
// count more where they stand together. On ErrCorrupt the index is to be dropped and built again.
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
	long := max(tokens/docs, 1)                              // of a record
	wide := max(tokens/max(units, 1), 1) * float64(w.window) // of a passage
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
		if out[i].Meta, err = x.segments[f.seg].stamped(f.doc); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// size returns how many records the index holds, and how many units and tokens these have. Errors: ErrCorrupt, or what
// the disk said.
func (x *Index) size() (docs, units, tokens float64, err error) {
	for _, s := range x.segments {
		if err := s.loadMarks(); err != nil {
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

// weigh finds where a term stands, and sets what it is worth among so many records and units.
func (x *Index) weigh(t *term, docs, units float64, w *weights) error {
	have, in := 0, 0
	for n, s := range x.segments {
		n1, n2, err := t.uses[n].look(s, t.hash, w)
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

// look finds where the term stands in s, and returns in how many records and units. Errors: ErrCorrupt, or what the
// disk said.
func (u *uses) look(s *segment, hash uint64, w *weights) (have, in int, err error) {
	if u.list, err = s.list(hash); err != nil || u.list == nil {
		return 0, 0, err
	}
	u.places = make([]place, 0, min(len(u.list)/2, s.ndocs)) // two bytes each, at least
	for b, doc := u.list, -1; len(b) > 0; {
		if doc, b, err = posting(b, doc, s.ndocs); err != nil {
			return 0, 0, err
		}
		p := place{doc: uint32(doc), at: uint32(len(u.list) - len(b))}
		n, sum, head := 0, 0, 0
		for unit, last := 0, false; !last; n++ {
			count := 1
			// entry, for what it most often is: a call would cost as much again
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

// candidate is a record that has words of the query.
type candidate struct {
	seg, doc int
	score    float64
	last     bool // see Keep.Last
}

// compareBool orders what is not before what is.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// best returns the records that keep lets pass that score best by the whole, at most most, best first. long is how many
// tokens a record has on the mean. Errors: ErrCorrupt, or what the disk said.
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
	for n, s := range x.segments { // few of many get in, so that no sort of all is needed and keep is asked of few
		among := s.among(keep)
		last := make([]bool, len(s.facets))
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

func (w *weights) saturate(tf, length, average float64) float64 {
	return tf * (w.k1 + 1) / (tf + w.k1*(1-w.b+w.b*length/average))
}

// reader finds the best passage of one record after the other, its memory used again.
type reader struct {
	w      *weights
	spans  []span
	counts []int // of each term in each unit
	some   []bool
}

// passage returns what the best window of units of a record counts, where its best unit stands, and how much of the
// query is there or in the title. Errors: ErrCorrupt, or what the disk said.
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

// count notes for each unit of a record, the title being the first of n, how often each term stands in it.
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

// score says what the units of the counted record from one to before another are worth, which share of the weight of
// all that was asked for stands there or in the title, and how many of its words.
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
	var missing uint64 // quotations that lack a word, of the first 64
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
