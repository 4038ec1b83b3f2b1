package sentence

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

const (
	// RuleWeight is how much a sentence weighs at least that looks like a rule for later work.
	RuleWeight = 2
	// unknownWeight is the weight of what nobody here can judge.
	unknownWeight = 1

	// MaxQuoted is how much of a message is quoted at once, in characters, where it is not quoted by its sentences.
	MaxQuoted = 400
	// long is how long a message is that was pasted for the most part, in bytes.
	long = MaxLooked / 2
	// manyPrinted is how many printed lines make a message a pasted one, with a few words before or after.
	manyPrinted = 5
)

// Part is a sentence of a message that may be quoted.
type Part struct {
	Begin, End int  // its place in the message, in bytes
	Weight     int  // how much it seems to govern later work; see RuleWeight
	Asks       bool // it orders, wishes or suggests that something be done; a question that wants an answer does not
	Back       bool // it says half of a statement without the sentence before it
}

// Rule reports whether the sentence looks like a rule for later work.
func (p Part) Rule() bool { return p.Weight >= RuleWeight }

// Judge returns the sentences of message that the user typed, in their order.
func Judge(message string) (out []Part) {
	at, message := 0, unwrapped(message)
	for i, s := range judge(message) {
		begin := strings.Index(message[at:], s.Text)
		if begin < 0 {
			continue
		}
		begin += at
		at = begin + len(s.Text)
		if !s.foreign {
			out = append(out, Part{Begin: begin, End: at, Weight: s.Weight,
				Asks: s.found&(once|polite|wish|modal) != 0 && (s.lead&doubt != 0 || !s.onlyAsks()),
				Back: i > 0 && PointsBack(s.Text)})
		}
	}
	return out
}

// judged is a sentence of a message that was not printed, and its weight there.
type judged struct {
	Text   string
	Weight int

	reading
	foreign bool // somebody else's: a reviewer's, or a part of a long print
	below   bool // "Remember:", or an item below it
}

// isTyped reports whether the user typed the sentence: it was neither pasted nor announced as somebody else's.
func (j judged) isTyped() bool { return len(j.words) > 0 && !j.foreign }

// isAsked reports whether the sentence is a question, and not an order for good: "could you always …?"
func (j judged) isAsked() bool { return j.found&ask != 0 && j.found&(polite|strict) != polite|strict }

// judge returns the sentences of message that were not printed. What nobody speaks in a long print is somebody else's.
func judge(message string) []judged {
	isLong := len(message) > long
	message = Ends(message) // what a person types stands there
	all, printed := sentencesOf(strings.Split(message, "\n"))
	last := len(all) - 1
	for i := range all {
		s := &all[i]
		outer := (i == 0 || i == last) && s.found&(once|steady|negation|strict|modal|only|ask) != 0 || i == 0 && s.open
		isAsked := i == last && len(s.words) < 8 // what a person asks stands at the end
		s.foreign = !isAsked && (s.foreign ||
			(isLong || printed >= manyPrinted) && s.found&(person|polite) == 0 && !outer)
	}
	return all
}

// sentencesOf returns the sentences of a message's lines, each with its weight by itself, and the number of printed
// lines. Sentences that were announced as another's are marked as foreign.
func sentencesOf(lines []string) (all []judged, printed int) {
	isPrinted, announced, below := printedLines(lines), false, false
	var code text.Fence
	for i, l := range lines {
		t := strings.TrimSpace(l)
		if code.Has(t) || t == "" || heading(t) {
			continue
		}
		if isPrinted[i] {
			printed++
			continue
		}
		below = below && text.BeginsWithOne(t, "- ", "* ", "• ", "– ")
		for _, words := range splitLine(l) {
			if !isProse(words) {
				continue
			}
			rest, asks := remembered(words)
			below = below || asks && rest == ""
			s := judged{Text: words, reading: read(words), below: below}
			s.Weight = s.weigh()
			if s.isForeign() {
				s.Weight = unknownWeight
			}
			announced = announced && s.found&(person|polite) == 0
			s.foreign = announced
			all = append(all, s)
		}
		announced = announced || strings.HasSuffix(t, ":") && announcesPrint(t)
	}
	return all, printed
}

// PointsBack reports whether a sentence says what to do by pointing at the sentence before it: "let's not do that
// again", "do it like this from now on". It names nothing itself.
func PointsBack(s string) bool {
	const pointers = `that this it so like those these way`
	const idle = `hereafter de do done doing make made way ways again like future forward going onwards onward on every
		time now everywhere`
	_, words := foldWords(s)
	if isQuestion(s) {
		return false
	}
	carriesNothing := func(w string) bool {
		return isListed(idle, w) || isEmpty(w) || isChatterWord(w) || cueOf(w)&^(once|steady) != 0
	}
	points := false
	for i, w := range words {
		isPointer := isListed(pointers, w)
		if !isPointer && !carriesNothing(w) {
			return false
		}
		// "that test" names what it points at
		points = points || isPointer && (i+1 == len(words) || carriesNothing(words[i+1]))
	}
	return points
}
