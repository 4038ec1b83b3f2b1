package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/text"
)

// What follows weighs sentences for the six kinds of record that need somebody's consent. A sentence scores by the
// strongest phrase in it that speaks for a kind (decided to, must never, root cause), more by what often stands beside
// that (because, instead of, until), less by doubt and by what holds for the task in hand alone. It prefers saying
// nothing: a suggestion that is none costs the user more than one that is missing, since everything typed is kept by
// the journal anyway.

// Found is a sentence that may be worth a record.
type Found struct {
	Kind  string
	Title string // words of Quote, at most maxTitle characters
	Quote string // the sentence as it stands in the message
	Score float64
}

const (
	// maxTitle is how long the title of a record may be, in characters.
	maxTitle = 120

	minSentence = 12       // bytes: what is shorter says nothing by itself
	maxSentence = 400      // characters: nobody states a rule in more
	maxAnswer   = 32 << 10 // bytes, from its end: what Claude says last sums up the rest
)

// Triage returns the sentences of a message that score at least threshold(kind), each with the kind for which it scores
// most. Claude's sentences, which are not typed, need stronger evidence, and are never a preference nor a snapshot.
// Code, quotations, pasted logs and documents do not count.
func Triage(message string, typed bool, threshold func(kind string) float64) (out []Found) {
	type candidate struct {
		text   string
		weight int
	}
	var all []candidate
	if typed {
		for _, j := range judge(message) {
			if j.isTyped() && (!j.isAsked() || strings.HasPrefix(strings.ToLower(j.Text), "where we ")) {
				all = append(all, candidate{j.Text, j.Weight})
			}
		}
	} else {
		message = message[max(0, len(message)-maxAnswer):]
		for _, s := range Split(proseOf(message)) {
			all = append(all, candidate{text: s})
		}
	}
	for _, s := range all {
		kind, score := weighKinds(s.text, typed, s.weight)
		if kind == "" || score < threshold(kind) {
			continue
		}
		out = append(out, Found{Kind: kind, Title: titleOf(s.text), Quote: s.text, Score: score})
	}
	return out
}

// proseOf returns a message without the lines that are no prose of its writer: quotations, tables, headings, indented
// code.
func proseOf(message string) string {
	lines := strings.Split(message, "\n")
	kept := lines[:0]
	for _, l := range lines {
		t := strings.TrimSpace(l)
		if strings.HasPrefix(l, "    ") || strings.HasPrefix(l, "\t") || strings.HasPrefix(t, ">") ||
			strings.HasPrefix(t, "|") || strings.HasPrefix(t, "#") {
			continue
		}
		kept = append(kept, l)
	}
	return strings.Join(kept, "\n")
}

// weighKinds returns the kind for which a sentence scores most, "" for none, and the score, 0 to 1. rule is the weight
// of the sentence as a rule.
func weighKinds(sentence string, typed bool, rule int) (string, float64) {
	if len(sentence) < minSentence || text.Runes(sentence) > maxSentence || isQuestion(sentence) || leadsOn(sentence) {
		return "", 0
	}
	line, latin := foldLine(sentence)
	if len(strings.Fields(line)) < 5 && latin { // with the marks of its ends
		return "", 0
	}
	var best [kinds]int
	found := scan(line, latin, &best)
	if found&denied != 0 || !typed && found&narrated != 0 {
		return "", 0
	}
	if typed {
		weighLasting(rule, found, &best)
	}
	if found&unsure != 0 {
		for k := range best {
			best[k] -= 25
		}
	}
	if found&local != 0 {
		best[preference] -= 30
		best[constraint] -= 30
		best[decision] -= 15
	}
	if found&vague != 0 {
		best[decision] = 0
	}
	if found&likely != 0 {
		best[constraint] = 0
	}
	if found&reported != 0 || reports(line) {
		best[preference] -= 40
		best[constraint] -= 40
	}
	at, score := -1, 0
	for k := range best {
		n := best[k]
		if n <= 0 {
			continue
		}
		if !typed {
			if k == preference || k == memento || n < 40 {
				continue
			}
			n = n * 8 / 10
		}
		boosts := 0
		for b := found & boosters[k]; b != 0; b &= b - 1 {
			boosts++
		}
		if n += 12 * min(boosts, 3); n > score {
			at, score = k, n
		}
	}
	if at < 0 {
		return "", 0
	}
	return kindNames[at], float64(min(score, 100)) / 100
}

// weighLasting adds to best what a rule that holds on is worth: an order with "always", "never" or "from now on". An
// order without such a word holds for the task in hand.
func weighLasting(rule int, found aside, best *[kinds]int) {
	if rule < 2 || found&lasting == 0 {
		return
	}
	kind := preference
	if found&forbids != 0 {
		kind = constraint
	}
	best[kind] = max(best[kind], 52)
}

// reports reports whether "always" or "never" tells how things go, not how they should go.
func reports(line string) bool {
	for _, w := range [...]string{"always", "never", "immer", "nie", "siempre", "nunca", "sempre", "toujours", "jamais",
		"mai"} {
		_, rest, ok := strings.Cut(line, " "+w+" ")
		if !ok {
			continue
		}
		next, _, _ := strings.Cut(rest, " ")
		switch next {
		case "get", "gets", "got", "fail", "fails", "failed", "work", "works", "worked", "load", "loads", "loaded",
			"happen", "happens", "happened", "run", "runs", "ran", "return", "returns", "see", "sees", "saw", "forget",
			"had", "was", "were", "is", "are", "have", "has", "takes", "took", "one", "shows", "crashes", "hangs",
			"mind", "comes", "appears", "seen", "thought", "know", "knew", "been", "ends", "tried", "wondered",
			"en", "de", "auf", "noch", "wieder", "falla", "fallan", "funciona", "carga", "carrega", "aparece", "da",
			"dá", "échoue", "plante", "marche", "pas", "ceci", "cela", "end":
			return true
		}
	}
	return false
}

// start is how a line of foldLine begins.
const start = " ^ "

// foldLine returns a sentence for scanning: in lower case, words between single spaces, commas and colons as words,
// without text in code or double quotation marks. latin is false for a sentence with Chinese, Japanese or Korean
// characters.
func foldLine(sentence string) (line string, latin bool) {
	s := strings.ToLower(strings.ReplaceAll(unquoted(sentence), "’", "'"))
	var b strings.Builder
	b.Grow(len(s) + 8)
	b.WriteString(start)
	latin = true
	gap := true
	mark := func(r rune) {
		if !gap {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		b.WriteByte(' ')
		gap = true
	}
	for i, r := range s {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '_' || unicode.Is(unicode.M, r) ||
			(r == '-' || r == '.' || r == '/') && !gap && i+1 < len(s) && s[i+1] > ' ':
			latin = latin && r < 0x2e80
			b.WriteRune(r)
			gap = false
		case r == ':' || r == '：':
			mark(':')
		case strings.ContainsRune(",;()—–、，；", r):
			if b.Len() > len(start) {
				mark(',')
			}
		case !gap:
			b.WriteByte(' ')
			gap = true
		}
	}
	if !gap {
		b.WriteByte(' ')
	}
	b.WriteString("$ ")
	return b.String(), latin
}

// titleOf returns the title of a record of this sentence: its words without an opening such as "we decided to".
func titleOf(sentence string) string {
	s := bare(sentence)
	low := strings.ToLower(s)
	if len(low) == len(s) { // lower case that is longer or shorter says nothing of where words end
		for again := true; again; {
			again = false
			for _, lead := range [...]string{"ok ", "ok, ", "okay ", "also ", "and ", "so ", "please ",
				"final decision: ", "decision: ", "decided: ", "we decided to ", "we've decided to ", "i decided to ",
				"i've decided to ", "we agreed to ", "policy: ", "constraint: ", "known limitation: ", "limitation: ",
				"root cause: ", "todo: ", "entscheidung: ", "from now on ", "bitte ", "remember that ", "remember: "} {
				n := len(lead)
				if bold := strings.TrimSuffix(lead, " ") + "** "; strings.HasSuffix(lead, ": ") &&
					strings.HasPrefix(low, bold) {
					n = len(bold)
				} else if !strings.HasPrefix(low, lead) {
					continue
				}
				if len(low)-n >= 8 {
					s, low = strings.TrimLeft(s[n:], " "), strings.TrimLeft(low[n:], " ")
					again = true
				}
			}
		}
	}
	return shortened(s)
}

// bare returns s without the marks of a list or of emphasis at its ends.
func bare(s string) string {
	s = strings.TrimLeft(s, " \t-*•–#>_~")
	if digits := strings.TrimLeft(s, "0123456789"); len(digits) < len(s) &&
		(strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")) {
		s = strings.TrimLeft(digits[2:], " *_")
	}
	return strings.TrimRight(s, " \t*_~")
}

// shortened returns the first line of s, cut at a word to the length of a title.
func shortened(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	s = strings.TrimSpace(s)
	if text.Runes(s) > maxTitle {
		s, _ = text.Cut(s, maxTitle+1) // the ellipsis goes again: a title has words of the sentence alone
		s = strings.TrimSuffix(s, text.Ellipsis)
		for text.Runes(s) > maxTitle {
			_, n := utf8.DecodeLastRuneInString(s)
			s = s[:len(s)-n]
		}
	}
	return strings.TrimRight(strings.TrimSpace(s), ".,;:!。 ")
}
