package block

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/text"
)

// nowShare is how much of a block the last large request may take, as a part of the budget: in a script with one token
// for each character a long request would leave the rest no room.
const nowShare = 8

// now returns the beginning of the user's last large request, quoted, "" for none. It leaves the sentences that stand
// in it out of v.Said. At a first compaction, whose summary has the request, it counts only as the newest word on the
// work.
func (v *View) now() string {
	if v.Said == nil || v.Said.Now == "" || v.Early && v.Said.NowOld {
		return ""
	}
	words := fitting(v.Said.beginning(text.Line(v.Said.Now)), v.Budget*4/nowShare)
	v.Said = v.Said.besides(text.FoldLines(words))
	return text.Quote(words)
}

// beginning returns the beginning of a request, in whole sentences where one ends near journal.MaxWip, or where its
// first sentence is a rule, which the block shows whole in any case.
func (w *Words) beginning(request string) string {
	const near = 30
	for _, rule := range w.Rules {
		if rule := text.Line(rule.Text); len(rule) > journal.MaxWip && strings.HasPrefix(request, rule) {
			return rule
		}
	}
	words, isCut := text.Cut(request, journal.MaxWip)
	if at := strings.LastIndexAny(words, ".!?。！？"); isCut && text.Runes(words)-text.Runes(words[:max(at, 0)]) <= near {
		_, size := utf8.DecodeRuneInString(words[at:])
		words = words[:at+size]
	}
	return words
}

// besides returns the words without the sentences that shown, which is folded, holds.
func (w Words) besides(shown string) *Words {
	isShown := func(s journal.Saying) bool { return s.Asked == "" && text.Holds(shown, text.Sentence(s.Text)) }
	for _, list := range [...]*[]journal.Saying{&w.Rules, &w.Leans, &w.Asks, &w.Tells, &w.Talk} {
		if slices.ContainsFunc(*list, isShown) {
			*list = slices.DeleteFunc(slices.Clone(*list), isShown)
		}
	}
	return &w
}

// newShare is which part of the room of the sentences that are no rules belongs to those that were said since the last
// compaction: the work has moved on from what was said before.
const newShare = 3

// fillNew fills the row with quotes said after since, of any kind, within newShare of the room beyond keep, in quarters
// of a token, and leaves the rest in less.
func (p *packer) fillNew(r *row, q quoter, since time.Time, keep int, less *[4][]string) {
	if since.IsZero() {
		return
	}
	part := packer{left: (p.left - keep) / newShare}
	for i, quotes := range less {
		less[i] = slices.DeleteFunc(slices.Clone(quotes), func(quote string) bool {
			piece := r.before() + quote
			if !q.at[quote].After(since) || !part.take(piece) || !p.take(piece) {
				return false
			}
			r.items = append(r.items, quote)
			return true
		})
	}
}

// newSince returns the time of the last prompt before the last compaction, the zero time for none, and for a first
// compaction, whose summary still has all that was said.
func (v View) newSince() time.Time {
	if v.Said == nil || v.Early {
		return time.Time{}
	}
	return saidAt(journal.Saying{TS: v.Said.Since})
}

// labelled returns a line, "" for no value.
func labelled(label, value string) string {
	if value == "" {
		return ""
	}
	return strings.TrimSpace(label) + " " + value
}
