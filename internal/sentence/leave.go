package sentence

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/text"
)

// A mission is left in words of which each is known here: who leaves it says that this one ends or that another begins,
// and nothing specific beside that. One word that is not known ("let's move on to the next step", "close the modal")
// leaves it open.

// part is what a word may be in a sentence that leaves a mission.
type part uint16

const (
	glue  part = 1 << iota // carries nothing: articles, auxiliaries, politeness, now
	mine                   // the mission, the project: what is left
	unit                   // a task, a topic: of what one mission may have several
	here                   // this, that, our: what is in hand
	other                  // another, different, new
	thing                  // something
	over                   // finished, done, accomplished
	end                    // to close, to stop
	stop                   // to stop: what is in hand
	turn                   // to switch, to move to
	goOn                   // to move on; to do, to work on: something else
	vague                  // one, next: of what the mission may have several, too
)

// parts are the words that leave a mission. A word of several meanings has several parts.
var parts = [...]struct {
	part  part
	words string
}{
	{glue, `ok okay k now so well alright right great good nice perfect cool thanks thank you thx yes yeah and then
		please just i i'm im i'll we we're we'll us let let's lets am are is be been have has 's a an the to for with
		going gonna will want would like today on completely totally entirely altogether instead`},
	{mine, `mission missions project projects`},
	{unit, `task tasks job repo repository codebase topic subject`},
	{here, `this that it it's that's all everything our current my`},
	{other, `another different new other else unrelated fresh`},
	{thing, `something things`},
	{over, `finished done complete completed accomplished over closed ended concluded`},
	{end, `close closing end ending abandon abandoning leave leaving quit quitting drop dropping cancel`},
	{stop, `stop drop leave abandon`},
	{turn, `switch switching move moving change changing jump jumping turn turning gears`},
	{goOn, `move moving on do doing work working`},
	{vague, `one next`},
}

// partsIn returns the parts of each word of a clause, nil when one word has none.
func partsIn(clause string) (out []part) {
	_, words := foldWords(clause)
	for _, w := range words {
		var p part
		for _, list := range &parts {
			if isListed(list.words, w) {
				p |= list.part
			}
		}
		if p == 0 {
			return nil
		}
		out = append(out, p)
	}
	return out
}

// hasPart reports whether one of words may be p.
func hasPart(words []part, p part) bool {
	return slices.ContainsFunc(words, func(q part) bool { return q&p != 0 })
}

// leaveMission reports whether clauses of these parts leave a mission. alone says that no words follow them.
func leaveMission(all []part, alone bool) bool {
	has := func(p part) bool { return hasPart(all, p) }
	otherThing := has(other) && has(mine|unit|thing)
	switch {
	case has(mine) && (has(end|over) || has(turn) && !has(other|here)):
		return true
	case otherThing && (has(turn) || has(goOn) && has(over|stop)):
		return true
	case has(unit) && has(over|stop) && has(here):
		return alone
	}
	movesOn := slices.ContainsFunc(all, func(p part) bool { return p&turn != 0 && p&goOn != 0 })
	return alone && has(over) && has(here) && movesOn
}

const (
	// maxClause is how long a clause is at most that leaves a mission, in bytes.
	maxClause = 300
	// maxDeparture is in how many bytes of a message such clauses are looked for.
	maxDeparture = 2 << 10

	clauseMarks = ":;,.!—–。！、，；："
)

// cutDeparture returns what follows the words that leave a mission at the beginning of s. ok is false when no words
// leave one. It reads clause by clause, up to the first unknown word.
func cutDeparture(s string) (rest string, ok bool) {
	s = strings.TrimSpace(s)
	if strings.EqualFold(s, "/clear") || strings.EqualFold(s, "/new") {
		return "", true
	}
	const between = clauseMarks + "\n "
	end := len(strings.TrimRight(s, between)) // nothing stands behind that
	var all []part
	for at := 0; at < min(len(s), maxDeparture); {
		next := at + clauseEnd(s[at:])
		clause := s[at:next]
		in := partsIn(clause)
		if labels(clause, in) && next < end { // "New task: …"
			return strings.TrimSpace(s[next:]), true
		}
		if next-at > maxClause || read(clause).found&ask != 0 || in == nil && !IsChatter(clause) {
			break
		}
		all = append(all, in...)
		if leaveMission(all, next >= end && !hasPart(all, vague)) || isDoneWith(in) && startsOn(s[next:]) {
			rest, ok = s[next:], true
		}
		at = next
	}
	return strings.TrimLeft(rest, between), ok
}

// isDoneWith reports whether a clause of these parts says that a person is done with "this". "This is done" may be said
// of a step.
func isDoneWith(all []part) bool {
	done := slices.IndexFunc(all, func(p part) bool { return p&over != 0 })
	return done >= 0 && hasPart(all[done+1:], here) && !hasPart(all[:done], here)
}

// startsOn reports whether s begins with a call to start on something that is no part of the work in hand.
func startsOn(s string) bool {
	line, words := foldWords(s[:clauseEnd(s)])
	_, about, starts := strings.Cut(strings.Replace(" "+line, " working on ", " on ", 1), " start on ")
	return starts && Begins(s) && isListed(`start please now so then and let's we i'll`, words[0]) &&
		!has(strings.Fields(about), "next", "step", "phase", "part", "item", "rest")
}

// labels reports whether a clause of these parts is the label of a new task.
func labels(clause string, in []part) bool {
	_, words := foldWords(clause)
	return leadsOn(clause) && has(words, "new") && hasPart(in, mine|unit) &&
		!hasPart(in, here|thing|over|end|stop|turn|vague)
}

// clauseEnd returns the offset behind the mark that ends the first clause of s.
func clauseEnd(s string) int {
	for i, r := range s {
		switch {
		case r == '\n', strings.ContainsRune(":;,!?—–。！？、，；：", r):
			return i + utf8.RuneLen(r)
		case r == '.' && (i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n'):
			return i + 1
		}
	}
	return len(s)
}

// Closes reports whether s begins with plain words by which the user leaves the mission.
func Closes(s string) bool {
	_, ok := cutDeparture(s)
	return ok
}

// Ended returns how the mission ended that s closes, as far as the words say: "finished", "left" for other work, or
// "over".
func Ended(s string) string {
	rest, _ := cutDeparture(s)
	words := partsIn(strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(s), rest), clauseMarks+" "))
	switch {
	case hasPart(words, turn|other):
		return "left"
	case text.ContainsOne(text.Fold(s), "accomplished", "complete"):
		return "finished"
	case hasPart(words, mine|unit):
		return "over"
	}
	return "left"
}

// Leaving returns what s asks for besides leaving the mission, "" for nothing.
func Leaving(s string) string {
	rest, ok := cutDeparture(s)
	if !ok {
		return strings.TrimSpace(s)
	}
	return rest
}
