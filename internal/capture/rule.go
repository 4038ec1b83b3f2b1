package capture

import (
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/text"
)

// What follows judges which of a person's sentences should govern later work. It weighs evidence: what the words are
// (cues, in cue.go), where they stand in their clause, and where the sentence stands in its message. The verdict decides
// what goes first when room is short and what is marked, nothing else: everything typed is kept.

// Weights of a sentence, from the least to the most worth keeping in sight. A sentence weighs more the more evidence
// there is; ruleWeight and more make it a rule.
const (
	printedWeight = -100 // not typed: a log line, code, a heading
	foreignWeight = 5    // what less somebody else's sentence weighs
	tellWeight    = -1   // tells something; what weighs less asks back, or reports
	ruleWeight    = 2
)

// Rule reports whether a sentence by itself looks like one that governs later work.
func Rule(sentence string) bool { return Weight(sentence) >= ruleWeight }

// maxPasted is how many sentences may be rules where part of the message was pasted: a person sets two or three there;
// more is a text that happens to hold the words.
const maxPasted = 3

// Rules returns the sentences of message that look like rules, in their order, each a part of message: all that were
// typed, however many; of a message with a pasted text in it the last few, because what a person asks stands at the end
// of what they paste.
func Rules(message string) []string {
	var out []string
	all, pasted := judge(message)
	for _, s := range all {
		if s.Weight >= ruleWeight {
			out = append(out, s.Text)
		}
	}
	if pasted {
		out = out[max(0, len(out)-maxPasted):]
	}
	return out
}

// Weight says how much a sentence by itself looks like one that governs later work.
func Weight(sentence string) int {
	if !prose(sentence) || text.Runes(sentence) > journal.MaxSaid {
		return printedWeight
	}
	return weigh(sentence, read(sentence))
}

// maxJudged is how much of a message is looked at, in bytes: nobody types more.
const maxJudged = 32 << 10

// Judged is a sentence of a message and what it weighs there.
type Judged struct {
	Text   string
	Weight int

	found   cue
	foreign bool // somebody else's: a reviewer's, a document's
}

// Judge returns the sentences of message with what each weighs where it stands: what stands in a pasted log is nobody's
// wish, and in a pasted review or document it is first of all somebody else's.
func Judge(message string) []Judged {
	all, _ := judge(message)
	return all
}

func judge(message string) (all []Judged, pasted bool) {
	if len(message) > maxJudged { // what a person types stands at its ends
		half := maxJudged / 2
		head, tail := message[:half], message[len(message)-half:]
		head = head[:strings.LastIndexAny(head, "\n ")+1]
		tail = tail[strings.IndexAny(tail, "\n ")+1:]
		message, pasted = head+"\n"+tail, true
	}
	lines := strings.Split(message, "\n")
	printed := printedLines(lines)
	var (
		readings       []reading
		sections       []int // of each sentence: how many headings stand before it
		headings       int
		first          int  // sentence of this paragraph
		technical      bool // this paragraph speaks of code as a reviewer does
		quoted, fenced bool // announced as another's words; in a code fence
	)
	paragraph := func() {
		for i := first; technical && i < len(all); i++ {
			r := readings[i]
			all[i].foreign = all[i].foreign || len(r.words) >= 8 && r.begins&(steady|negation|strict|once|modal) == 0 && r.found&person == 0
		}
		first, technical = len(all), false
	}
	for i, l := range lines {
		t := strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(t, "```"):
			fenced = !fenced
			pasted = true
			continue
		case fenced:
			continue
		case t == "":
			paragraph()
			continue
		case heading(t):
			headings++
		}
		if printed[i] {
			pasted = true
			technical = technical || names(t) > 1
		}
		for _, s := range Sentences(l) {
			r, w := reading{}, printedWeight
			switch {
			case printed[i], !prose(s):
			case text.Runes(s) > journal.MaxSaid: // it is quoted in part only
				w = 0
			default:
				r = read(s)
				w = weigh(s, r)
			}
			if r.found&(person|polite) != 0 {
				quoted = false
			}
			technical = technical || len(r.words) >= 10 && (r.names > 1 || r.names > 0 && r.found&person == 0)
			all, readings, sections = append(all, Judged{s, w, r.found, quoted}), append(readings, r), append(sections, headings)
		}
		if strings.HasSuffix(t, ":") && announces(t) {
			quoted = true
		}
	}
	paragraph()
	dense := count(printed) >= manyPrinted
	for i := range all {
		f := &all[i].foreign
		r := readings[i]
		outer := (i == 0 || i == len(all)-1) && r.found&(once|steady|negation|strict|modal|only|ask) != 0
		if dense && r.found&(person|polite) == 0 && !outer { // around a long print, it is the rest of it
			*f = true
		} else if headings > 1 && sections[i] > 0 && r.found&person == 0 {
			*f = true
		}
		if i == len(all)-1 && len(readings[i].words) < 8 { // what a person asks stands at the end
			*f = false
		}
		if *f {
			all[i].Weight -= foreignWeight
			pasted = true
		}
	}
	list(all)
	return all, pasted
}

// list makes rules of what stands among rules: who writes down three and more points, most of them rules, sets no others.
func list(all []Judged) {
	for begin := 0; begin < len(all); begin++ {
		end, rules := begin, 0
		for end < len(all) && item(all[end].Text) && !all[end].foreign {
			if all[end].Weight >= ruleWeight {
				rules++
			}
			end++
		}
		if n := end - begin; n >= 3 && rules*2 > n {
			for i := begin; i < end; i++ {
				if all[i].Weight >= tellWeight {
					all[i].Weight = max(all[i].Weight, ruleWeight)
				}
			}
		}
		begin = max(begin, end-1)
	}
}

// item reports whether a sentence is a point of a list.
func item(s string) bool {
	for _, mark := range [...]string{"- ", "* ", "• ", "– "} {
		if strings.HasPrefix(s, mark) {
			return true
		}
	}
	return false
}

// manyPrinted is how many printed lines make a message a pasted one, with a few words before or after.
const manyPrinted = 5

func count(list []bool) (n int) {
	for _, b := range list {
		if b {
			n++
		}
	}
	return n
}

// weigh adds up the evidence in a sentence that was typed, as c has read it.
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
	}{{strict, 3}, {modal, 2}, {only, 2}, {wish, 2}, {prefer, 3}, {choice, 3}, {bound, 3}, {scope, 1}, {contrast, 2}, {fact, 3}, {extent, 1}, {weighty, 2}, {allow, 2}, {alike, 2}, {steady, 3}, {negation, 3}, {report, -2}, {gone, -2}} {
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
	if c.names > 0 && len(c.words) >= 10 && c.found&person == 0 && c.begins&(steady|negation|strict|once|modal) == 0 { // how reviewers and their machines write of code
		w -= 4
	}
	return w
}
