package block

import (
	"slices"
	"time"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/text"
)

// quoterOf quotes what the user said, and remembers when each was said.
type quoter struct {
	newest time.Time
	at     map[string]time.Time
}

// dayMark stands before quotations of an earlier day than those before them, which were said by then.
const dayMark = "by 2006-01-02: "

// quoterOf returns the quoter for the journal's words and more.
func quoterOf(j *journal.Journal, more *Words) quoter {
	q := quoter{at: map[string]time.Time{}}
	lists := [][]journal.Saying{j.Said}
	if more != nil {
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

// saidAt is when it was said, in local time; the zero time when that is not known.
func saidAt(s journal.Saying) time.Time {
	at, err := time.Parse(time.RFC3339, s.TS)
	if err != nil {
		return time.Time{}
	}
	return at.Local()
}

// quote is what was said in quotation marks; an answer says very little without its question.
func (q quoter) quote(s journal.Saying) string {
	at, out := saidAt(s), text.Quote(s.Text)
	if s.Asked != "" {
		asked, _ := text.Cut(s.Asked, journal.MaxAsked)
		out += " (asked: " + text.Quote(asked) + ")"
	}
	q.at[out] = at
	return out
}

// first is quote for what stands before everything else, whenever it was said.
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

// older reports whether the quotation was said on an earlier day than the newest.
func (q quoter) older(quote string) bool {
	at := q.at[quote]
	return !at.IsZero() && at.Format(dayMark) != q.newest.Format(dayMark)
}

// sort puts the newest quotation first; those of one message stay in their order.
func (q quoter) sort(quotes []string) {
	slices.SortStableFunc(quotes, func(a, b string) int { return q.at[b].Compare(q.at[a]) })
}

// reserve keeps room in p for one mark of a day, where one of the quotations needs it.
func (q quoter) reserve(p *packer, quotes ...[]string) (quarters int) {
	if slices.ContainsFunc(slices.Concat(quotes...), q.older) {
		quarters = text.Quarters(dayMark)
	}
	p.left -= quarters
	return quarters
}

// days puts the newest quotation first and, as far as p has room, before what was said on an earlier day that day: of
// two sentences that contradict each other the later one counts.
func (q quoter) days(p *packer, quotes []string) {
	q.sort(quotes)
	p.floor = 0
	shown := q.newest.Format(dayMark)
	for i, quote := range quotes {
		if day := q.at[quote].Format(dayMark); q.older(quote) && day != shown {
			if !p.take(day) {
				return
			}
			quotes[i], shown = day+quote, day
		}
	}
}

// said is the label of a line with this quotation alone.
func (q quoter) said(quote string) string {
	if q.older(quote) {
		return "The user said on " + q.at[quote].Format(time.DateOnly) + ": "
	}
	return "The user said: "
}

// undated is a quotation without the mark of its day.
func undated(quote string) string {
	if len(quote) > len(dayMark) {
		if _, err := time.Parse(dayMark, quote[:len(dayMark)]); err == nil {
			return quote[len(dayMark):]
		}
	}
	return quote
}
