package search

import (
	"cmp"
	"math"
	"slices"
)

// An inquiry with Keep.Share wants few documents: those that have most of the query's weight. So it reads the lists of
// the rarest terms first, and of the others only what concerns the documents that may still have enough.

// Bounds of such an inquiry. When the rarest words of a query are in more than maxCommon documents together, or more
// than maxAlike documents have enough of its weight, the words do not tell which document is meant: then it finds none.
const (
	maxCommon = 1 << 15
	maxAlike  = 1 << 10
	maxShared = 32 // the best documents by their whole text, whose passages are scored
)

// count adds by type how many live documents and units of g have the term. Errors: ErrCorrupt, the disk's.
func (u *uses) count(g *segment, have, in *[numTypes]int) (err error) {
	only, sign := []uint32(nil), 1
	if u.table {
		for typ, c := range u.counts {
			have[typ], in[typ] = have[typ]+c.docs, in[typ]+c.units
		}
		if len(g.gone) == 0 {
			return nil
		}
		slices.Sort(g.gone)
		only, sign = g.gone, -1
	}
	var failed error
	err = u.each(only, func(doc int, entries []byte) {
		_, units, bad := countEntries(entries)
		if failed = cmp.Or(failed, bad, g.needHead(doc)); failed == nil && (sign < 0 || g.live(doc)) {
			typ := g.types[g.facetOf(doc)]
			have[typ], in[typ] = max(have[typ]+sign, 0), max(in[typ]+sign*units, 0)
		}
	})
	return cmp.Or(err, failed)
}

// fill finds the places of the term in the documents in only. Errors: ErrCorrupt.
func (u *uses) fill(only []uint32, w *weights) error {
	u.list, u.places = u.list[:0], u.places[:0]
	var failed error
	err := u.each(only, func(doc int, b []byte) {
		p, entries := place{doc: uint32(doc), at: uint32(len(u.list))}, b
		for unit, last := 0, false; !last; {
			var count int
			var bad error
			if unit, count, last, b, bad = entry(b, unit); bad != nil {
				failed = bad
				return
			}
			if unit == 0 {
				p.count += float32(float64(count) * w.heading)
			} else {
				p.count += float32(count)
			}
		}
		u.list, u.places = append(u.list, entries[:len(entries)-len(b)]...), append(u.places, p)
	})
	return cmp.Or(err, failed)
}

// fill finds the places of all terms in the documents in only, by segment, and reads the documents' heads. Errors:
// ErrCorrupt, the disk's.
func (s *inquiry) fill(only [][]uint32) error {
	for n, g := range s.segments {
		if err := g.needHeads(only[n]); err != nil {
			return err
		}
		for i := range s.terms {
			if err := s.terms[i].uses[n].fill(only[n], s.w); err != nil {
				return err
			}
		}
	}
	return nil
}

// bestSharing is best for an inquiry with Keep.Share. It counts the turns around a turn only for the best. Errors:
// ErrCorrupt, the disk's.
func (s *inquiry) bestSharing(limit int) ([]candidate, error) {
	only := make([][]uint32, len(s.segments))
	for n := range s.segments {
		var err error
		if only[n], err = s.sharing(n); err != nil {
			return nil, err
		}
	}
	if err := s.fill(only); err != nil {
		return nil, err
	}
	best, err := s.best(max(maxShared, limit), only)
	if err != nil || !slices.ContainsFunc(best, s.isTurn) {
		return best, err
	}
	for n := range only {
		only[n] = only[n][:0]
	}
	for _, f := range best {
		if only[f.seg], err = s.segments[f.seg].addSession(only[f.seg], f.doc); err != nil {
			return nil, err
		}
	}
	for n := range only {
		slices.Sort(only[n])
		only[n] = slices.Compact(only[n])
	}
	if err := s.fill(only); err != nil {
		return nil, err
	}
	for n := range only {
		scores, err := s.scores(n, only[n])
		if err != nil {
			return nil, err
		}
		for i, f := range best {
			if at, ok := slices.BinarySearch(only[n], uint32(f.doc)); ok && f.seg == n {
				best[i].score = scores[at]
			}
		}
	}
	slices.SortFunc(best, s.compare)
	return best, nil
}

// isTurn reports whether a candidate is a side of a turn.
func (s *inquiry) isTurn(f candidate) bool {
	g := s.segments[f.seg]
	return isTurn(g.types[g.facetOf(f.doc)])
}

// addSession adds to docs the documents of the session that doc belongs to, without the cover; of a record the record.
// Errors: ErrCorrupt, the disk's.
func (s *segment) addSession(docs []uint32, doc int) ([]uint32, error) {
	from, to := doc, doc+1
	for _, step := range [...]struct {
		end  *int
		next int
	}{{&from, -1}, {&to, 0}} {
		for i := *step.end + step.next; i >= 0 && i < s.ndocs; i = *step.end + step.next {
			if err := s.needHead(i); err != nil {
				return nil, err
			}
			if !isTurn(s.types[s.facetOf(i)]) {
				break
			}
			*step.end += 2*step.next + 1
		}
	}
	for i := from; i < to; i++ {
		docs = append(docs, uint32(i))
	}
	return docs, nil
}

// shared is a document, and the weight of the terms that it has.
type shared struct {
	doc uint32
	got float64
}

// sharing returns the documents of a segment that have at least Keep.Share of the query's weight, in one passage or
// not; some have a little less. Errors: ErrCorrupt.
func (s *inquiry) sharing(n int) (docs []uint32, err error) {
	docs = []uint32{} // nil stands for all
	g := s.segments[n]
	order, needs := s.needs()
	rest := 0.0
	for _, i := range order {
		rest += needs[i]
	}
	may := 1 - s.keep.Share + 1e-6 // how much of the weight a document may lack
	var all, more []shared
	lost, common := 0.0, 0 // the weight of the terms so far, and how many documents they have
	for _, i := range order {
		u, need := &s.terms[i].uses[n], needs[i]
		switch {
		case lost <= may: // a document without any of the terms so far may have enough
			if common += s.terms[i].docs(); common > maxCommon {
				return docs, nil
			}
			more = more[:0]
			err = u.each(nil, func(doc int, _ []byte) {
				if g.live(doc) {
					more = append(more, shared{uint32(doc), need})
				}
			})
			all = unite(all, more)
		case len(all) == 0 || !slices.ContainsFunc(all, func(d shared) bool { return lost+rest-d.got > may }):
			return alike(all, docs), nil // all of them have enough
		default:
			docs = docsOf(all, docs)
			at := 0
			err = u.each(docs, func(doc int, _ []byte) {
				for all[at].doc < uint32(doc) {
					at++
				}
				all[at].got += need
			})
		}
		if err != nil {
			return nil, err
		}
		lost, rest = lost+need, rest-need
		all = slices.DeleteFunc(all, func(d shared) bool { return lost-d.got > may })
	}
	return alike(all, docs), nil
}

// alike is docsOf that returns none for too many.
func alike(all []shared, docs []uint32) []uint32 {
	if len(all) > maxAlike {
		return docs[:0]
	}
	return docsOf(all, docs)
}

// docsOf returns the documents of all, in the memory of docs.
func docsOf(all []shared, docs []uint32) []uint32 {
	docs = docs[:0]
	for _, d := range all {
		docs = append(docs, d.doc)
	}
	return docs
}

// needs returns the terms, the rarest first, and for each term which part of the query's weight it is at least, for a
// document of any type.
func (s *inquiry) needs() (order []int, needs []float64) {
	needs = make([]float64, len(s.terms))
	var have [numTypes]int
	for i := range s.terms {
		order = append(order, i)
		for typ, n := range s.terms[i].have {
			have[typ] += n
		}
	}
	for i, t := range s.terms {
		needs[i] = math.Inf(1)
		for typ := range have {
			if have[typ] > 0 {
				needs[i] = min(needs[i], t.weight[typ]/max(s.asked[typ], 1e-9))
			}
		}
		if math.IsInf(needs[i], 1) { // no document has any term
			needs[i] = 1
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.terms[b].rare, s.terms[a].rare) })
	return order, needs
}

// unite returns the documents of a and b, which ascend.
func unite(a, b []shared) []shared {
	if len(a) == 0 {
		return slices.Clone(b)
	}
	out := make([]shared, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].doc < b[0].doc:
			out, a = append(out, a[0]), a[1:]
		case a[0].doc > b[0].doc:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, shared{a[0].doc, a[0].got + b[0].got})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}
