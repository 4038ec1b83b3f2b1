package sentence

import "github.com/mementohq/memento/internal/text"

// Kind is what a sentence is worth where room is short, the least first.
type Kind int8

// The kinds of sentence.
const (
	nothing Kind = iota // printed
	foreign             // somebody else's
	Pasted              // somebody else's that sets limits: they may hold here too
	Talk                // asks back, or reports how things are
	Telling             // says what is so
	Wish                // asks for something
	Leaning             // has the words of a rule, and may be one
	Rule                // governs later work
)

// Kind returns what a sentence is worth in its message.
func (s judged) Kind() Kind {
	switch {
	case !s.isWritten():
		return nothing
	case s.Weight >= ruleWeight:
		return Rule
	case s.foreign && s.found&(strict|modal|only|contrast|negation) == 0:
		return foreign
	case s.foreign:
		return Pasted
	case s.Weight > 0,
		s.found&(strict|modal|only|contrast|negation|prefer|plan) != 0 && (s.Weight >= -3 || s.found&person != 0):
		return Leaning
	case s.found&(once|steady|wish|polite) != 0 && !namesNoTask(s.Text):
		return Wish
	case s.Weight >= tellWeight:
		return Telling
	}
	return Talk
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
