package search

import (
	"cmp"
	"math"
	"slices"
)

// The weights of the ranking. docs/search.md says how they were chosen.
const (
	k1     = 1.2  // BM25: how soon more occurrences of a word add nothing
	length = 0.75 // BM25: how much the length of a text counts against it
	// turnLength is length for turns, which are short or long by habit more than by content. What a turn has beyond
	// longTurn times the mean counts with length: a plan or a log that somebody pasted has every word.
	turnLength = 0.3
	longTurn   = 2.5
	// window is the number of units in a passage, and passageWeight the weight of the best one beside the whole record.
	window        = 3
	passageWeight = 0.75
	// grain is the weight of a word's rarity among units beside its rarity among records, in a passage. A word that all
	// records have, such as a name, can still tell passages apart.
	grain    = 0.4
	heading  = 2   // how many times a word of the title or of a tag counts
	context  = 0.4 // the weight of the turns around a turn, in the same session, and of the session's best turn
	compound = 0.5 // the weight of a compound beside its parts, which count too
)

// Bounds, so that no query takes long.
const (
	maxQuery  = 16 << 10 // bytes; of a longer query the first and the last half of them
	maxTerms  = 48       // the rarest terms
	maxPassed = 200      // the best records by their whole text, whose passages are scored
	maxShared = 32       // the same with Keep.Share
)

// A Hit's Share is computed as if there were at least few records. With three records alone, a word that one of them
// has would count next to nothing. The weight of a word that no record has is multiplied by unknown: the word is about
// something else, or about nothing ("once more").
const (
	few     = 20
	unknown = 0.5
)

// term is one word of the query.
type term struct {
	hash   uint64
	times  float64   // how often the query has it, at most 3
	part   bool      // see word
	places [][]place // by segment
	// By type, see types:
	idf    [numTypes]float64 // its rarity among the documents of the inquiry's sums
	weight [numTypes]float64 // for Share: its rarity among all documents
	have   [numTypes]int     // how many documents have it
	grain  [numTypes]float64 // its rarity among the documents of the sums and their units
}

// place says how often a live document has a term, an occurrence in the title counted as heading says.
type place struct {
	doc   uint32
	count float32
}

// parse returns the terms of q, each once: without stopwords, unless q has nothing else.
func parse(q string) (terms []term) {
	if len(q) > maxQuery {
		q = q[:maxQuery/2] + "\n" + q[len(q)-maxQuery/2:]
	}
	for _, stops := range [...]bool{false, true} {
		at := map[uint64]int{}
		words(q, true, func(w word) {
			if !stops && stop(string(w.raw)) {
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
		})
		if len(terms) > 0 {
			break
		}
	}
	return terms
}

// Query returns the documents that best answer q, best first, at most limit, of those that keep selects. Any text is a
// query, without operators. After ErrCorrupt the caller drops the index and builds it again.
func (x *Index) Query(q string, keep Keep, limit int) ([]Hit, error) {
	s := inquiry{segments: x.segments, terms: parse(q), keep: keep}
	if len(s.terms) == 0 || limit <= 0 {
		return nil, nil
	}
	return s.answer(limit)
}

// inquiry is one query that is being answered.
type inquiry struct {
	segments []*segment
	terms    []term
	keep     Keep

	ranked [][]bool // by segment and facet whether its documents are in sums
	sums   [numTypes]sums
	all    [numTypes]float64 // how many live documents there are
	asked  [numTypes]float64 // the weight of all terms
}

// sums are sums over live documents of a type.
type sums struct{ docs, units, tokens float64 }

// add adds a document.
func (s *sums) add(units, tokens int) {
	s.docs, s.units, s.tokens = s.docs+1, s.units+float64(units), s.tokens+float64(tokens)
}

// long returns the mean number of tokens of a document.
func (s sums) long() float64 { return max(s.tokens/max(s.docs, 1), 1) }

// wide returns the mean number of tokens of so many units.
func (s sums) wide(units int) float64 { return max(s.tokens/max(s.units, 1), 1) * float64(units) }

// answer returns the best hits. Errors: ErrCorrupt, the disk's.
func (s *inquiry) answer(limit int) (hits []Hit, err error) {
	defer rescue(&err)
	s.count()
	s.leaveRarest()
	for i := range s.terms {
		t := &s.terms[i]
		if s.weigh(t); t.part {
			t.times *= compound
		}
		for typ := range s.asked {
			s.asked[typ] += t.weight[typ]
		}
	}
	most := maxPassed
	if s.keep.Share > 0 {
		most = maxShared
	}
	return s.rank(s.best(max(most, limit)), limit), nil
}

// leaveRarest leaves the maxTerms rarest terms of a longer query: those with the shortest lists.
func (s *inquiry) leaveRarest() {
	if len(s.terms) <= maxTerms {
		return
	}
	long := map[uint64]int{}
	for _, t := range s.terms {
		for _, g := range s.segments {
			from, to := g.listAt(t.hash)
			long[t.hash] += to - from
		}
	}
	s.terms = slices.DeleteFunc(s.terms, func(t term) bool { return long[t.hash] == 0 })
	slices.SortStableFunc(s.terms, func(a, b term) int { return cmp.Compare(long[a.hash], long[b.hash]) })
	s.terms = s.terms[:min(len(s.terms), maxTerms)]
}

// rank returns the hits of the candidates, at most limit, ordered by whole text and best passage.
func (s *inquiry) rank(best []candidate, limit int) (out []Hit) {
	r, counts := reader{inquiry: s}, s.countUnits(best)
	hits := make([]Hit, len(best))
	var order []int
	for i, f := range best {
		hits[i] = r.passage(f, counts[i])
		hits[i].Score += f.score
		if hits[i].Share >= s.keep.Share {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(best[a].last, best[b].last), cmp.Compare(hits[b].Score, hits[a].Score))
	})
	for _, i := range order[:min(len(order), limit)] {
		hits[i].Meta = s.segments[best[i].seg].info(best[i].doc)
		out = append(out, hits[i])
	}
	return out
}

// count leaves out the segments without a document of a type that keep selects, and sums up the others. The sums are
// over the selected documents, so that a project ranks the same whatever other projects there are.
func (s *inquiry) count() {
	var asked [numTypes]bool
	for _, g := range s.segments {
		for i, yes := range g.facetsThat(s.keep.Among) {
			asked[g.types[i]] = asked[g.types[i]] || yes
		}
	}
	s.segments = slices.DeleteFunc(slices.Clone(s.segments), func(g *segment) bool {
		return !slices.ContainsFunc(g.types, func(typ uint8) bool { return asked[typ] })
	})
	for _, g := range s.segments {
		g.load(headRows)
		ranked := g.facetsThat(s.ranks)
		s.ranked = append(s.ranked, ranked)
		for i := range g.ndocs {
			facet := g.facetOf(i)
			if typ := g.types[facet]; g.live(i) {
				if s.all[typ]++; ranked[facet] {
					s.sums[typ].add(g.units(i), g.tokens(i))
				}
			}
		}
	}
}

// ranks reports whether documents with this Meta are in the sums: those that keep.Among selects and, beside a prompt,
// its answer, which counts for it as what stands around it; the other way round too.
func (s *inquiry) ranks(m Meta) bool {
	if s.keep.Among == nil || s.keep.Among(m) {
		return true
	}
	switch m.Type {
	case Said:
		m.Type = Answer
	case Answer:
		m.Type = Said
	default:
		return false
	}
	return s.keep.Among(m)
}

// weigh finds the documents with a term, and sets its weights. Decoding each list once is most of a query's time.
func (s *inquiry) weigh(t *term) {
	var have, in [numTypes]int // of the documents of the sums, and their units
	t.places = make([][]place, len(s.segments))
	for n, g := range s.segments {
		list := g.list(t.hash)
		var typ uint8
		isRanked, ranked, places := false, s.ranked[n], make([]place, 0, min(len(list)/2, g.ndocs))
		c, p := cursor{b: list}, posting{doc: -1}
		for c.more() { // without a call for each posting: this is most of the time of a query
			if p.next(&c); !g.live(p.doc) {
				continue
			}
			if p.first {
				facet := g.facetOf(p.doc)
				typ, isRanked = g.types[facet], ranked[facet]
				if t.have[typ]++; isRanked {
					have[typ]++
				}
				places = append(places, place{doc: uint32(p.doc)})
			}
			if isRanked {
				in[typ]++
			}
			count := float32(p.count)
			if p.unit == 0 {
				count *= heading
			}
			places[len(places)-1].count += count
		}
		t.places[n] = places
	}
	for typ, sum := range s.sums {
		t.idf[typ] = rarity(sum.docs, have[typ])
		t.weight[typ] = rarity(max(s.all[typ], few), t.have[typ])
		if t.have[typ] == 0 {
			t.weight[typ] *= unknown
		}
		t.grain[typ] = t.idf[typ] + grain*rarity(max(sum.units, float64(in[typ])), in[typ])
	}
}

// rarity returns the weight of a term that have of all texts have.
func rarity(all float64, have int) float64 {
	return math.Log(1 + (max(all-float64(have), 0)+.5)/(float64(have)+.5))
}

// candidate is a document with words of the query.
type candidate struct {
	seg, doc int
	score    float64
	last     int // 1 for Keep.Last
}

// compare orders candidates, the best first, and of equal ones the latest.
func (s *inquiry) compare(a, b candidate) int {
	if c := cmp.Or(cmp.Compare(a.last, b.last), cmp.Compare(b.score, a.score)); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(s.segments[b.seg].updated(b.doc), s.segments[a.seg].updated(a.doc)),
		cmp.Compare(a.seg, b.seg), cmp.Compare(a.doc, b.doc))
}

// best returns the documents that keep selects with the best scores of their whole text, best first, at most most. Few
// documents enter it, so it neither sorts all nor asks keep about all.
func (s *inquiry) best(most int) (best []candidate) {
	for n, g := range s.segments {
		among, last := g.facetsThat(s.keep.Among), make([]int, len(g.facets))
		for i, f := range g.facets {
			if s.keep.Last != nil && s.keep.Last(f.meta()) {
				last[i] = 1
			}
		}
		if s.keep.Each != nil { // it may ask for most documents
			g.load(docTexts, nameTexts)
		}
		for doc, score := range s.scores(n) {
			if score <= 0 || len(best) == most && score < best[most-1].score && best[most-1].last == 0 {
				continue
			}
			f := candidate{n, doc, score, last[g.facetOf(doc)]}
			if len(best) == most && s.compare(f, best[most-1]) > 0 || !among[g.facetOf(doc)] || !s.keeps(g, doc) {
				continue
			}
			if len(best) == most {
				best = best[:most-1]
			}
			at, _ := slices.BinarySearchFunc(best, f, s.compare)
			best = slices.Insert(best, at, f)
		}
	}
	return best
}

// keeps reports whether keep selects document i, whose facet it selects.
func (s *inquiry) keeps(g *segment, i int) bool {
	return (s.keep.Since == 0 || g.updated(i) >= s.keep.Since) && (s.keep.Each == nil || s.keep.Each(g.info(i)))
}

// scores returns the score of the whole text of each document of a segment.
func (s *inquiry) scores(n int) (scores []float64) {
	g := s.segments[n]
	scores = make([]float64, g.ndocs)
	var long [numTypes]float64
	for typ, sum := range s.sums {
		long[typ] = sum.long()
	}
	for i := range s.terms {
		t := &s.terms[i]
		for _, p := range t.places[n] {
			typ := g.typeOf(int(p.doc))
			length := float64(g.tokens(int(p.doc)))
			scores[p.doc] += t.idf[typ] * t.times * saturate(float64(p.count), length, long[typ], typ)
		}
	}
	s.addContext(g, scores)
	return scores
}

// addContext adds to the score of each turn a part of the scores around it: of the documents before and after it in its
// session, of the next ones half of that, and of the session's best one. An answer seldom repeats the words of its
// question, and a session has one subject.
func (s *inquiry) addContext(g *segment, scores []float64) {
	if !slices.ContainsFunc(g.types, isTurn) {
		return
	}
	g.load(groupRows)
	for n := range g.ngroups {
		one := g.group(n)
		if ours := scores[one.first:one.last]; len(ours) > 0 && slices.Max(ours) > 0 {
			s.addSession(ours, slices.Max(ours))
		}
	}
}

// addSession is addContext for one session. top is its best score.
func (s *inquiry) addSession(scores []float64, top float64) {
	before, second := 0.0, 0.0 // the scores of the documents before, without context
	for i, own := range scores {
		around := before + second/2 + top
		if i+1 < len(scores) {
			around += scores[i+1]
		}
		if i+2 < len(scores) {
			around += scores[i+2] / 2
		}
		if own > 0 {
			scores[i] += context * around
		}
		before, second = own, before
	}
}

// saturate returns the BM25 value of a term that a text of so many tokens, in a document of this type, has tf times.
func saturate(tf, tokens, average float64, typ uint8) float64 {
	ratio := tokens / average
	norm := 1 - length + length*ratio
	if isTurn(typ) {
		norm = 1 - turnLength + turnLength*min(ratio, longTurn) + length*max(ratio-longTurn, 0)
	}
	return tf * (k1 + 1) / (tf + k1*norm)
}

// reader finds the best passage of one document after the other. It uses its memory again.
type reader struct {
	*inquiry
	typ    uint8 // of the document
	spans  []span
	counts []int  // how often each unit has each term
	some   []bool // whether a unit has any term
}

// span is one unit of a body.
type span struct{ tokens, from, to int }

// passage returns a Hit with the score of the document's best window of units, the offsets of the best unit there, and
// how much of the query that window or the title has.
func (r *reader) passage(f candidate, counts []unitCount) (h Hit) {
	r.typ = r.segments[f.seg].typeOf(f.doc)
	r.take(f, counts)
	n := len(r.some)
	title := r.counts[:len(r.terms)]
	for i := range r.terms {
		if r.terms[i].part {
			continue
		}
		if h.Asked++; title[i] > 0 {
			h.Titled++
		}
	}
	if r.some[0] {
		_, h.Share, h.Words = r.score(0, 1)
	}
	top, at := 0.0, 0
	for u := 1; u < n; u++ {
		v, share, count := r.score(u, min(u+window, n))
		if v > top {
			top, at = v, u
		}
		if share > h.Share {
			h.Share, h.Words = share, count
		}
	}
	h.Score = passageWeight * top
	if at == 0 {
		if n > 1 {
			h.To = r.spans[1].to
		}
		return h
	}
	best := -1.0
	for u := at; u < min(at+window, n); u++ {
		if v, _, _ := r.score(u, u+1); v > best {
			best, h.From, h.To = v, r.spans[u].from, r.spans[u].to
		}
	}
	return h
}

// unitCount says how often a unit of a document has the term of this number.
type unitCount struct{ unit, term, count int }

// countUnits returns, for each candidate, how often its units have each term.
func (s *inquiry) countUnits(best []candidate) [][]unitCount {
	out, order := make([][]unitCount, len(best)), make([]int, len(best))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(best[a].doc, best[b].doc) })
	for n, g := range s.segments {
		ours := slices.DeleteFunc(slices.Clone(order), func(i int) bool { return best[i].seg != n })
		for i, t := range s.terms {
			if len(ours) == 0 || len(t.places[n]) == 0 {
				continue
			}
			next, c, p := 0, cursor{b: g.list(t.hash)}, posting{doc: -1}
			for c.more() && next < len(ours) {
				p.next(&c)
				for next < len(ours) && best[ours[next]].doc < p.doc {
					next++
				}
				if next < len(ours) && best[ours[next]].doc == p.doc {
					out[ours[next]] = append(out[ours[next]], unitCount{p.unit, i, p.count})
				}
			}
		}
	}
	return out
}

// take reads a document's units, of which counts says what they have. Unit 0 is the title.
func (r *reader) take(f candidate, counts []unitCount) {
	r.spans = r.spans[:0]
	at, c := 0, cursor{b: r.segments[f.seg].text(f.doc)}
	for c.skipTo(&Meta{}); c.more() || len(r.spans) == 0; {
		tokens, size := c.small(), c.small()
		r.spans = append(r.spans, span{tokens, at, at + size})
		at += size
	}
	all, n := len(r.terms), len(r.spans)
	r.counts, r.some = slices.Grow(r.counts[:0], n*all)[:n*all], slices.Grow(r.some[:0], n)[:n]
	clear(r.counts)
	clear(r.some)
	for _, u := range counts {
		r.counts[u.unit*all+u.term], r.some[u.unit] = u.count, true
	}
}

// score returns the score of the counted document's units from from to before to, the share of the query's weight that
// these units and the title have, and how many of the query's words.
func (r *reader) score(from, to int) (score, share float64, count int) {
	title := r.counts[:len(r.terms)]
	length, any := 0.0, false
	for u := from; u < to; u++ {
		any = any || r.some[u]
		if u > 0 {
			length += float64(r.spans[u].tokens)
		}
	}
	if !any {
		return 0, 0, 0
	}
	wide := r.sums[r.typ].wide(window)
	for i := range r.terms {
		t, tf := &r.terms[i], 0
		for u := from; u < to; u++ {
			tf += r.counts[u*len(r.terms)+i]
		}
		if tf > 0 {
			score += t.grain[r.typ] * t.times * saturate(float64(tf), length, wide, r.typ)
		}
		if tf > 0 || title[i] > 0 {
			share += t.weight[r.typ]
			if !t.part {
				count++
			}
		}
	}
	return score, share / max(r.inquiry.asked[r.typ], 1e-9), count
}
