package capture

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// Recollection is what the lane's history has of a session, read once.
type Recollection struct {
	heard   []journal.Line // what the user typed, oldest first
	rewound journal.Rewinds
	dropped map[string]string // folded, and when
}

// Recall reads what the user typed in session: its newest manyRecalled messages, as much of each as is looked at.
func Recall(lane project.Lane, session string) Recollection {
	r := Recollection{dropped: map[string]string{}}
	away := map[string][]journal.Line{} // by mission: what was typed up to when it was put away
	_ = journal.ReadEnds(lane, session, maxLooked, func(l journal.Line) bool {
		switch {
		case r.rewound.Note(l):
		case l.Kind == "dropped":
			r.dropped[text.Fold(l.Text)] = l.TS
		case l.Kind == "said" && l.Session == session:
			l.Raw, l.Text = "", strings.Clone(looked(l.Text)) // a long session's words are enough to hold
			r.heard = append(r.heard, l)
		case l.Kind == "mission" && l.Session == session && (l.Reason == "parked" || journal.Ended(l.Reason)):
			away[l.Text] = r.heard
			if r.heard = nil; l.Since != "" {
				r.heard = behind(away[l.Text], l.Since)
			}
		case l.Kind == "reopened" && l.Session == session:
			r.heard = append(slices.Clip(away[l.Text]), r.heard...)
		}
		return true
	}, "dropped")
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
func behind(heard []journal.Line, ref string) []journal.Line {
	for n := len(heard) - 1; n >= 0; n-- {
		if l := heard[n]; l.Ref == ref {
			if l.Text = Leaving(l.Text); l.Text != "" {
				return []journal.Line{l}
			}
			break
		}
	}
	return nil
}

// manyRecalled is how much of what was typed in a session is judged again when it is shown, in bytes and from its end: what is older
// is in the history, and the rules that the journal holds are shown whenever they were set.
const manyRecalled = 192 << 10

// idle reports whether l says nothing that still holds: chatter, a command, a call to go on, a question
// put to memento, what was rewound or dropped.
func (r Recollection) idle(l journal.Line) bool {
	return r.rewound.Has(l) || r.gone(l.Text, l.TS) || Chatter(l.Text) || command(l.Text) || Continues(l.Text, "") ||
		AsksMemento(l.Text) || l.Asked == "" && Closes(l.Text) && Leaving(l.Text) == ""
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

// Before returns what the user typed up to the prompt last, oldest first, each thing once and at most journal.MaxSaid
// characters. last is a uuid, or the time of a prompt that the transcript had not shown yet; "" and what the history does not
// know return nothing.
func (r Recollection) Before(last string) []string {
	var out []string
	said := map[string]bool{}
	for _, l := range r.heard {
		fold := text.Fold(l.Text)
		if !r.idle(l) && !said[fold] {
			words, _ := text.Cut(l.Text, journal.MaxSaid)
			out = append(out, words)
			said[fold] = true
		}
		if last != "" && (l.Ref == last || l.TS == last) {
			return out
		}
	}
	return nil
}

// Words returns what the user typed for the block, by value, each list newest first: the sentences that set a rule, what
// else they asked for or told, and their questions and remarks. Each is a part of a message, word for word, at most
// journal.MaxSaid characters; sentences of one kind that follow each other stay together. What was printed, what says
// nothing, what was dropped since, and what the mission or the work in hand shows already is left out. A
// constraint noted by name, which nobody typed in this session, counts as a rule.
func (r Recollection) Words(j *journal.Journal) journal.Words {
	typed := map[string]bool{}
	for _, l := range r.heard {
		typed[l.Ref] = true
	}
	var all []Judged
	var of []int // the message each is of
	for i, l := range r.heard {
		switch {
		case r.idle(l):
			continue
		case l.Asked != "":
			all, of = append(all, Judged{Text: l.Text, Weight: ruleWeight, foreign: true}), append(of, i)
			continue
		}
		for _, s := range Judge(l.Text) {
			if r.gone(s.Text, l.TS) || Chatter(s.Text) {
				s.Weight = printedWeight
			}
			all, of = append(all, s), append(of, i)
		}
	}
	c := collector{same: map[string]bool{}}
	for i := len(j.Said) - 1; i >= 0; i-- { // as such wherever else it stands
		if s := j.Said[i]; s.Rule && (s.Ref == "" || !typed[s.Ref]) && (s.By == "" || s.Verified != nil && *s.Verified) && !j.Opening(s) {
			c.take(s, setsRule)
		}
	}
	if j.Open() {
		c.show(j.Mission)
		c.mission = text.Fold(j.Mission)
	}
	wip := strings.Trim(text.Fold(j.Wip), text.Ellipsis)
	for end := len(all); end > 0; {
		start := end - 1
		for start > 0 && of[start-1] == of[start] {
			start--
		}
		if l := r.heard[of[start]]; l.Asked != "" {
			c.take(journal.Saying{Text: l.Text, Asked: l.Asked, TS: l.TS}, leans) // most choose how to go on
		} else {
			if c.wip = ""; strings.Contains(text.Fold(l.Text), wip) {
				c.wip = wip
			}
			c.hear(l, all[start:end])
		}
		end = start
	}
	return c.words
}

// collector sorts what was said by value, newest first, each thing once.
type collector struct {
	words journal.Words
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

// echoes reports whether a line of what was pasted prints the mission, or its first sentence, behind a prompt or a label and with
// nothing but memento's own places behind it.
func (c *collector) echoes(line string) bool {
	line, _, _ = strings.Cut(line, " | ")
	for _, mark := range [...]string{": ", "> ", "$ ", "❯ ", "  ", "\t"} {
		if _, rest, ok := strings.Cut(line, mark); ok {
			if rest = journal.Sentence(strings.TrimSpace(rest)); len(rest) >= minEcho && strings.HasPrefix(c.mission, rest) && text.Holds(c.mission, rest) {
				return true
			}
		}
	}
	return false
}

// hear takes the sentences of a message, those of a kind that stand side by side as one.
func (c *collector) hear(l journal.Line, sentences []Judged) {
	message := l.Text
	var pieces []Judged
	at, end := 0, -1 // where the next sentence is looked for, and where the last piece ended
	for _, s := range sentences {
		i := strings.Index(message[at:], s.Text)
		if i < 0 {
			continue
		}
		from := at + i
		at = from + len(s.Text)
		if s.Weight <= printedWeight/2 || c.quoted(journal.Sentence(s.Text)) || strings.Contains(message, "\n") && c.echoes(s.Text) {
			continue
		}
		if s.kind() == nobodys {
			if s.found&(strict|modal|only|contrast|negation) != 0 {
				c.take(journal.Saying{Text: s.Text, TS: l.TS}, nobodys)
			}
			continue
		}
		if n := len(pieces) - 1; n >= 0 && end >= 0 && pieces[n].kind() == s.kind() && strings.TrimSpace(message[end:from]) == "" && len(pieces[n].Text)+len(s.Text) < pieceSize {
			pieces[n].Text = message[end-len(pieces[n].Text) : at]
		} else {
			pieces = append(pieces, s)
		}
		end = at
	}
	for i := len(pieces) - 1; i >= 0; i-- {
		c.take(journal.Saying{Text: pieces[i].Text, TS: l.TS}, pieces[i].kind())
	}
}

// pieceSize is how long sentences of a kind may grow together, in bytes: small pieces fill a budget better.
const pieceSize = 200

// take files what was said under its kind, unless it is quoted already.
func (c *collector) take(s journal.Saying, kind int) {
	s.Text, _ = text.Cut(s.Text, journal.MaxSaid)
	fold := journal.Sentence(s.Text)
	if s.Asked == "" && (c.same[fold] || c.quoted(fold)) {
		return
	}
	if _, ok := text.Within(c.wip, fold); ok && kind != setsRule && kind != leans { // a rule is quoted as one, whatever is in hand
		return
	}
	c.same[fold] = true
	if kind == setsRule {
		c.show(s.Text)
	}
	list := map[int]*[]journal.Saying{nobodys: &c.words.Pasted, setsRule: &c.words.Rules, leans: &c.words.Leans, asks: &c.words.Asks, tells: &c.words.Tells}[kind]
	if list == nil {
		list = &c.words.Talk
	}
	*list = append(*list, s)
}

// The kinds of sentence, by value.
const (
	nobodys = iota // somebody else's, and no rule
	talks          // asks back, or reports how things are
	tells
	asks
	leans // has the words of a rule, and may be one
	setsRule
)

func (s Judged) kind() int {
	switch {
	case s.Weight >= ruleWeight:
		return setsRule
	case s.foreign:
		return nobodys
	case s.Weight > 0, s.found&(strict|modal|only|contrast|negation|prefer|plan) != 0 && (s.Weight >= -3 || s.found&person != 0):
		return leans
	case s.found&(once|steady|wish|polite) != 0 && !unnamed(s.Text):
		return asks
	case s.Weight >= tellWeight:
		return tells
	}
	return talks
}

// unnamed reports whether s asks for something without naming it: "yes, please implement", "run it". It is done by now, or
// nobody knows what was meant.
func unnamed(s string) bool {
	_, words := folded(s)
	for _, w := range words {
		if !mute(w) && wordCue(w)&(once|report) == 0 && !Chatter(w) && !oneOf(w, "up", "those", "these", "them", "changes", "now") {
			return false
		}
	}
	return len(words) <= 6
}

// mute reports whether w carries no meaning of its own.
func mute(w string) bool {
	return wordCue(w)&(link|person|ask|negation|extent|scope) != 0 && w != "first" || oneOf(w,
		"a", "an", "the", "to", "it", "this", "that", "them", "is", "be", "do", "does", "can", "may", "must", "should", "never", "always", "yet", "again", "more", "any", "no", "longer", "need", "needed", "have", "free", "feel", "ahead", "go", "allowed", "fine", "instead", "rather", "than", "of", "forget", "ignore", "drop", "scrap", "what", "said", "about", "rule", "time", "here", "there", "for", "moment", "on", "in", "with", "actually", "sorry", "wait", "let's", "lets",
		"o", "os", "as", "um", "uma", "de", "da", "do", "na", "nunca", "sempre", "pode", "podes", "precisa", "mais", "já", "ainda", "que", "disse", "sobre", "esquece", "vez", "invés", "em", "disso", "desta",
		"el", "la", "los", "las", "un", "una", "lo", "del", "siempre", "jamás", "puedes", "ya", "todavía", "aún", "hace", "falta", "tienes", "necesario", "lugar", "olvida", "dije", "esta", "en", "su",
		"der", "die", "das", "den", "dem", "ein", "eine", "einen", "zu", "nie", "niemals", "immer", "kannst", "darfst", "du", "musst", "mehr", "noch", "vergiss", "regel", "über", "gesagt", "habe", "nötig", "brauchst", "vorerst", "stattdessen", "diesmal", "im", "am", "auf")
}
