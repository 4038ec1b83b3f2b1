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

// How much of a query one record holds is judged as if there were few records at least: of three alone, a word that one has would
// count next to nothing. A word that none has counts by unknown: it is about something else, or about nothing ("once more").
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
	idf     float64    // among records
	weight  float64    // its part in what the query asks for
	grain   float64    // among passages
	lists   [2][]place // by segment
}

type place struct {
	doc   int
	count float64 // how often, the heading weighted
	units []byte
}

// parse returns the terms of q, each once, and how many quotations it has.
func parse(q string) (terms []term, quoted int) {
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
				if !stops && !testOnlyNoStop && stop(w.raw) {
					return
				}
				h := hash(w.text)
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
	return terms, quoted
}

// Query returns the records that best answer q, at most limit, best first; those for which keep returns false are left out.
// A nil keep keeps all. Any text is a query: operators and quotes are words like others, but that words inside double quotes
// count more where they stand together. On ErrCorrupt the index is to be dropped and built again.
func (x *Index) Query(q string, keep func(Meta) bool, limit int) ([]Hit, error) {
	return x.query(q, keep, limit, &standard)
}

func (x *Index) query(q string, keep func(Meta) bool, limit int, w *weights) ([]Hit, error) {
	terms, quoted := parse(q)
	if len(terms) == 0 || limit <= 0 || len(x.segments) == 0 {
		return nil, nil
	}
	docs, units, tokens := 0.0, 0.0, 0.0
	for _, s := range x.segments {
		docs += float64(len(s.rows))
		units += float64(s.nunits)
		tokens += float64(s.tokens)
		for i, dead := range s.dead {
			if dead {
				docs--
				units -= float64(s.rows[i].nunits)
				tokens -= float64(s.rows[i].tokens)
			}
		}
	}
	if docs <= 0 {
		return nil, nil
	}
	long := max(tokens/docs, 1)                              // of a record
	wide := max(tokens/max(units, 1), 1) * float64(w.window) // of a passage
	rarity := func(all, have float64) float64 { return math.Log(1 + (max(all-have, 0)+.5)/(have+.5)) }
	for i := range terms {
		t := &terms[i]
		have, in := 0.0, 0.0
		for n, s := range x.segments {
			list, err := s.list(t.hash)
			if err != nil {
				return nil, err
			}
			for prev := -1; len(list) > 0; {
				var p posting
				if p, list, err = next(list, prev, len(s.rows)); err != nil {
					return nil, err
				}
				prev = p.doc
				if s.dead != nil && s.dead[p.doc] {
					continue
				}
				have++
				tf := 0.0
				each(p.units, func(unit, count int) {
					in++
					if unit == 0 {
						tf += float64(count) * w.heading
					} else {
						tf += float64(count)
					}
				})
				t.lists[n] = append(t.lists[n], place{p.doc, tf, p.units})
			}
		}
		t.idf = rarity(docs, have)
		t.weight = rarity(max(docs, few), have)
		if have == 0 {
			t.weight *= unknown
		}
		t.grain = t.idf + w.grain*rarity(max(units, in), in)
	}
	if len(terms) > maxTerms {
		slices.SortStableFunc(terms, func(a, b term) int { return cmp.Compare(b.idf, a.idf) })
		known := slices.DeleteFunc(slices.Clone(terms), func(t term) bool { return t.lists[0] == nil && t.lists[1] == nil })
		terms = known[:min(len(known), maxTerms)]
	}
	asked := 0.0
	for _, t := range terms {
		asked += t.weight
	}

	type found struct {
		seg, doc int
		score    float64
	}
	order := func(a, b found) int {
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		return cmp.Compare(x.segments[a.seg].rows[a.doc].id, x.segments[b.seg].rows[b.doc].id)
	}
	var best []found // in order; few of many get in, so that no sort of all is needed and keep is asked of few
	most := max(maxPassed, limit)
	for n, s := range x.segments {
		scores := make([]float64, len(s.rows))
		for i := range terms {
			t := &terms[i]
			for _, p := range t.lists[n] {
				scores[p.doc] += t.idf * t.times * w.saturate(p.count, float64(s.rows[p.doc].tokens), long)
			}
		}
		for doc, score := range scores {
			f := found{n, doc, score}
			if score <= 0 || len(best) == most && order(f, best[most-1]) > 0 || keep != nil && !keep(s.info(doc)) {
				continue
			}
			if len(best) == most {
				best = best[:most-1]
			}
			at, _ := slices.BinarySearchFunc(best, f, order)
			best = slices.Insert(best, at, f)
		}
	}
	hits := make([]Hit, len(best))
	r := reader{w: w}
	for i, f := range best {
		hits[i] = r.passage(x.segments[f.seg], f.seg, f.doc, terms, quoted, asked, wide)
		hits[i].Meta = x.segments[f.seg].info(f.doc)
		hits[i].Score += f.score
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	return hits[:min(len(hits), limit)], nil
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

// passage returns what the best window of units of a record counts, where its best unit stands, and how much of the query
// is there or in the title.
func (r *reader) passage(s *segment, seg, doc int, terms []term, quoted int, asked, wide float64) (h Hit) {
	r.spans = s.spans(doc, r.spans)
	n := len(r.spans) + 1
	r.counts = slices.Grow(r.counts[:0], n*len(terms))[:n*len(terms)]
	r.some = slices.Grow(r.some[:0], n)[:n]
	clear(r.counts)
	clear(r.some)
	for i := range terms {
		list := terms[i].lists[seg]
		at, ok := slices.BinarySearchFunc(list, doc, func(p place, doc int) int { return cmp.Compare(p.doc, doc) })
		if !ok {
			continue
		}
		each(list[at].units, func(unit, count int) {
			if unit < n {
				r.counts[unit*len(terms)+i] = count
				r.some[unit] = true
			}
		})
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
	score := func(from, to int) (score, share float64, count int) {
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
		return h
	}
	best := -1.0
	for u := at; u < min(at+r.w.window, n); u++ {
		if v, _, _ := score(u, u+1); v > best {
			best, h.From, h.To = v, r.spans[u-1].from, r.spans[u-1].to
		}
	}
	return h
}
