package sentence

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// What follows judges which of the user's sentences outlive their session. A sentence that was said once must show by
// its form that it holds on. A sentence without such a form holds on when sessions go on saying it. Candidates
// judges a message when it is typed; Stand judges the candidates of all sessions together.

// The kinds of a standing sentence.
const (
	KindRule       = "rule"
	KindPreference = "preference"
	KindFact       = "fact"
	KindDecision   = "decision"
	KindHabit      = "habit" // requested in several sessions, and never put as a rule
)

// Occurrence is a candidate, and where and when it was said.
type Occurrence struct {
	Candidate
	Session string
	At      string // RFC 3339, in UTC
}

// Standing is a sentence that outlives its session.
type Standing struct {
	Text     string // of the wordings, the one that stands for all of them
	Kind     string
	User     bool
	Times    int // how often it was said
	Sessions int // in how many sessions
	First    string
	Last     string // RFC 3339, in UTC
	Sure     int    // percent
	Older    bool   // a newer sentence, which stands before it, says the contrary
}

const (
	// SureEnough is how sure a sentence must be to stand at the start of every session, in percent.
	SureEnough = 50
	// sureAgain is what each further session adds in which a sentence is said, in percent.
	sureAgain = 15
	// rare is how many sessions pass at most, on the average, until a sentence without a sure form is said again: twice
	// as many for a deed, such as a note in the changelog.
	rare = 6
	// sureContrary is the least Sure of a sentence that contradicts an older one. "Not this time" contradicts nothing.
	sureContrary = 30
	// fresh is after how many sessions a sentence begins to fade that is not said again.
	fresh = 8
	// maxFaded is what fading takes at most, in percent. A sentence that is surer than that stands for good.
	maxFaded = 15
	// maxRetyped is how long a sentence may be that a person types twice in the same words, in characters.
	maxRetyped = 70
	// hourLen is how much of a time names the hour.
	hourLen = len("2006-01-02T15")
	// nearEnough is how near requests of only two sessions are to each other, in percent.
	nearEnough = 50
)

// Stand returns the standing sentences among what was said, oldest first, in all sessions of a project. Sentences that
// say the same are one. The surest stands first, and of two contrary ones the newer. limit is how many are returned at
// most, 0 for all.
func Stand(said []Occurrence, limit int) []Standing {
	groups, since, sent := group(said), sessionsSince(said), sentAgain(said)
	all := make([]Standing, len(groups))
	forms := make([]int, len(groups))
	for n, g := range groups {
		all[n], forms[n] = g.standing(said, sent)
		first, last := g.members[0], g.members[len(g.members)-1]
		often := rare * all[n].Sessions
		if followsWork(all[n].Text) {
			often *= 2
		}
		if forms[n] < SureEnough && since[first] > often {
			all[n].Sure = 0
		}
		all[n].Sure -= min(maxFaded, max(0, since[last]-fresh)/2)
	}
	for n, g := range groups {
		if g.contrary < 0 {
			continue
		}
		newer, older := &all[n], &all[g.contrary]
		if newer.Last < older.Last {
			newer, older = older, newer
		}
		if older.Sure >= SureEnough && newer.Sure >= sureContrary {
			newer.Sure = max(newer.Sure, older.Sure)
			older.Sure, older.Older = min(older.Sure, max(newer.Sure-1, SureEnough)), true
		}
	}
	out := slices.DeleteFunc(all, func(s Standing) bool { return s.Sure < SureEnough })
	slices.SortStableFunc(out, func(a, b Standing) int {
		if a.Sure == b.Sure && a.Older != b.Older {
			if a.Older {
				return 1
			}
			return -1
		}
		return cmp.Or(cmp.Compare(b.Sure, a.Sure), cmp.Compare(b.Sessions, a.Sessions), strings.Compare(b.Last, a.Last))
	})
	if limit > 0 && len(out) > limit {
		out = out[:limit]
	}
	return out
}

// Newest returns said without the oldest plain requests beyond limit: what is sure by itself stays.
func Newest(said []Occurrence, limit int) []Occurrence {
	surplus := len(said) - limit
	return slices.DeleteFunc(slices.Clone(said), func(o Occurrence) bool {
		if surplus <= 0 || o.Sure >= SureEnough {
			return false
		}
		surplus--
		return true
	})
}

// sessionsSince returns for each sentence how many sessions said something after it.
func sessionsSince(said []Occurrence) []int {
	out, seen := make([]int, len(said)), map[string]bool{}
	for n := len(said) - 1; n >= 0; n-- {
		if n == len(said)-1 || said[n].Session != said[n+1].Session {
			seen[said[n].Session] = true
		}
		out[n] = len(seen) - 1
	}
	return out
}

// template is how many sentences of a message were said in another session too, word by word, when the message was sent
// again and not typed again.
const template = 3

// sentAgain reports for each sentence whether its message was sent in several sessions.
func sentAgain(said []Occurrence) []bool {
	first, again := map[string]string{}, map[string]bool{} // by sentence
	for n := range said {
		if s, ok := first[said[n].Text]; !ok {
			first[said[n].Text] = said[n].Session
		} else if s != said[n].Session {
			again[said[n].Text] = true
		}
	}
	out := make([]bool, len(said))
	for begin, end := 0, 0; begin < len(said); begin = end {
		same := 0
		for ; end < len(said) && said[end].At == said[begin].At && said[end].Session == said[begin].Session; end++ {
			if again[said[end].Text] {
				same++
			}
		}
		for n := begin; n < end; n++ {
			out[n] = same >= template
		}
	}
	return out
}

// standing returns what the sentences of a cluster say together, and how sure the surest is by its form. Nothing is
// sure about sentences that a machine or a clipboard repeated. sent says of each sentence whether its message was sent
// again.
func (g *cluster) standing(said []Occurrence, sent []bool) (s Standing, form int) {
	first, last := &said[g.members[0]], &said[g.members[len(g.members)-1]]
	best := g.speaker(said)
	s = Standing{Text: best.Text, Kind: best.Kind, User: best.User, Times: len(g.members), Sessions: 1,
		First: first.At, Last: last.At, Sure: first.Sure}
	if len(g.members) == 1 {
		return s, s.Sure
	}
	sessions, hours, isEqual, near := map[string]bool{}, map[string]bool{}, true, 100
	for _, n := range g.members {
		m := &said[n]
		if !sent[n] {
			sessions[m.Session], hours[m.At[:min(len(m.At), hourLen)]] = true, true
		}
		isEqual = isEqual && text.Same(m.Text, best.Text)
		s.Sure, near = max(s.Sure, m.Sure), min(near, nearness(best.Words, m.Words))
	}
	form = s.Sure
	s.Sessions = max(1, len(sessions))
	// A prompt that is tried again in a new session right away is not said again.
	again := min(len(sessions), len(hours)) - 1
	switch {
	case again <= 0:
		return s, form
	case isEqual && text.Runes(s.Text) > maxRetyped && addressIn(s.Text) == nowhere:
		s.Sure = 0
		return s, form
	case s.Kind == "" && again == 1 && near < nearEnough:
		return s, form
	case s.Kind == "":
		s.Kind = KindHabit
	}
	s.Sure = min(maxSure, s.Sure+sureAgain*again)
	return s, form
}
