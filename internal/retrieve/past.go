package retrieve

import (
	"slices"

	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/search"
	"github.com/mementohq/memento/internal/sentence"
)

// A look-up of a hook indexes at most healed documents of turns, and none in an index of more than fewTurns: to compare
// a long past with its files takes longer than a hook has.
const fewTurns = 20_000

// Said returns the turns of project in which the matter of a prompt was spoken of, at most limit, the best first. It
// returns none unless the prompt asks for what was said before. It leaves out turns of the running session, which
// Claude has before it, turns for which skip returns true, earlier questions of this sort, and what the user took back
// later. It returns none when unsure: one passage has to have two words of the matter, and most of its weight.
func Said(s past.Store, project, typed, running string, limit int, skip func(past.Turn) bool) (out []Found) {
	about, asks := asksPast(typed)
	if !asks {
		return nil
	}
	q := Query{Filter: record.Filter{Project: project}}
	x, err := search.OpenTurns(s.Dir)
	if err != nil {
		return nil
	}
	if x.Len() < fewTurns {
		from, err := sessionsOf(s, q)
		if err == nil {
			from.Most = healed
			x, _, err = x.Follow(s.Dir, s.Wait, from)
		}
		if x == nil || err != nil && x.Len() == 0 {
			return nil
		}
	}
	defer x.Close()
	hits, err := x.Query(about, search.Keep{Among: q.amongTurns, Share: 0.75}, 2*limit+8)
	if err != nil {
		return nil
	}
	turns := turnReader{store: s}
	for _, h := range hits {
		if len(out) == 2*limit { // to read more sessions takes longer than a hook has
			break
		}
		if h.Session == running || h.Words < 2 {
			continue
		}
		t, ok := turns.turn(h)
		if !ok || hasTurn(out, t) || h.Type == search.Said && onlyAsks(t.Prompt) {
			continue
		}
		out = append(out, Found{Type: h.Type, Turn: t, Score: h.Score,
			Snippet: passage(textOf(t, h.Type), h.From, h.To, wide)})
	}
	out = slices.DeleteFunc(withoutTakenBack(out), func(f Found) bool { return skip(f.Turn) })
	return out[:min(len(out), limit)]
}

// onlyAsks reports whether a prompt is one question for what was said before it.
func onlyAsks(prompt string) bool {
	_, asks := asksPast(prompt)
	return asks && sentence.IsShortQuestion(prompt)
}

// withoutTakenBack returns found without what the user took back in a later turn of them.
func withoutTakenBack(found []Found) []Found {
	var sentences []string
	var of []int // the place in found of each sentence
	for i, f := range found {
		for _, one := range sentence.Split(f.Snippet) {
			sentences, of = append(sentences, one), append(of, i)
		}
	}
	takesBack := sentence.Reversals(sentences)
	gone := make([]bool, len(found))
	for later := range sentences {
		for earlier := range sentences {
			l, e := found[of[later]], found[of[earlier]]
			if l.Type == search.Said && l.Turn.Time.After(e.Turn.Time) && takesBack(later, earlier) {
				gone[of[earlier]] = true
			}
		}
	}
	var kept []Found
	for i, f := range found {
		if !gone[i] {
			kept = append(kept, f)
		}
	}
	return kept
}
