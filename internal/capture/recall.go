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

// Recollection is what the lane's history has of a session, read once.
type Recollection struct {
	heard   []history.Line // what the user typed, oldest first
	rewound history.Rewinds
	dropped map[string]string // folded, and when
}

// Recall reads what the user typed in session: its newest manyRecalled messages, as much of each as is looked at.
func Recall(lane project.Lane, session string) Recollection {
	r := Recollection{dropped: map[string]string{}}
	away := map[string][]history.Line{} // by mission: what was typed up to when it was put away
	part := history.Part{Session: session, Kinds: []string{"dropped"}, Ends: sentence.MaxLooked}
	_ = part.Read(lane, func(l history.Line) bool {
		switch {
		case r.rewound.Note(l):
		case l.Kind == "dropped":
			r.dropped[text.Fold(l.Text)] = l.TS
		case l.Kind == "said" && l.Session == session:
			l.Raw, l.Text = "", strings.Clone(sentence.Ends(l.Text)) // a long session's words are enough to hold
			r.heard = append(r.heard, l)
		case l.Kind == "mission" && l.Session == session && (l.Reason == "parked" || history.Ended(l.Reason)):
			away[l.Text] = r.heard
			if r.heard = nil; l.Since != "" {
				r.heard = behind(away[l.Text], l.Since)
			}
		case l.Kind == "reopened" && l.Session == session:
			r.heard = append(slices.Clip(away[l.Text]), r.heard...)
		}
		return true
	})
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

// behind returns what the prompt ref, the last that was heard, asks for beside leaving its mission.
func behind(heard []history.Line, ref string) []history.Line {
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

// manyRecalled is how much of what was typed in a session is judged again when it is shown, in bytes and from its end:
// what is older is in the history, and the rules that the journal holds are shown whenever they were set.
const manyRecalled = 192 << 10

// idle reports whether l says nothing that still holds: chatter, a command, a call to go on, a question
// put to memento, what was rewound or dropped.
func (r Recollection) idle(l history.Line) bool {
	if r.rewound.Has(l) || r.gone(l.Text, l.TS) {
		return true
	}
	if g, ok := sentence.ReadJudgement(l.Judged, l.Text); ok {
		return g.Idle
	}
	return sentence.IsIdle(l.Text, l.Asked != "")
}

// gone reports whether words, said at ts, were dropped after that.
func (r Recollection) gone(words, ts string) bool {
	if len(r.dropped) == 0 {
		return false
	}
	at, ok := r.dropped[text.Fold(words)]
	return ok && ts <= at
}

// Newest names what the user typed last, for Before; "" when that is nothing.
func (r Recollection) Newest() string {
	if len(r.heard) == 0 {
		return ""
	}
	l := r.heard[len(r.heard)-1]
	return cmp.Or(l.Ref, l.TS)
}

// Before returns what the user typed up to the prompt last, oldest first, each thing once and at most
// sentence.MaxQuoted characters. last is a uuid, or the time of a prompt that the transcript had not shown yet; "" and
// what the history does not know return nothing.
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

// Words returns what the user typed for the block, by value, each list newest first: the sentences that set a rule,
// what else they asked for or told, and their questions and remarks. Each is a part of a message, word for word, at
// most sentence.MaxQuoted characters; sentences of one kind that follow each other stay together. What was printed,
// what says nothing, what was dropped since, and what the mission or the work in hand shows already is left out. A
// constraint noted by name, which nobody typed in this session, counts as a rule.
func (r Recollection) Words(j *journal.Journal) block.Words {
	typed := map[string]bool{}
	for _, l := range r.heard {
		typed[l.Ref] = true
	}
	c := collector{same: map[string]bool{}}
	for i := len(j.Said) - 1; i >= 0; i-- { // as such wherever else it stands
		if s := j.Said[i]; s.Rule && (s.Ref == "" || !typed[s.Ref]) &&
			(s.By == "" || s.Verified != nil && *s.Verified) && !j.Opening(s) {
			c.take(s, sentence.Rule)
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
			c.take(journal.Saying{Text: l.Text, Asked: l.Asked, TS: l.TS}, sentence.Leaning) // most choose how to go on
		default:
			if c.wip = ""; strings.Contains(text.Fold(l.Text), wip) {
				c.wip = wip
			}
			c.hear(l, r.judge(l))
		}
	}
	return c.words
}

// judge returns the sentences of a message that are worth anything, with what each is worth, but for what was dropped
// since. It judges those anew that an earlier version judged, or none.
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

// collector sorts what was said by value, newest first, each thing once.
type collector struct {
	words block.Words
	shown []string        // folded: the mission, the rules
	same  map[string]bool // folded: everything

	mission string // folded, "" for none
	wip     string // folded: the work in hand, while the message that asked for it is heard
}

func (c *collector) show(words string) { c.shown = append(c.shown, text.FoldLines(words)) }

// quoted reports whether a sentence, folded, is quoted already.
func (c *collector) quoted(fold string) bool {
	return slices.ContainsFunc(c.shown, func(shown string) bool { return text.Holds(shown, fold) })
}

// minEcho is how long the beginning of a mission is that is known again by itself, in bytes.
const minEcho = 20

// echoes reports whether a line of what was pasted prints the mission, or its first sentence, behind a prompt or a
// label and with nothing but memento's own places behind it.
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

// hear takes the sentences of a message, those of a kind that stand side by side as one.
func (c *collector) hear(l history.Line, sentences []sentence.Place) {
	var pieces []sentence.Place
	for _, s := range sentences {
		words := l.Text[s.Begin:s.End]
		if c.quoted(text.Sentence(words)) || strings.Contains(l.Text, "\n") && c.echoes(words) {
			continue
		}
		if s.Kind == sentence.Pasted {
			c.take(journal.Saying{Text: words, TS: l.TS}, s.Kind)
			continue
		}
		if n := len(pieces) - 1; n >= 0 && pieces[n].Kind == s.Kind &&
			strings.TrimSpace(l.Text[pieces[n].End:s.Begin]) == "" &&
			pieces[n].End-pieces[n].Begin+len(words) < pieceSize {
			pieces[n].End = s.End
		} else {
			pieces = append(pieces, s)
		}
	}
	for i := len(pieces) - 1; i >= 0; i-- {
		c.take(journal.Saying{Text: l.Text[pieces[i].Begin:pieces[i].End], TS: l.TS}, pieces[i].Kind)
	}
}

// pieceSize is how long sentences of a kind may grow together, in bytes: small pieces fill a budget better.
const pieceSize = 200

// take files what was said under its kind, unless it is quoted already.
func (c *collector) take(s journal.Saying, kind sentence.Kind) {
	s.Text, _ = text.Cut(s.Text, sentence.MaxQuoted)
	fold := text.Sentence(s.Text)
	if s.Asked == "" && (c.same[fold] || c.quoted(fold)) {
		return
	}
	// a rule is quoted as one, whatever is in hand
	if _, ok := text.Within(c.wip, fold); ok && kind != sentence.Rule && kind != sentence.Leaning {
		return
	}
	c.same[fold] = true
	if kind == sentence.Rule {
		c.show(s.Text)
	}
	var list *[]journal.Saying
	switch kind {
	case sentence.Pasted:
		list = &c.words.Pasted
	case sentence.Rule:
		list = &c.words.Rules
	case sentence.Leaning:
		list = &c.words.Leans
	case sentence.Wish:
		list = &c.words.Asks
	case sentence.Telling:
		list = &c.words.Tells
	default:
		list = &c.words.Talk
	}
	*list = append(*list, s)
}
