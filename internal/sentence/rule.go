package sentence

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// What follows judges which of a person's sentences should govern later work. It weighs evidence: what the words are
// (cues, in cue.go), where they stand in their clause, and where the sentence stands in its message. The verdict
// decides what goes first when room is short and what is marked, nothing else: everything typed is kept.

// Weights of a sentence, from the least to the most worth keeping in sight. A sentence weighs more the more evidence
// there is; RuleWeight and more make it a rule.
const (
	printedWeight = -100 // not typed: a log line, code, a heading
	foreignWeight = 5    // what less somebody else's sentence weighs
	tellWeight    = -1   // tells something; what weighs less asks back, or reports
	RuleWeight    = 2    // what weighs this much looks like a rule
)

// setsRule reports whether a sentence by itself looks like a rule: it governs later work.
func setsRule(sentence string) bool { return weightOf(sentence) >= RuleWeight }

// rulesIn returns the sentences of message that look like rules, in their order. Each is a part of message.
func rulesIn(message string) (out []string) {
	for _, s := range judge(message) {
		if s.Weight >= RuleWeight {
			out = append(out, s.Text)
		}
	}
	return out
}

// weightOf returns how much a sentence by itself looks like a rule.
func weightOf(sentence string) int {
	if !isProse(sentence) || text.Runes(sentence) > MaxQuoted {
		return printedWeight
	}
	return weigh(sentence, readCues(sentence))
}

const (
	// MaxQuoted is how much of what was said is quoted at once, in characters: a longer sentence is quoted in part
	// only.
	MaxQuoted = 400
	// maxJudged is how much of a message is looked at, in bytes: nobody types more.
	maxJudged = 32 << 10
	// manyPrinted is how many printed lines make a message a pasted one, with a few words before or after.
	manyPrinted = 5
	// maxPasted is how many sentences may be rules in what was pasted: a person sets two or three there; more is a text
	// that happens to hold the words. What was typed has no limit.
	maxPasted = 3
)

// judged is a sentence of a message and its weight there.
type judged struct {
	Text   string
	Weight int

	reading
	foreign bool // somebody else's: a reviewer's, a document's
	section int  // how many headings stand before it
}

// isTyped reports whether the user typed the sentence: it was neither printed, nor pasted, nor announced as somebody
// else's.
func (j judged) isTyped() bool { return len(j.words) > 0 && !j.foreign && j.Weight > printedWeight }

// isWritten reports whether somebody wrote the sentence: it was not printed.
func (j judged) isWritten() bool { return j.Weight > printedWeight/2 }

// isAsked reports whether the sentence is a question.
func (j judged) isAsked() bool { return j.found&ask != 0 }

// judge returns the sentences of message, each with its weight in its place. A sentence of a pasted log is nobody's
// wish. A sentence of a pasted review or document is first of all somebody else's.
func judge(message string) []judged {
	long := len(message) > maxJudged
	if long { // what a person types stands at its ends
		half := maxJudged / 2
		head, tail := message[:half], message[len(message)-half:]
		message = head[:strings.LastIndexAny(head, "\n ")+1] + "\n" + tail[strings.IndexAny(tail, "\n ")+1:]
	}
	lines := strings.Split(message, "\n")
	printed := printedLines(lines)
	dense := long || countTrue(printed) >= manyPrinted
	all := sentencesOf(lines, printed)
	last, pasted := len(all)-1, 0
	for i := range all {
		s := &all[i]
		outer := (i == 0 || i == last) && s.found&(once|steady|negation|strict|modal|only|ask) != 0
		switch {
		case i == last && len(s.words) < 8: // what a person asks stands at the end
			s.foreign = false
		case dense && s.found&(person|polite) == 0 && !outer: // around a long print, it is the rest of it
			s.foreign = true
		case all[last].section > 1 && s.section > 0 && s.found&person == 0:
			s.foreign = true
		}
		if s.foreign {
			s.Weight -= foreignWeight
		}
	}
	for i := last; i >= 0; i-- {
		if s := &all[i]; s.Weight >= RuleWeight && (dense || s.foreign) {
			if pasted++; pasted > maxPasted {
				s.Weight = RuleWeight - 1
			}
		}
	}
	raiseLists(all)
	return all
}

// sentencesOf returns the sentences of a message's lines, each with its weight by itself. Sentences that were announced
// as another's, or stand in a paragraph that speaks of code as reviewers do, are marked as foreign.
func sentencesOf(lines []string, printed []bool) (all []judged) {
	section, first := 0, 0 // first is where the paragraph begins
	announced, technical := false, false
	var code text.Fence
	paragraph := func() {
		for i := first; technical && i < len(all); i++ {
			s := &all[i]
			s.foreign = s.foreign || len(s.words) >= 8 && s.begins&(steady|negation|strict|once|modal) == 0 &&
				s.found&person == 0
		}
		first, technical = len(all), false
	}
	for i, l := range lines {
		t := strings.TrimSpace(l)
		switch {
		case code.Has(t):
			continue
		case t == "":
			paragraph()
			continue
		case heading(t):
			section++
		}
		technical = technical || printed[i] && countNames(t) > 1
		for _, words := range splitLine(l) {
			s := judged{Text: words, Weight: printedWeight, section: section}
			switch {
			case printed[i], !isProse(words):
			case text.Runes(words) > MaxQuoted: // it is quoted in part only
				s.Weight = 0
			default:
				s.reading = readCues(words)
				s.Weight = weigh(words, s.reading)
			}
			announced = announced && s.found&(person|polite) == 0
			technical = technical || len(s.words) >= 10 && (s.names > 1 || s.names > 0 && s.found&person == 0)
			s.foreign = announced
			all = append(all, s)
		}
		announced = announced || strings.HasSuffix(t, ":") && announcesPrint(t)
	}
	paragraph()
	return all
}

// countTrue returns how many elements are true.
func countTrue(list []bool) (n int) {
	for _, b := range list {
		if b {
			n++
		}
	}
	return n
}

// raiseLists makes rules of the other items of a list of three and more items most of which are rules.
func raiseLists(all []judged) {
	for begin := 0; begin < len(all); begin++ {
		end, rules := begin, 0
		for end < len(all) && isItem(all[end].Text) && !all[end].foreign {
			if all[end].Weight >= RuleWeight {
				rules++
			}
			end++
		}
		if n := end - begin; n >= 3 && rules*2 > n {
			for i := begin; i < end; i++ {
				if all[i].Weight >= tellWeight {
					all[i].Weight = max(all[i].Weight, RuleWeight)
				}
			}
		}
		begin = max(begin, end-1)
	}
}

// isItem reports whether a sentence is an item of a list.
func isItem(s string) bool {
	return text.BeginsWithOne(s, "- ", "* ", "• ", "– ")
}

// weigh adds up the evidence that c has read in a typed sentence.
func weigh(sentence string, c reading) int {
	if len(sentence) < 6 {
		return 0
	}
	if c.order {
		c.found &^= report | gone | doubt
	}
	w := 0
	for _, e := range [...]struct {
		cue    cue
		weight int
	}{{strict, 3}, {modal, 2}, {only, 2}, {wish, 2}, {prefer, 3}, {choice, 3}, {bound, 3}, {scope, 1}, {contrast, 2},
		{fact, 3}, {extent, 1}, {weighty, 2}, {allow, 2}, {alike, 2}, {steady, 3}, {negation, 3}, {report, -2},
		{gone, -2}} {
		if c.found&e.cue != 0 {
			w += e.weight
		}
	}
	if c.found&once != 0 && c.found&(steady|negation|strict|modal|contrast|only|alike) == 0 {
		w -= 2
	}
	if c.found&doubt != 0 && c.found&(modal|strict) == 0 {
		w -= 2
	}
	if c.found&ask != 0 {
		w -= 4
	}
	if c.open {
		w -= 3
	}
	// how reviewers and their machines write of code
	if c.names > 0 && len(c.words) >= 10 && c.found&person == 0 && c.begins&(steady|negation|strict|once|modal) == 0 {
		w -= 4
	}
	return w
}
