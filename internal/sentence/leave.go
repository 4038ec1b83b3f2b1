package sentence

import (
	"strings"
	"unicode/utf8"
)

// A mission is left in words of which each is known here: who leaves it says that this one ends or that another begins,
// and nothing specific beside that. One word that is not known ("let's move on to the next step", "close the modal")
// leaves it open.

// part is what a word may be in a sentence that leaves a mission.
type part uint16

const (
	glue   part = 1 << iota // carries nothing: articles, auxiliaries, politeness, now
	mine                    // the mission, the project
	unit                    // a task, a topic: of what one mission may have several
	here                    // this, that, our: what is in hand
	other                   // another, different, new
	thing                   // something
	over                    // finished, done, accomplished
	stop                    // to close, to stop
	turn                    // to switch, to move on
	closed                  // accomplished, complete: it succeeded
	vague                   // one, next: of what the mission may have several, too
)

// partOf returns what a word in lower case may be in a sentence that leaves a mission, 0 for any other word.
func partOf(word string) part {
	switch word {
	case "mission", "missions", "project", "projects":
		return mine
	case "task", "tasks", "repo", "repository", "codebase", "topic", "subject":
		return unit
	case "this", "that", "it", "it's", "that's", "all", "everything", "our", "current", "my":
		return here
	case "another", "different", "new", "other", "else", "unrelated", "fresh":
		return other
	case "something", "things":
		return thing
	case "complete", "completed", "accomplished":
		return over | closed
	case "finished", "done", "over", "closed", "ended", "concluded":
		return over
	case "close", "closing", "end", "ending", "abandon", "abandoning", "leave", "leaving", "quit", "quitting", "drop",
		"dropping", "cancel", "stop":
		return stop
	case "switch", "switching", "move", "moving", "change", "changing", "jump", "jumping", "turn", "turning":
		return turn
	case "one", "next":
		return vague
	}
	const carriesNothing = `ok okay k now so well alright right great good nice perfect cool thanks thank you thx yes yeah
		and then please just i i'm im i'll we we're we'll us let let's lets am are is be been have has 's a an the to for
		with going gonna will want would like today on completely totally entirely altogether instead do doing work
		working gears`
	if isListed(carriesNothing, word) {
		return glue
	}
	return 0
}

// partsIn returns the parts of all words of a clause together, 0 when one word has none.
func partsIn(clause string) (all part) {
	_, words := foldWords(clause)
	for _, w := range words {
		p := partOf(w)
		if p == 0 {
			return 0
		}
		all |= p
	}
	return all
}

// leaveMission reports whether clauses of these parts leave a mission. alone says that no words follow them.
func leaveMission(all part, alone bool) bool {
	has := func(p part) bool { return all&p != 0 }
	switch {
	case has(mine) && (has(over|stop) || has(turn) && (has(other) || !has(here))),
		has(other) && has(unit|thing) && has(turn|over|stop):
		return true
	}
	return alone && !has(vague) && (has(over) && has(turn) || has(over|stop) && has(unit) && has(here))
}

// maxDeparture is in how many bytes of a message clauses are looked for that leave a mission.
const maxDeparture = 2 << 10

// cutDeparture returns what follows the words that leave a mission at the beginning of s, and what those words are
// together: 0 when none leaves it. It reads clause by clause, up to the first unknown word.
func cutDeparture(s string) (rest string, how part) {
	s = strings.TrimSpace(s)
	if strings.EqualFold(s, "/clear") || strings.EqualFold(s, "/new") {
		return "", glue
	}
	const between = ":;,.!—–。！、，；：\n "
	end := len(strings.TrimRight(s, between)) // nothing stands behind that
	all := part(0)
	for at := 0; at < min(len(s), maxDeparture); {
		next := at + clauseEnd(s[at:])
		clause := s[at:next]
		in := partsIn(clause)
		if leadsOn(clause) && next < end && in&other != 0 && in&(mine|unit) != 0 &&
			in&^(glue|mine|unit|other) == 0 { // "New task: …"
			return strings.TrimSpace(s[next:]), in
		}
		if read(clause).found&ask != 0 || in == 0 && !IsChatter(clause) {
			break
		}
		if all |= in; leaveMission(all, next >= end) {
			rest, how = s[next:], all
		}
		at = next
	}
	return strings.TrimLeft(rest, between), how
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
	_, how := cutDeparture(s)
	return how != 0
}

// Ended returns how the mission ended that s closes, as far as the words say: "finished", "left" for other work, or
// "over".
func Ended(s string) string {
	_, how := cutDeparture(s)
	switch {
	case how&(turn|other) == 0 && how&closed != 0:
		return "finished"
	case how&(turn|other) == 0 && how&(mine|unit) != 0:
		return "over"
	}
	return "left"
}

// Leaving returns what s asks for besides leaving the mission, "" for nothing.
func Leaving(s string) string {
	rest, how := cutDeparture(s)
	if how == 0 {
		return strings.TrimSpace(s)
	}
	return rest
}
