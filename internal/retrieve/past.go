package retrieve

import (
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/search"
)

// A look-up of a hook indexes at most healed documents of turns, and none in an index of more than fewTurns: to compare
// a long past with its files takes longer than a hook has.
const fewTurns = 20_000

// Said returns the turns of project in which the matter of a prompt was spoken of, at most limit, the best first. It
// returns none unless the prompt asks for what was said before. It leaves out turns of
// the running session, which Claude has before it, and turns for which skip returns true. It returns none when unsure:
// one passage has to have two words of the matter, and most of its weight.
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
		if len(out) == limit {
			break
		}
		if h.Session == running || h.Words < 2 {
			continue
		}
		t, ok := turns.turn(h)
		if !ok || skip(t) || hasTurn(out, t) {
			continue
		}
		out = append(out, Found{Type: h.Type, Turn: t, Score: h.Score,
			Snippet: passage(textOf(t, h.Type), h.From, h.To, wide)})
	}
	return out
}
