package block

import (
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/text"
)

// quoter quotes the user's words and remembers when each was said.
type quoter struct {
	newest time.Time
	at     map[string]time.Time
	tied   map[string][]journal.Saying // see Words.Tied
	parts  map[string][]string         // by a quotation of several sentences, those of each
}

// dayMark stands before the quotations of an earlier day: they were said on or before it.
const dayMark = "by 2006-01-02: "

// quoterOf returns a quoter for the journal's sayings and more.
func quoterOf(j *journal.Journal, more *Words) quoter {
	q := quoter{at: map[string]time.Time{}, parts: map[string][]string{}}
	lists := [][]journal.Saying{j.Said}
	if more != nil {
		q.tied = more.Tied
		lists = append(lists, more.Rules, more.Leans, more.Asks, more.Tells, more.Talk, more.Pasted)
	}
	for _, list := range lists {
		for _, s := range list {
			if at := saidAt(s); at.After(q.newest) {
				q.newest = at
			}
		}
	}
	return q
}

// saidAt returns the time of s in local time, the zero time when s has none.
func saidAt(s journal.Saying) time.Time {
	at, err := time.Parse(time.RFC3339, s.TS)
	if err != nil {
		return time.Time{}
	}
	return at.Local()
}

// quote returns s in quotation marks, with the question that it answers, and behind it what is tied to it.
func (q quoter) quote(s journal.Saying) string {
	out := q.alone(s)
	parts := []string{out}
	for _, earlier := range q.tied[s.Text] {
		parts = append(parts, q.alone(earlier))
	}
	if len(parts) > 1 {
		out = strings.Join(parts, quoteMark)
		q.at[out], q.parts[out] = saidAt(s), parts
	}
	return out
}

// alone is quote without what is tied to s.
func (q quoter) alone(s journal.Saying) string {
	out := text.Quote(s.Text)
	if s.Asked != "" {
		asked, _ := text.Cut(s.Asked, journal.MaxAsked)
		out += " (asked: " + text.Quote(asked) + ")"
	}
	q.at[out] = saidAt(s)
	return out
}

// untied returns the first of several quotations that are tied.
func untied(quotes string) (first string, ok bool) {
	const between = `"` + quoteMark + `"` // no quotation holds a straight quote
	first, _, ok = strings.Cut(quotes, between)
	return first + `"`, ok
}

// first is quote for the saying that stands before all others, whenever it was said.
func (q quoter) first(s journal.Saying) string {
	out := text.Quote(s.Text)
	q.at[out] = q.newest
	return out
}

func (q quoter) all(said []journal.Saying) []string {
	var out []string
	for _, s := range said {
		out = append(out, q.quote(s))
	}
	return out
}

// older reports whether quote is of an earlier day than the newest quotation, or tied to one.
func (q quoter) older(quote string) bool {
	at := q.at[quote]
	return !at.IsZero() && at.Format(dayMark) != q.newest.Format(dayMark) ||
		slices.ContainsFunc(q.parts[quote], func(part string) bool { return part != quote && q.older(part) })
}

// sort sorts quotes, newest first. Quotations of one message stay in their order.
func (q quoter) sort(quotes []string) {
	slices.SortStableFunc(quotes, func(a, b string) int { return q.at[b].Compare(q.at[a]) })
}

// reserve keeps room in p for one dayMark when a quotation needs it, and returns that room.
func (q quoter) reserve(p *packer, quotes ...[]string) (quarters int) {
	if slices.ContainsFunc(slices.Concat(quotes...), q.older) {
		quarters = text.Quarters(dayMark)
	}
	p.left -= quarters
	return quarters
}

// days sorts quotes, newest first, and puts the day before quotations of another day as far as p has room. Of two
// sentences that contradict each other the later one counts, so a reader must see which is later. What is tied stays
// together, each sentence a quotation of its own.
func (q quoter) days(p *packer, quotes []string) (out []string) {
	q.sort(quotes)
	for _, quote := range quotes {
		if parts := q.parts[quote]; parts != nil {
			out = append(out, parts...)
		} else {
			out = append(out, quote)
		}
	}
	p.floor = 0
	shown := q.newest.Format(dayMark)
	for i, quote := range out {
		if at := q.at[quote]; !at.IsZero() && at.Format(dayMark) != shown {
			day := at.Format(dayMark)
			if !p.take(day) {
				break
			}
			out[i], shown = day+quote, day
		}
	}
	return out
}

// said returns the label for a line with this quotation alone.
func (q quoter) said(quote string) string {
	if q.older(quote) {
		return "The user said on " + q.at[quote].Format(time.DateOnly) + ": "
	}
	return "The user said: "
}

// undated returns a quotation without its dayMark.
func undated(quote string) string {
	if len(quote) > len(dayMark) {
		if _, err := time.Parse(dayMark, quote[:len(dayMark)]); err == nil {
			return quote[len(dayMark):]
		}
	}
	return quote
}
