package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

// Recollection has the user's prompts in one session, from the lane's history.
type Recollection struct {
	heard   []history.Line // the prompts, oldest first
	rewound history.Rewinds
	dropped map[string]string // dropped words, folded -> when
}

// Recall reads the newest manyRecalled bytes of the user's prompts in session.
func Recall(lane project.Lane, session string) Recollection {
	r, _ := recall(lane, session)
	return r.newest()
}

// RecallLeft reads the prompts of the session that left a mission, without the prompt that ended it and what follows.
func RecallLeft(left *journal.Left) Recollection {
	r, away := recall(left.Lane, left.Session)
	if left.Line.Raw != "" {
		ended := func(l history.Line) bool { return l.Ref != "" && l.Ref == left.Line.Since }
		r.heard = slices.DeleteFunc(away[left.Line.Text], ended)
	}
	return r.newest()
}

// recall reads the user's prompts in session, and those of each mission that the session put away.
func recall(lane project.Lane, session string) (r Recollection, away map[string][]history.Line) {
	r = Recollection{dropped: map[string]string{}}
	away = map[string][]history.Line{} // the words of a mission -> the prompts up to its end
	part := history.Part{Session: session, Kinds: []string{"dropped"}}
	_ = part.Read(lane, func(l history.Line) bool {
		switch {
		case r.rewound.Note(l):
		case l.Kind == "dropped":
			r.dropped[text.Fold(l.Text)] = l.TS
		case l.Kind == "said" && l.Session == session:
			// a copy, so that the rest of the line can be freed
			l.Raw, l.Text = "", strings.Clone(sentence.Ends(l.Text))
			r.heard = append(r.heard, l)
		case l.Kind == "mission" && l.Session == session && (l.Reason == "parked" || history.Ended(l.Reason)):
			away[l.Text] = r.heard
			if r.heard = nil; l.Since != "" {
				r.heard = nextRequest(away[l.Text], l.Since)
			}
		case l.Kind == "reopened" && l.Session == session:
			r.heard = append(slices.Clip(away[l.Text]), r.heard...)
		}
		return true
	})
	return r, away
}

// newest returns r with its newest prompts alone.
func (r Recollection) newest() Recollection {
	for i := range r.heard {
		r.heard[i].Ref = r.rewound.Ref(r.heard[i])
	}
	bytes, first := 0, len(r.heard)
	for first > 0 && bytes < manyRecalled {
		first--
		bytes += len(r.heard[first].Text) + perPrompt
	}
	r.heard = r.heard[first:]
	return r
}

// nextRequest returns the prompt ref, which ended a mission, with only the words that ask for more.
func nextRequest(heard []history.Line, ref string) []history.Line {
	for n := len(heard) - 1; n >= 0; n-- {
		if l := heard[n]; l.Ref == ref {
			if l.Text, l.Judged = sentence.Leaving(l.Text), ""; l.Text != "" {
				return []history.Line{l}
			}
			break
		}
	}
	return nil
}

// manyRecalled is how much of a session's newest prompts is shown, in bytes. Older prompts are in the history, and
// rules in the journal are shown whatever their age.
const manyRecalled = 192 << 10

// idle reports whether l says nothing that still holds: it is chatter, a command, a call to go on or a question to
// memento, or it was rewound or dropped.
func (r Recollection) idle(l history.Line) bool {
	if r.rewound.Has(l) || r.gone(l.Text, l.TS) {
		return true
	}
	if g, ok := sentence.ReadJudgement(l.Judged, l.Text); ok {
		return g.Idle
	}
	return sentence.IsIdle(l.Text, l.Asked != "")
}

// gone reports whether words that were said at ts were dropped later.
func (r Recollection) gone(words, ts string) bool {
	if len(r.dropped) == 0 {
		return false
	}
	at, ok := r.dropped[text.Fold(words)]
	return ok && ts <= at
}

// Newest names the newest prompt for Before, "" for none.
func (r Recollection) Newest() string {
	if len(r.heard) == 0 {
		return ""
	}
	l := r.heard[len(r.heard)-1]
	return cmp.Or(l.Ref, l.TS)
}

// Before returns the user's prompts up to the prompt last, oldest first, each once and cut to sentence.MaxQuoted
// characters. last is a uuid, or the time of a prompt that the transcript had not shown yet. It returns nothing for ""
// and for a prompt that the history does not hold.
func (r Recollection) Before(last string) []string {
	var out []string
	said := map[string]bool{}
	for _, l := range r.heard {
		fold := text.Fold(l.Text)
		if !r.idle(l) && !said[fold] {
			words, _ := text.Cut(l.Text, sentence.MaxQuoted)
			out = append(out, words)
			said[fold] = true
		}
		if last != "" && (l.Ref == last || l.TS == last) {
			return out
		}
	}
	return nil
}

// Words returns the user's words for the block by kind, each list newest first. Each is a part of a prompt, word for
// word, of at most sentence.MaxQuoted characters; sentences of one kind that follow each other stay together. It leaves
// out words that say nothing, that were dropped, or that the mission or the work in hand shows already. A constraint
// that a command noted counts as a rule. last is the last prompt before the last compaction, as for Before.
func (r Recollection) Words(j *journal.Journal, last string) block.Words {
	typed := map[string]bool{}
	for _, l := range r.heard {
		typed[l.Ref] = true
	}
	c := collector{same: map[string]bool{}, words: block.Words{Since: r.timeOf(last)}}
	c.words.Now, c.words.NowOld = r.now(j)
	for i := len(j.Said) - 1; i >= 0; i-- { // first, so that a rule is shown as one wherever else it stands
		if s := j.Said[i]; s.Rule && (s.Ref == "" || !typed[s.Ref]) &&
			(s.By == "" || s.Verified != nil && *s.Verified) && !j.Opening(s) {
			c.add(s, sentence.Rule)
		}
	}
	if j.Open() {
		c.show(j.Mission)
		c.mission = text.Fold(j.Mission)
	}
	wip := strings.Trim(text.Fold(j.Wip), text.Ellipsis)
	for i := len(r.heard) - 1; i >= 0; i-- {
		switch l := r.heard[i]; {
		case r.idle(l):
		case l.Asked != "":
			// most answers choose how to go on
			c.add(journal.Saying{Text: l.Text, Asked: l.Asked, TS: l.TS}, sentence.Leaning)
		default:
			if c.wip = ""; wip != "" && strings.Contains(text.Fold(l.Text), wip) {
				c.wip = wip
			}
			c.addPrompt(l, r.judge(l))
		}
	}
	words := c.sorted()
	words.Asks = firstFirst(words.Asks, r.heard)
	return words
}

// firstFirst returns asks, newest first, with what the session's first prompt asked for before all: it says what the
// session is about.
func firstFirst(asks []journal.Saying, heard []history.Line) []journal.Saying {
	if n := len(asks) - 1; n > 0 && asks[n].TS == heard[0].TS {
		return append([]journal.Saying{asks[n]}, asks[:n]...)
	}
	return asks
}

// judge returns the sentences of a prompt that are worth showing, with their kinds, without those that were dropped. It
// uses the stored judgement unless an earlier version made that.
func (r Recollection) judge(l history.Line) []sentence.Place {
	g, ok := sentence.ReadJudgement(l.Judged, l.Text)
	if !ok {
		g = sentence.Judge(l.Text, l.Asked != "")
	}
	if len(r.dropped) == 0 {
		return g.Parts
	}
	return slices.DeleteFunc(g.Parts, func(s sentence.Place) bool { return r.gone(l.Text[s.Begin:s.End], l.TS) })
}

// collector sorts the user's words by kind, newest first, each once. Its strings are folded.
type collector struct {
	words  block.Words
	all    []saying // the sentences that are not pasted
	points int      // the place in all, from 1, of a rule that points at the prompt added next; 0 for none

	shown []string        // the mission and the rules
	same  map[string]bool // all words

	mission string // "" for none
	wip     string // the work in hand, while the prompt that asked for it is added
}

func (c *collector) show(words string) { c.shown = append(c.shown, text.FoldLines(words)) }

// quoted reports whether the mission or a rule holds a sentence, which is folded.
func (c *collector) quoted(fold string) bool {
	return slices.ContainsFunc(c.shown, func(shown string) bool { return text.Holds(shown, fold) })
}

// minEcho is the shortest beginning of a mission by which a pasted line is recognised, in bytes.
const minEcho = 20

// echoes reports whether a pasted line shows the mission, or its first sentence, as memento prints it: behind a label
// or a shell's prompt.
func (c *collector) echoes(line string) bool {
	line, _, _ = strings.Cut(line, " | ")
	for _, mark := range [...]string{": ", "> ", "$ ", "❯ ", "  ", "\t"} {
		if _, rest, ok := strings.Cut(line, mark); ok {
			if rest = text.Sentence(strings.TrimSpace(rest)); len(rest) >= minEcho &&
				strings.HasPrefix(c.mission, rest) && text.Holds(c.mission, rest) {
				return true
			}
		}
	}
	return false
}

// addPrompt adds the sentences of a prompt. Neighbours of one kind become one piece.
func (c *collector) addPrompt(l history.Line, sentences []sentence.Place) {
	var pieces []sentence.Place
	defer func(points int) {
		if c.points == points { // this prompt says nothing that the rule can point at
			c.points = 0
		}
	}(c.points)
	for _, s := range sentences {
		words := l.Text[s.Begin:s.End]
		if c.quoted(text.Sentence(words)) || strings.Contains(l.Text, "\n") && c.echoes(words) {
			continue
		}
		if s.Kind == sentence.Pasted {
			c.add(journal.Saying{Text: words, TS: l.TS}, s.Kind)
			continue
		}
		n := len(pieces) - 1
		isNext := n >= 0 && strings.TrimSpace(l.Text[pieces[n].End:s.Begin]) == ""
		switch {
		case isNext && s.Kind >= sentence.Leaning && sentence.PointsBack(words) &&
			text.Runes(l.Text[pieces[n].Begin:s.End]) <= sentence.MaxQuoted:
			pieces[n].End, pieces[n].Kind = s.End, max(s.Kind, pieces[n].Kind)
		case isNext && pieces[n].Kind == s.Kind && pieces[n].End-pieces[n].Begin+len(words) < pieceSize:
			pieces[n].End = s.End
		default:
			pieces = append(pieces, s)
		}
	}
	for i := len(pieces) - 1; i >= 0; i-- {
		c.add(journal.Saying{Text: l.Text[pieces[i].Begin:pieces[i].End], TS: l.TS}, pieces[i].Kind)
	}
	if len(pieces) > 0 && len(c.all) > 0 && pieces[0].Kind >= sentence.Leaning {
		if n := len(c.all); c.all[n-1].TS == l.TS && sentence.PointsBack(c.all[n-1].Text) {
			c.points = n
		}
	}
}

// pieceSize bounds a piece of several sentences, in bytes: small pieces fill a budget better.
const pieceSize = 200

// add adds words under their kind, unless they are shown already.
func (c *collector) add(s journal.Saying, kind sentence.Kind) {
	s.Text, _ = text.Cut(s.Text, sentence.MaxQuoted)
	fold := text.Sentence(s.Text)
	if s.Asked == "" && (c.same[fold] || c.quoted(fold)) {
		return
	}
	// a rule is shown as one even if the work in hand holds it
	if text.Within(c.wip, fold) && kind != sentence.Rule && kind != sentence.Leaning {
		return
	}
	c.same[fold] = true
	if kind == sentence.Rule {
		c.show(s.Text)
	}
	if kind == sentence.Pasted {
		c.words.Pasted = append(c.words.Pasted, s)
		return
	}
	c.all = append(c.all, saying{s, kind, -1})
	if n := len(c.all) - 1; c.points > 0 {
		c.all[n].tied, c.points = c.points-1, 0
	}
}
