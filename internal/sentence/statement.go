package sentence

import (
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
	at := 0
	for _, j := range all {
		begin := at + max(0, strings.Index(message[at:], j.Text))
		at = min(begin+len(j.Text), len(message))
		s := strings.Join(strings.Fields(strings.TrimLeft(j.Text, "-*•– ")), " ")
		if rest, asks := remembered(s); asks && rest == "" {
			continue
		}
		line := message[strings.LastIndexByte(message[:begin], '\n')+1 : begin]
		isQuoted := strings.Count(line, `"`)%2+strings.Count(s, `"`)%2 > 0 || // also half a quotation
			strings.LastIndex(line, "“") > strings.LastIndexAny(line, "„”")
		if !j.isTyped() || isQuoted || j.isAsked() || j.open || IsChatter(s) || isWithdrawn(s) || !isAddressed(s) ||
			len(s) < minStatement || text.Runes(s) > maxStatement {
			continue
		}
		isAnnounced := strings.Contains(message[:begin], ":\n") || leadsOn(message[:begin])
		holds := j.below || !isAnnounced && (holdsOn(s) || isShort && ordersForGood(s))
		out = append(out, Statement{s, j.worth(), holds && !isWithdrawn(message[at:])})
	}
	return out
}

// isAddressed reports whether a sentence begins as words to Claude do: not as a command, an address, a path or code.
func isAddressed(s string) bool {
	first, _, _ := strings.Cut(s, " ")
	r := firstRune(s)
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("\"'“«¿¡(@", r)) &&
		!strings.Contains(first, "://") && !strings.Contains(s, " --")
}

// worth returns how much a sentence seems to govern later work; see Statement.
func (j judged) worth() int {
	switch {
	case len(j.words) < 3 && j.found&^(plain|link|person) == 0 && !strings.ContainsFunc(j.Text, isUnspaced):
		return 0
	// it names what was printed, or may be an order to commit
	case j.isHardlyEnglish() && (text.ContainsOne(j.Text, "://", "[") || hasAny(j.words, acts)):
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
		if heading(t) || text.BeginsWithOne(t, "```", "|", "---") {
			marks++
		}
		if t != "" {
			lines++
		}
	}
	return lines > maxTyped || marks > 0 && lines > 3
}

// unwrapped returns a message with a space for each line end that a terminal or an editor put into a sentence. Every
// other byte keeps its place.
func unwrapped(message string) string {
	out, at, before := []byte(message), 0, ""
	for line := range strings.Lines(message) {
		next := strings.TrimSpace(line)
		isWhole := isComplete(before) || leadsOn(before) || !unicode.IsLower(firstRune(next))
		if text.Runes(before) >= minWrapped && !isWhole {
			out[at-1] = ' '
		}
		at, before = at+len(line), next
	}
	return string(out)
}

// isWithdrawn reports whether a clause of s takes back what was said: "Actually no, forget that."
func isWithdrawn(s string) bool {
	isMark := func(r rune) bool { return strings.ContainsRune(".,;!?\n—–…。，！", r) }
	for clause := range strings.FieldsFuncSeq(s, isMark) {
		clause, _ = foldWords(clause)
		for _, lead := range [...]string{"actually ", "no ", "oh ", "sorry ", "ok "} {
			clause = strings.TrimPrefix(clause, lead)
		}
		switch clause {
		case "forget that", "forget it", "forget about it", "forget what i said", "never mind", "nevermind", "nvm",
			"scratch that", "strike that", "ignore that", "don't remember that":
			return true
		}
	}
	return false
}

// holdsOn reports whether a sentence says by its first words that it outlives its session.
func holdsOn(s string) bool {
	if rest, ok := remembered(s); ok {
		return rest != ""
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
	line, words := foldWords(withoutLead(s))
	forbidsAgain := text.BeginsWithOne(line, "don't ", "dont ", "do not ", "stop ") &&
		hasAny(words, "again ever anymore")
	isLasting := forbidsAgain || hasAny(words, "always never") || strings.Contains(line, "from now on")
	if !isLasting || isOfNow(line) || PointsBack(s) {
		return false
	}
	isSaidOfUs := text.BeginsWithOne(line, "you should ", "you must ", "you need ", "you can ", "you may ", "we always ",
		"we never ", "we should ", "we must ")
	return isSaidOfUs || words[0] == "from" || cueOf(words[0])&(once|steady|strict|negation) != 0
}

// isOfNow reports whether words point at what is in hand: "this", "option 2", "for now".
func isOfNow(words string) bool {
	_, all := foldWords(words)
	isNamed := false // whether a word before names what "it" is
	for i, w := range all {
		isLast := i+1 == len(all)
		isNamed = isNamed || cueOf(w) == 0 && !isEmpty(w)
		switch {
		case w == "this" && !isLast && isListed("project repo repository codebase", all[i+1]):
		case isListed("this these those here today tomorrow option options second former latter", w),
			w == "now" && (i == 0 || all[i-1] == "for" || isLast), text.OneOf(w, "that", "it") && (i < 2 || isLast),
			w == "it" && !isNamed:
			return true
		}
	}
	return len(all) == 0
}

// withoutLead returns a sentence without the words that only lead to it.
func withoutLead(s string) string {
	s = strings.TrimLeft(s, " \t-*•–")
	for again := true; again; {
		again = false
		for _, lead := range [...]string{"please", "ok", "okay", "and", "also", "btw", "by the way", "claude", "important:",
			"hey", "yes", "so", "but"} {
			rest, has := cutPrefix(s, lead)
			if cut := strings.TrimLeft(rest, ",. "); has && len(cut) < len(rest) {
				s, again = cut, true
			}
		}
	}
	return s
}

// remembered returns what a sentence asks to be remembered, "" when that follows the sentence. ok is false for any
// other sentence: "remember that bug we had" tells of something that happened.
func remembered(sentence string) (rest string, ok bool) {
	s := withoutLead(sentence)
	for _, asking := range [...]string{"remember that ", "remember this:", "remember:", "remember,", "remember always ",
		"remember never ", "remember to always ", "remember to never ", "remember i ", "remember we ",
		"keep in mind that ", "keep in mind:", "keep in mind,", "bear in mind that ", "don't forget that ",
		"do not forget that ", "never forget that ", "note to self:", "for future reference:", "for future reference,"} {
		rest, has := cutPrefix(s, asking)
		if !has {
			continue
		}
		words := strings.Fields(strings.ToLower(rest))
		isPast := strings.HasSuffix(asking, "that ") && (len(words) < 2 || isListed("we you i", words[1]) &&
			!isListed("when if while whenever before after", words[0]))
		return strings.TrimSpace(rest), !isPast
	}
	return "", false
}

// cutPrefix is strings.CutPrefix that ignores case and the form of an apostrophe. prefix is in lower case.
func cutPrefix(s, prefix string) (string, bool) {
	i := 0
	for _, want := range prefix {
		r, n := utf8.DecodeRuneInString(s[i:])
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
