package sentence

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// Part is a sentence of a message that may be quoted.
type Part struct {
	Begin, End int  // its place in the message, in bytes
	Weight     int  // how much it seems to govern later work; see RuleWeight
	Back       bool // it says half of a statement without the sentence before it
	Pasted     bool // somebody else's, which the user pasted
}

// Rule reports whether the sentence looks like a rule for later work.
func (p Part) Rule() bool { return p.Weight >= RuleWeight }

// Judge returns the sentences of message that the user typed, in their order, and demands in what the user pasted.
func Judge(message string) (out []Part) {
	at := 0
	for i, s := range judge(message) {
		begin := strings.Index(message[at:], s.Text)
		if begin < 0 {
			continue
		}
		begin += at
		at = begin + len(s.Text)
		if !s.isWritten() || s.foreign && s.found&(strict|modal|only|contrast|negation) == 0 {
			continue
		}
		w := s.Weight
		if w < RuleWeight && !s.foreign && (w > 0 || s.found&(strict|modal|only|contrast|negation|prefer|plan) != 0 &&
			(w >= -3 || s.found&person != 0)) {
			w = 1
		} else if w < RuleWeight && s.found&(once|steady|wish|polite) != 0 && !namesNoTask(s.Text) {
			w = 0
		}
		out = append(out, Part{Begin: begin, End: at, Weight: w, Back: i > 0 && PointsBack(s.Text),
			Pasted: s.foreign})
	}
	return out
}

// IsIdle reports whether a message says nothing that holds on: chatter, a command, a call to go on, a question to
// memento, or plain words that leave the mission.
func IsIdle(message string) bool {
	return IsChatter(message) || IsCommand(message) || Continues(message, "") || AsksMemento(message) ||
		Closes(message) && Leaving(message) == ""
}

// namesNoTask reports whether s asks for something without naming it: "yes, please implement", "run it". Later nobody
// knows what was meant.
func namesNoTask(s string) bool {
	_, words := foldWords(s)
	for _, w := range words {
		if !isEmpty(w) && wordCue(w)&(once|report) == 0 && !IsChatter(w) &&
			!text.OneOf(w, "up", "those", "these", "them", "changes", "now") {
			return false
		}
	}
	return len(words) <= 6
}

// isEmpty reports whether w says nothing about which task is meant.
func isEmpty(w string) bool {
	return wordCue(w)&(link|person|ask|negation|extent|scope) != 0 && w != "first" || isListed(empty, w)
}

const empty = `a an the to it this that them is be do does can may must should never always yet again more any no longer
	need
	needed have free feel ahead go allowed fine instead rather than of forget ignore drop scrap what said about rule
	time here there for moment on in with actually sorry wait let's lets o os as um uma de da na nunca sempre pode
	podes precisa mais já ainda que disse sobre esquece vez invés em disso desta el la los las un una lo del siempre
	jamás puedes ya todavía aún hace falta tienes necesario lugar olvida dije esta en su der die das den dem ein
	eine einen zu nie niemals immer kannst darfst du musst mehr noch vergiss regel über gesagt habe nötig brauchst
	vorerst stattdessen diesmal im am auf where we you i left off stopped were are was work working task tasks
	mission plan from yesterday last session now our my your did at and then next up step steps thing things point
	same before today com por favor onde paramos donde dónde quedamos con aí isso esto trabalho trabajo tarefa tarea
	wo wir aufgehört haben damit mit bitte s'il te plaît vous le et où était please ok okay yes so alright great hi
	hey hello just sim ja vamos could want would like`
