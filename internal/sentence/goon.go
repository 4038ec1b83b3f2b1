package sentence

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// Call says how words call back the work that an earlier session left.
type Call int

// The calls, each plainer than the one before.
const (
	NoCall  Call = iota
	Asks         // asks what the plan was, or where things stand
	GoesOn       // calls to continue and does not say with what
	Returns      // calls to continue what was left: "continue where we left off", "back to yesterday's work"
)

// A call consists of these words, of "the", "please" and the like, and of words that name what is in hand: any other
// word makes it a task of its own.
const (
	again   = `continue continuing continued resume resuming proceed proceeding`
	takesUp = `pick picking carry carrying go going back working keep keep's take finish finishing`
	wasLeft = `left leave off paused halted interrupted unfinished yesterday yesterday's last previous previously earlier
		before prior stopped started began were was doing`
	whatLeft = `work task tasks session sessions mission stuff things thing job`
	standing = `plan plans next step steps status progress todo todos remaining open pending standing`
	asks     = `what what's whats where where's which remind`
	carriers = `get return up my your let let's will would shall like 's can could am been had have has do does did done
		it that this there all here same as exactly some point place again still time work worked what now morning tell show`

	maxCall  = 25 // words
	minNamed = 4  // characters of a word that names what is in hand
)

// Recall says how s, a session's first words, calls back what an earlier session left. about is what that was: the
// mission, the plan.
func Recall(s, about string) Call {
	line, words := foldWords(s)
	if strings.Contains(strings.TrimSpace(s), "\n") || IsChatter(s) || len(words) > maxCall {
		return NoCall
	}
	about, _ = foldWords(about)
	names := func(w string) bool {
		return text.Runes(w) >= minNamed && strings.Contains(" "+about+" ", " "+w+" ")
	}
	const all = again + " " + takesUp + " " + wasLeft + " " + whatLeft + " " + standing + " " + asks + " " + carriers
	for _, w := range words {
		if !isListed(all, w) && cueOf(w)&(link|person|plain|ask) == 0 && !isChatterWord(w) && !names(w) {
			return NoCall
		}
	}
	first := slices.IndexFunc(words, func(w string) bool { return cueOf(w)&link == 0 && !isChatterWord(w) })
	isAsked := isQuestion(s) || first >= 0 && isListed(asks, words[first])
	any := func(list string) bool { return hasAny(words, list) }
	isAgain := any(again) || strings.Contains(line, "go on with ") || strings.Contains(line, "carry on with ")
	switch {
	case isAgain && (any(wasLeft) || any(whatLeft) || slices.ContainsFunc(words, names)),
		any(takesUp) && any(wasLeft) && !isAsked:
		return Returns
	case isAsked && any(asks) && (any(standing) || any(wasLeft)):
		return Asks
	case any(again) && !isAsked, text.OneOf(line, "go on", "go ahead", "carry on", "keep going", "next", "next step", "do it"):
		return GoesOn
	}
	return NoCall
}

// MayRecall reports whether Recall can be more than NoCall for s and some about. It spares looking for what was left.
func MayRecall(s string) bool {
	_, words := foldWords(s)
	return len(words) <= maxCall && hasAny(words, again+" "+takesUp+" "+asks+" next do")
}

// Continues reports whether s goes on with what was in hand before: chatter, or a call to go on.
func Continues(s string) bool { return IsChatter(s) || Recall(s, "") != NoCall }
