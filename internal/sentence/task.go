package sentence

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/text"
)

// Request returns a message without what was pasted before it, "" for one that is only an acknowledgement, one word, a
// command, a call to go on or pasted text.
func Request(message string) string {
	if !IsSubstantive(message) || IsCommand(message) || !slices.ContainsFunc(judge(message), judged.isTyped) {
		return ""
	}
	return TypedPart(message)
}

// onlyAsks reports whether a sentence wants something told, not done. "Can the cart …?" and "Why is it slow?" want
// something done, and what a question in another language wants nobody here can say.
func (s judged) onlyAsks() bool {
	words, wantsMore := s.words, s.found&polite != 0 || s.lead&(once|steady) != 0 && s.lead&ask == 0
	for len(words) > 1 && (cueOf(words[0])&(link|person) != 0 || text.OneOf(words[0], "can", "could", "would", "will",
		"want", "like", "to")) {
		wantsMore = wantsMore || text.OneOf(words[0], "can", "could")
		words = words[1:]
	}
	if len(words) == 0 || text.OneOf(words[0], "explain", "tell", "show", "remind", "describe", "summarize", "see") {
		return true
	}
	return s.found&ask != 0 && !wantsMore && words[0] != "why" && 3*s.known() >= len(s.words)
}

// Begins reports whether s can open a session's mission: a sentence asks for work or tells of trouble, and names it. It
// is opened by nothing that the user wants remembered, no preference, rule, question, chore ("commit please") or choice
// ("ok, let's go with 2"), and by no pasted text.
func Begins(s string) bool {
	if !IsSubstantive(s) {
		return false
	}
	if strings.HasPrefix(s, "/") && !strings.Contains(strings.SplitN(s, " ", 2)[0][1:], "/") {
		_, args, _ := strings.Cut(s, " ") // what is done with them is the command's business
		return Begins(strings.TrimSpace(args))
	}
	asks := false // the message asked before
	return slices.ContainsFunc(judge(s), func(j judged) bool {
		isOrder := j.found&(once|wish|polite|modal) != 0
		asks = asks || j.onlyAsks()
		return j.isTyped() && !isEveryday(j.words) && !holdsOn(j.Text) && !j.below && !namesNothing(j.words) &&
			!j.onlyAsks() && (!asks || isOrder) && j.lead&(strict|negation|prefer) == 0
	})
}

// IsSubstantive reports whether s can be a task: s is more than chatter, no call to go on, and no question to memento.
func IsSubstantive(s string) bool {
	if Continues(s) || AsksMemento(s) || AsksCheckpoint(s) {
		return false
	}
	if Closes(s) {
		rest := Leaving(s)
		return rest != "" && !Closes(rest) && IsSubstantive(rest) // "/clear" leaves itself
	}
	line, words := foldWords(s)
	isLetter := func(r rune) bool { return isUnspaced(r) && unicode.IsLetter(r) }
	return len(words) >= 2 || text.Runes(line) >= 4 && (line[0] >= 0x80 || strings.ContainsFunc(line, isLetter)) ||
		text.Runes(line) >= 12
}

// Work of every day is what is done whatever the task is: to commit, to push, to run the tests, to pick one of the ways
// to go on. A sentence that names nothing else begins no mission; one that asks for a deed is no work in hand.
const (
	acts   = `commit commits committed commited comit commi pushed push stage amend pr prs pull request merge merged tag`
	deeds  = acts + ` changelog changelog.md`
	chores = acts + ` branches rebase squash stash fetch sync run rerun test tests testing build rebuild compile lint
		linter format formatter restart start stop retry check checks ci deploy release ship status log logs diff git
		branch changes change code suite server app everything all them those these both either first second third last
		one two three option options number choice choose go goes pick take use with latest current open close approve
		main master origin upstream remote undo revert clean save quickly quick other others every any update create make
		draft message md when you're finished done recent new separate files file also too saved well an small short
		sentence entry allow verify each section up out but don't generate only after into onto against`

	// maxEveryday is how many words a sentence has at most that names only everyday work.
	maxEveryday = 10
)

// IsEveryday reports whether a sentence names only everyday work, such as a commit or a test run.
func IsEveryday(s string) bool {
	_, words := foldWords(s)
	return isEveryday(words)
}

func isEveryday(words []string) bool {
	return len(words) > 0 && len(words) <= maxEveryday && !slices.ContainsFunc(words, func(w string) bool {
		isChore := unicode.IsDigit(firstRune(w)) || len(w) == 1 || isListed(chores, w) || isListed(deeds, w) ||
			isChatterWord(w) || isEmpty(w)
		return !isChore || w != "no" && cueOf(w)&(strict|negation) != 0 // "never push to main"
	})
}

// namesNothing reports whether words ask for something without naming it: "yes, please implement", "run it". Later
// nobody knows what was meant.
func namesNothing(words []string) bool {
	return len(words) <= 6 && !slices.ContainsFunc(words, func(w string) bool {
		return !isEmpty(w) && cueOf(w)&(once|report) == 0 && !isChatterWord(w) &&
			!text.OneOf(w, "up", "those", "these", "them", "changes", "now")
	})
}

// isEmpty reports whether w says nothing about which task is meant.
func isEmpty(w string) bool {
	return cueOf(w)&(link|person|ask|negation|scope|plain) != 0 || isListed(empty, w)
}

const empty = `them be do can may must should never always yet again more longer need needed free feel ahead go allowed
	fine rather than forget ignore drop scrap said about rule time here moment actually sorry wait left off stopped
	working work task tasks mission yesterday last session your did up step steps thing things point same before today
	hello alright great hi could want like was were`
