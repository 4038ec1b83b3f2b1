package sentence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/text"
)

// Statement is a sentence that the user typed and that asks nothing.
type Statement struct {
	Text  string // on one line
	Worth int    // how much it seems to govern later work: 3 a rule, 2 what may be one, 1 a fact, 0 a request
	// HoldsOn says that the form alone makes it outlive its session: "Remember that …", "I prefer …", "From now on …",
	// or a short message that is nothing but a rule.
	HoldsOn bool
}

const (
	minStatement = 9   // bytes
	maxStatement = 300 // characters
	maxShort     = 200 // characters of a message that is nothing but a rule
	// minWrapped is how long a line must be that a terminal broke because it was full, in characters.
	minWrapped = 50
	// maxTyped is how many lines a person types into a prompt.
	maxTyped = 12
)

// Statements returns the statements of a message, in their order. Text that was pasted or printed has none, and neither
// has the answer to a question of Claude's (answers).
func Statements(message string, answers bool) (out []Statement) {
	message = unwrapped(Ends(message))
	if answers || IsIdle(message) || isDocument(message) {
		return nil
	}
	all := judge(message)
	isShort := len(all) <= 2 && text.Runes(message) <= maxShort
	at, isListed := 0, false // below "Remember:"
	for _, j := range all {
		begin := at + max(0, strings.Index(message[at:], j.Text))
		at = min(begin+len(j.Text), len(message))
		s := strings.Join(strings.Fields(strings.TrimLeft(j.Text, "-*•– ")), " ")
		if rest, asks := remembered(s); asks && rest == "" {
			isListed = true
			continue
		}
		isListed = isListed && isItem(j.Text)
		if !j.isTyped() || j.isAsked() || j.open || isQuestion(s) || IsChatter(s) || leadsOn(s) || isWithdrawn(s) ||
			len(s) < minStatement || text.Runes(s) > maxStatement || !isAddressed(s) {
			continue
		}
		holds := isListed || !isAnnounced(message[:begin]) && (holdsOn(s) || isShort && ordersForGood(s))
		out = append(out, Statement{s, j.worth(), holds && !isWithdrawn(message[at:])})
	}
	return out
}

// isAddressed reports whether a sentence begins as words to Claude do: not as a command, an address, a path or code.
func isAddressed(s string) bool {
	first, _, _ := strings.Cut(s, " ")
	r := firstRune(s)
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("\"'“«¿¡(@", r)) &&
		!strings.Contains(first, "://") && !isCommandLine(s)
}

// maxOrder is how many words an order to commit, to push or to run a command has at most, in a language that nobody
// here judges.
const maxOrder = 15

// worth returns how much a sentence seems to govern later work; see Statement.
func (j judged) worth() int {
	isAct := func(w string) bool { return isListed(gitActs, w) }
	isOrder := len(j.words) <= maxOrder && (strings.Contains(j.Text, " /") || slices.ContainsFunc(j.words, isAct))
	switch {
	case len(j.words) < 3 && j.found == 0 && !strings.ContainsFunc(j.Text, isUnspaced), j.isHardlyEnglish() && isOrder:
		return 0
	case j.isHardlyEnglish() && text.ContainsOne(j.Text, "://", "["): // it names what was printed
		return 1
	case j.isHardlyEnglish():
		return 2
	case j.Weight >= RuleWeight:
		return 3
	case j.Weight > 0, j.found&(strict|modal|only|contrast|negation|prefer) != 0 &&
		(j.Weight >= -3 || j.found&person != 0):
		return 2
	case j.found&(once|steady|wish|polite) != 0, j.Weight < -1:
		return 0
	}
	return 1
}

// isDocument reports whether a message is longer than a person types into a prompt, or was made elsewhere: it has
// headings, code or tables.
func isDocument(message string) bool {
	lines, marks := 0, 0
	for l := range strings.Lines(message) {
		t := strings.TrimSpace(l)
		switch {
		case t == "":
			continue
		case heading(t), text.BeginsWithOne(t, "```", "|", "---"):
			marks++
		}
		lines++
	}
	return lines > maxTyped || marks > 0 && lines > 3
}

// unwrapped returns a message with those lines joined that a terminal or an editor broke in the middle of a sentence.
func unwrapped(message string) string {
	var b strings.Builder
	before := ""
	for l := range strings.Lines(message) {
		t := strings.TrimSpace(l)
		switch {
		case b.Len() == 0:
		case text.Runes(before) >= minWrapped && !isComplete(before) && !leadsOn(before) &&
			unicode.IsLower(firstRune(t)):
			b.WriteByte(' ')
		default:
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimRight(l, "\r\n"))
		before = t
	}
	return b.String()
}

// isWithdrawn reports whether a clause of s takes back what was said: "Actually no, forget that."
func isWithdrawn(s string) bool {
	const leads = `actually no oh wait sorry ok please but and hm hmm well just`
	isMark := func(r rune) bool { return strings.ContainsRune(".,;!?\n—–…。，！", r) }
	for clause := range strings.FieldsFuncSeq(s, isMark) {
		_, words := foldWords(clause)
		for len(words) > 0 && isListed(leads, words[0]) {
			words = words[1:]
		}
		switch strings.TrimSuffix(strings.Join(words, " "), " again") {
		case "forget that", "forget it", "forget about it", "forget about that", "forget what i said", "never mind",
			"nevermind", "nvm", "scratch that", "strike that", "ignore that", "disregard that", "don't remember that",
			"do not remember that", "forget the last one":
			return true
		}
	}
	return false
}

// isAnnounced reports whether the text before a sentence announces somebody's words, or a text to work on: it ends with
// a colon, or a line that does stands in the same paragraph or in the one before.
func isAnnounced(before string) bool {
	lines, isAbove := strings.Split(before, "\n"), false
	for n := len(lines) - 1; n >= 0; n-- {
		line := strings.TrimSpace(lines[n])
		if leadsOn(line) {
			return true
		}
		if isAbove = isAbove || line == "" && n < len(lines)-1; isAbove && line != "" {
			break
		}
	}
	return false
}

// holdsOn reports whether a sentence says by its first words that it outlives its session.
func holdsOn(s string) bool {
	if rest, ok := remembered(s); ok {
		return strings.TrimSpace(rest) != ""
	}
	for _, lead := range [...]string{"i prefer ", "i'd prefer ", "i would prefer ", "i always want ", "i never want ",
		"i always prefer ", "from now on", "going forward", "in the future", "in future", "call me "} {
		if rest, ok := cutPrefix(withoutLead(s), lead); ok {
			return !isOfNow(rest)
		}
	}
	return false
}

// ordersForGood reports whether a sentence orders or forbids something for good: "never push to main".
func ordersForGood(s string) bool {
	_, words := foldWords(withoutLead(s))
	line := " " + strings.Join(words, " ") + " "
	forbidsAgain := text.BeginsWithOne(line, " don't ", " dont ", " do not ", " stop ") &&
		has(words, "again", "ever", "anymore")
	isLasting := forbidsAgain || has(words, "always", "never") || strings.Contains(line, " from now on ")
	if !isLasting || isOfNow(line) || PointsBack(s) {
		return false
	}
	switch words[0] {
	case "always", "never", "from", "don't", "dont", "do", "stop", "make", "ensure":
		return true
	case "you":
		return len(words) > 1 && text.OneOf(words[1], "should", "must", "need", "can", "may")
	case "we":
		return len(words) > 1 && text.OneOf(words[1], "always", "never", "should", "must")
	}
	return cueOf(words[0])&(once|steady|strict|negation) != 0
}

// isOfNow reports whether words point at what is in hand: "this", "option 2", "for now".
func isOfNow(words string) bool {
	_, all := foldWords(words)
	for i, w := range all {
		switch {
		case w == "this" && i+1 < len(all) && text.OneOf(all[i+1], "project", "repo", "repository", "codebase"):
		case text.OneOf(w, "this", "these", "those", "here", "today", "tomorrow", "option", "options"),
			i > 0 && all[i-1] == "the" && text.OneOf(w, "first", "second", "former", "latter"):
			return true
		case w == "now" && (i == 0 || all[i-1] == "for" || i+1 == len(all)):
			return true
		case text.OneOf(w, "that", "it") && (i < 2 || i+1 == len(all)):
			return true
		}
	}
	return len(all) == 0
}

// withoutLead returns a sentence without the words that only lead to it.
func withoutLead(s string) string {
	s = bare(s)
	for again := true; again; {
		again = false
		for _, lead := range [...]string{"please ", "please, ", "ok ", "ok, ", "okay ", "okay, ", "and ", "also ",
			"also, ", "btw ", "btw, ", "by the way, ", "claude, ", "ok. ", "important: ", "hey, ", "yes, ", "so ", "but "} {
			if cut, has := cutPrefix(s, lead); has {
				s, again = strings.TrimLeft(cut, " "), true
			}
		}
	}
	return s
}

// bare returns a sentence without the marks of a list around it.
func bare(s string) string { return strings.TrimLeft(s, " \t-*•–") }

// asking are the words with which a user asks for something to be remembered.
var asking = [...]string{
	"remember that", "remember this:", "remember:", "remember,", "remember always", "remember never",
	"remember to always", "remember to never", "remember always to", "remember from now on that", "remember i ",
	"remember we ", "keep in mind that", "keep in mind:", "keep in mind,", "bear in mind that", "don't forget that",
	"do not forget that", "never forget that", "make a note that", "take note that", "note to self:", "note for later:",
	"for later reference:", "for future reference:", "for future reference,", "remember for later:",
	"remember for later that", "remember for next time that", "remember for next time:", "memorize that", "memorize:",
	"memorise that", "memorise:",
}

// remembered returns what a sentence asks to be remembered, "" when that follows the sentence. ok is false for any
// other sentence.
func remembered(sentence string) (rest string, ok bool) {
	s := withoutLead(sentence)
	for _, a := range asking {
		cut, has := cutPrefix(s, a)
		if !has {
			continue
		}
		next, _ := utf8.DecodeRuneInString(cut)
		if !strings.HasSuffix(a, " ") && (unicode.IsLetter(next) || unicode.IsDigit(next)) {
			continue
		}
		rest = strings.TrimLeft(cut, " \t:,")
		switch {
		case strings.TrimSpace(rest) == "":
			return "", leadsOn(s)
		case strings.HasSuffix(a, " that") && pointsAtPast(rest):
			return "", false
		}
		return rest, true
	}
	return "", false
}

// pointsAtPast reports whether rest, the text behind "remember that", names something that happened: "that bug we had",
// "that time when".
func pointsAtPast(rest string) bool {
	words := strings.Fields(strings.ToLower(rest))
	switch strings.Trim(words[0], ".,") {
	case "time", "day", "bug", "issue", "error", "thing", "one", "script", "file", "function", "test", "crash",
		"conversation", "discussion", "branch", "ticket", "idea":
		for _, w := range words[1:min(len(words), 5)] {
			if text.OneOf(w, "we", "you", "i", "from", "where", "when", "that", "which", "yesterday", "last", "about") {
				return true
			}
		}
		return len(words) < 3
	}
	return false
}

// cutPrefix is strings.CutPrefix that ignores case and the form of an apostrophe. prefix is in lower case.
func cutPrefix(s, prefix string) (string, bool) {
	i := 0
	for _, want := range prefix {
		r, n := utf8.DecodeRuneInString(s[i:])
		if n == 0 {
			return s, false
		}
		if r == '’' {
			r = '\''
		}
		if unicode.ToLower(r) != want {
			return s, false
		}
		i += n
	}
	return s[i:], true
}

// Typed returns the sentences of a message that the user typed, in their order: not those that were pasted or printed.
func Typed(message string) (out []string) {
	for _, j := range judge(message) {
		if j.isTyped() {
			out = append(out, j.Text)
		}
	}
	return out
}
