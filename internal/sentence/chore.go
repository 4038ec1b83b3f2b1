package sentence

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// Work of every day is what is done whatever the task is: to commit, to push, to run the tests, to pick one of the ways
// to go on. A sentence that names nothing else begins no mission; one that asks for what follows on any work, a deed,
// is no work in hand.

// deeds are the words for acts that follow any work: commit, push, note in the changelog, open a pull request.
const deeds = `commit comit commi commits committed push pushed stage amend changelog changelog.md pr prs pull request
	merge tag`

// chores are words that stand beside deeds and name everyday work.
const chores = `rebase squash stash fetch sync run rerun test tests testing build rebuild compile lint linter format
	formatter
	restart start stop retry check checks ci deploy release ship status log logs diff git branch changes change code
	suite server app everything all them those these both either first second third last one two three option
	options number choice choose go goes pick take use with instead latest current open close review approve main
	master origin upstream remote undo revert clean save quickly quick other others every any update create make
	draft message md when you're finished done recent new separate files file also too saved well an small short
	sentence entry allow verify atomically each section up out but don't generate only after into onto
	against`

// maxEveryday is how many words a sentence has at most that names only everyday work.
const maxEveryday = 10

// IsEveryday reports whether a sentence names only everyday work, such as a commit or a test run.
func IsEveryday(s string) bool {
	_, words := foldWords(s)
	forbids := func(w string) bool { return w != "no" && wordCue(w)&(strict|negation) != 0 } // "never push to main"
	return len(words) > 0 && len(words) <= maxEveryday && allChores(words) && !slices.ContainsFunc(words, forbids)
}

// isChore reports whether a sentence asks for a deed and for nothing else.
func isChore(s string) bool {
	_, words := foldWords(s)
	return slices.ContainsFunc(words, func(w string) bool { return isListed(deeds, w) }) && allChores(words) &&
		!has(words, "review") // that is work, of whatever it is
}

// followsWork reports whether a sentence names a deed.
func followsWork(s string) bool {
	_, words := foldWords(s)
	return slices.ContainsFunc(words, func(w string) bool { return isListed(deeds, w) || isListed(gitActs, w) })
}

func allChores(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !isChoreWord(w) })
}

func isChoreWord(w string) bool {
	first := firstRune(w)
	switch {
	case unicode.IsDigit(first), utf8.RuneCountInString(w) == 1, isListed(deeds, w), isListed(chores, w), IsChatter(w):
		return true
	}
	return isEmpty(w)
}
