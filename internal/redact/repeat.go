package redact

import (
	"slices"
	"strings"
)

// A judgement looks at most lookBehind bytes back and lookAhead bytes ahead. When a text repeats itself with a period
// of at most maxPeriod bytes, each repeat within these bounds has the same judgement.
const (
	maxPeriod  = 4 << 10
	lookBehind = 1 << 10
	lookAhead  = maxKey + 2*maxPeriod
	minStretch = lookBehind + lookAhead + 2*maxPeriod
)

// repeats finds stretches of a text that repeat themselves, such as a pasted table or a log that is stuck. Each repeat
// need not be judged again.
type repeats struct {
	check       int // where to look next
	period, end int // s[k] == s[k+period] as far as end; 0 outside a stretch
	anchored    bool
	anchor      int // where a cycle may begin; what was known and found there
	known       string
	found       int
}

// skip returns where to continue from i. In a repeating stretch that is behind the repeats, and skip adds their secrets
// to out.
func (m *matcher) skip(i int, out []span) (int, []span) {
	r := &m.repeats
	if r.period == 0 {
		if r.period, r.end = period(m.s, i); r.period == 0 {
			r.check = i + 2*maxPeriod
			return i, out
		}
		r.anchored, r.check = false, i+lookBehind
		return i, out
	}
	last := r.end - lookAhead
	cycle := i - r.anchor
	switch {
	case i >= last:
		r.period, r.check = 0, r.end
	case !r.anchored || cycle > 4*r.period:
		r.anchored, r.anchor, r.known, r.found, r.check = true, i, m.flags, len(out), i+1
	case cycle%r.period == 0 && m.flags == r.known:
		times := (last - i) / cycle
		// A secret's end must lie within the bounds too: something in each repeat has to end the longest scan.
		if found := out[r.found:]; len(found) == 0 || strings.ContainsAny(m.s[r.anchor:i], " \t\n\",;'=") {
			out = slices.Grow(out, times*len(found))
			for k := 1; k <= times; k++ {
				for _, f := range found {
					out = append(out, span{f.start + k*cycle, f.end + k*cycle, f.kind})
				}
			}
			i += times * cycle
		}
		r.period, r.check = 0, r.end
	}
	return i, out
}

// period returns the period with which s repeats itself from i on, and where the repeats end. It returns 0 when they
// are too short.
func period(s string, i int) (period, end int) {
	const probe = 64
	if len(s)-i < minStretch {
		return 0, 0
	}
	period = strings.Index(s[i+1:i+maxPeriod+probe], s[i:i+probe]) + 1
	if period == 0 {
		return 0, 0
	}
	for end = i + period; end < len(s) && s[end] == s[end-period]; {
		const block = 4 << 10
		for end+block <= len(s) && s[end:end+block] == s[end-period:end-period+block] {
			end += block
		}
		for k := 0; k < block && end < len(s) && s[end] == s[end-period]; k++ {
			end++
		}
	}
	if end-i < minStretch {
		return 0, 0
	}
	return period, end
}
