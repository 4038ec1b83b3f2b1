package sentence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/text"
)

// What follows tells "remember that the mock is slow" from "remember that joke about the mock" and "remember that when
// you write one". English has one word for both, so it takes a subject with a verb, as far as the words show it. In
// doubt a clause is taken for one where the word behind "that" cannot stand behind "that" as a pointer: an article, a
// pronoun, a plural.

// isWholeClause reports whether rest, the words behind "remember that", is a clause of its own.
func isWholeClause(rest string) bool {
	line, latin := foldLine(rest)
	if !latin {
		return true
	}
	w := strings.Fields(line)
	w = w[1 : len(w)-1] // the marks of its ends
	comma := strings.HasPrefix(strings.TrimLeft(rest, " *_"), ",")
	for len(w) > 0 && (w[0] == "," || w[0] == ":" || w[0] == "please" || w[0] == "also") {
		w = w[1:]
	}
	if len(w) == 0 {
		return false
	}
	if n := countSubordinators(w); n > 0 {
		return hasMainClause(w[n:])
	}
	first := w[0]
	switch {
	case comma && !isOf(first, places): // "remember that, it matters"
		return false
	case isOf(first, subject):
		return len(w) > 1
	case isOf(first, article), first == "one" && len(w) > 3 && w[1] == "of":
		return len(w) > 2
	case first == "what" || first == "how" || first == "why":
		return len(w) > 3
	case first == "never" || first == "always" || first == "don't" || first == "do" || first == "not" || first == "no":
		return len(w) > 1
	case isOf(first, quantity):
		return len(w) > 2 && (isPlural(w[1]) || hasVerb(w, false))
	case isOf(first, places):
		return hasVerb(w, false) || slices.ContainsFunc(w[1:len(w)-min(1, len(w)-1)],
			func(word string) bool { return isOf(word, subject) })
	case isPlural(first) && len(w) > 2 && !isOf(w[1], pointed|places|subject): // "that" points at one thing
		return true
	case len(w) > 3 && strings.HasSuffix(w[1], "ed") && isCapitalised(rest) && isOf(w[2], places|article):
		return true
	}
	return hasVerb(w, true)
}

// countSubordinators returns how many words at the beginning of w open a subordinate clause: "when", "the next time".
func countSubordinators(w []string) int {
	switch w[0] {
	case "when", "whenever", "if", "while", "after", "before", "once", "until", "till", "unless", "as", "since",
		"because", "where", "wherever", "although", "though", "should":
		return 1
	case "in":
		if len(w) > 1 && w[1] == "case" {
			return 2
		}
	}
	for i, word := range w[:min(len(w), 5)] {
		switch word {
		case "time", "times":
			return i + 1
		case "for", "the", "every", "each", "next", "last", "first", "this", "any", "all":
		case "when", "if":
			return i + 1
		default:
			return 0
		}
	}
	return 0
}

// hasMainClause reports whether w, the words behind "when" or the like, contains a main clause.
func hasMainClause(w []string) bool {
	for i, word := range w {
		if (word == "," || word == "then") && i > 0 && isIndependent(w[i+1:]) {
			return true
		}
	}
	verbs, group, be, objects := 0, 0, -1, 0 // group: words that still may belong to the verb before
	for i, word := range w {
		before := ""
		if i > 0 {
			before = w[i-1]
		}
		if i > 0 && (isOf(word, relative) || word == ",") {
			break
		}
		switch {
		case (i > 1 || i == 1 && strings.HasSuffix(before, "ing")) && isOf(word, subject) && i+1 < len(w) &&
			!isOf(before, places|joins|perceives):
			return true
		// whatever it is, it is what they do
		case i == 1 && isOf(before, subject) && !isOf(word, auxiliary) && word != "ever" && word != "also" &&
			word != "just":
			verbs, group = verbs+1, 1
		case isOf(word, auxiliary) && group == 0 && !isOf(before, joins):
			if verbs++; word == "is" || word == "are" || word == "isn't" || word == "aren't" || word == "was" {
				be = i
			}
			group = 3
		case group == 0 && i > 0 &&
			(isOf(word, doing) || i+1 < len(w) && i > 2 && endsWithS(word) && !isOf(w[i-1], article)) &&
			!isOf(before, joins|article|places):
			verbs++
		case i > 1 && isOf(word, article) && len(w)-i > 2 && !isOf(before, places|joins) &&
			(objects > 0 || hasVerb(w[i:], true)):
			return true
		case be >= 0 && i > be+1 && isOf(word, article) && len(w)-i > 2 && !isOf(before, places|joins) &&
			!strings.HasSuffix(before, "ing") && before != "not" && before != "only" && before != "almost":
			return true
		}
		if isOf(word, article) {
			group = 0
			if i > 0 && !isOf(before, places|joins) {
				objects++ // a second one is the subject of what follows
			}
		}
		group = max(0, group-1)
	}
	return verbs > 1
}

// isIndependent reports whether w, the words behind a comma, is a clause or an order.
func isIndependent(w []string) bool {
	for len(w) > 0 && (w[0] == "," || w[0] == "then" || w[0] == "please" || w[0] == "you") {
		if w[0] == "you" {
			return len(w) > 1
		}
		w = w[1:]
	}
	switch {
	case len(w) < 2:
		return false
	case isOf(w[0], subject) || w[0] == "never" || w[0] == "always" || w[0] == "don't" || w[0] == "do" ||
		mayBeginOrder(w[0]):
		return true
	case isOf(w[0], article):
		return len(w) > 2 && (hasVerb(w, true) || !slices.Contains(w, "and") && !slices.Contains(w, "or"))
	}
	return hasVerb(w, true)
}

// hasVerb reports whether w contains a verb that says something of a subject. With pointing, a verb in a relative
// clause does not count: "that bug we had", "the test that fails".
func hasVerb(w []string, pointing bool) bool {
	for i, word := range w {
		if i == 0 {
			continue
		}
		before := w[i-1]
		if isOf(word, relative) || word == "," || pointing && isOf(word, subject) {
			if pointing {
				return false
			}
			continue
		}
		if isOf(word, auxiliary) {
			return true
		}
		if isOf(before, article|places|joins) {
			continue
		}
		if isOf(word, doing) || endsWithS(before) && mayBeginOrder(word) ||
			!pointing && (mayBeginOrder(word) || isOf(before, subject)) {
			return true
		}
		if i+1 < len(w) && endsWithS(word) && !isOf(w[i+1], pointed) && w[i+1] != "of" {
			return true
		}
	}
	return false
}

// isCapitalised reports whether s begins with a capital.
func isCapitalised(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, " *_"))
	return unicode.IsUpper(r)
}

func isPlural(w string) bool { return endsWithS(w) || w == "people" }

// endsWithS reports whether w may be a verb in the third person, or a plural: w ends with an s that is not part of the
// stem.
func endsWithS(w string) bool {
	if len(w) < 3 || !strings.HasSuffix(w, "s") || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") ||
		strings.HasSuffix(w, "is") || strings.HasSuffix(w, "'s") {
		return false
	}
	switch w {
	case "always", "perhaps", "sometimes", "besides", "afterwards", "towards", "news":
		return false
	}
	return true
}

// class is what a word may be in an English clause. A word with several meanings has several classes.
type class uint16

const (
	subject   class = 1 << iota // what is spoken of: we, it, somebody
	article                     // the, my
	quantity                    // this, all, most
	places                      // says where or how something stands to another: in, with, usually
	joins                       // and, or, to
	relative                    // which, when, because
	perceives                   // the clause behind it is what it speaks of: "when you think it is done"
	auxiliary                   // is, have, must
	doing                       // a verb whose form is hardly ever a noun
	// a thing one points at, so that the word before belongs to its name: "that settings page"
	pointed
)

var classes = [...]struct {
	class class
	words string
}{
	{subject, `i we you he she it they there here someone somebody nobody everyone everybody anyone anybody nothing
		everything something`},
	{article, `the a an my our your his her its their`},
	{quantity, `this these those all every each some any both most many few only neither either`},
	{places, `in on at for from with without by of about to into under over between through during per inside
		outside behind via against unlike like now currently usually sometimes often by-default today
		tomorrow next`},
	{joins, `and or to nor`},
	{relative, `who which that whose what how why where when if because while`},
	{perceives, `think know see say sure feel believe want find notice tell ask give show help let make that which
		until if`},
	{auxiliary, `is are was were am has have had does do did can cannot could will would shall should must may might
		ought needs need`},
	{doing, `use uses used require requires want wants prefer prefers expire expires listen listens hang hangs
		fail fails contain contains belong belongs include includes exist exists happen happens send sends
		get gets got take takes took give gives keep keeps make makes made go goes went come comes came
		become becomes know knows depend depends mean means allow allows reject rejects accept accepts
		refuse refuses stay stays remain remains write writes wrote begin begins live lives speak speaks
		breaks broke runs ran works costs supports ignore ignores assume assumes expect expects touch
		touches provide provides decided agreed like likes`},
	{pointed, `page file files test tests folder table screen list thing bug issue module script branch menu
		meeting deck ticket thread pr job one`},
}

// classOf returns the classes of w.
func classOf(w string) (c class) {
	stem, _, short := strings.Cut(w, "'")
	for _, list := range &classes {
		if isListed(list.words, w) || list.class == subject && isListed(list.words, stem) {
			c |= list.class
		}
	}
	if short && text.OneOf(stem, "that", "what", "who") {
		c |= subject
	}
	if strings.HasSuffix(w, "n't") {
		c |= auxiliary
	}
	return c
}

// isOf reports whether w belongs to one of the classes c.
func isOf(w string, c class) bool { return classOf(w)&c != 0 }

// mayBeginOrder reports whether an order may begin with w.
func mayBeginOrder(w string) bool { return wordCue(w)&(once|steady) != 0 }

// isWithdrawn reports whether s takes back what it says: "Actually no, forget that."
func isWithdrawn(s string) bool {
	for seg := range strings.FieldsFuncSeq(strings.ToLower(strings.ReplaceAll(s, "’", "'")),
		func(r rune) bool { return strings.ContainsRune(".,;!?\n—–-…。，！", r) }) {
		seg = strings.Join(strings.Fields(seg), " ")
		for again := true; again; {
			again = false
			for _, lead := range [...]string{"actually ", "no ", "oh ", "wait ", "sorry ", "ok ", "please ", "but ",
				"and ", "hm ", "hmm ", "well ", "just ", "ach ", "nein ", "doch ", "bitte ", "non ", "não ", "mejor ",
				"así que "} {
				if cut, ok := strings.CutPrefix(seg, lead); ok {
					seg, again = cut, true
				}
			}
		}
		switch strings.TrimSuffix(seg, " again") {
		case "forget that", "forget it", "forget about it", "forget about that", "forget what i said", "never mind",
			"nevermind", "nvm", "scratch that", "strike that", "ignore that", "disregard that", "don't remember that",
			"do not remember that", "forget the last one",
			"vergiss das", "vergiss es", "vergiss das wieder", "schon gut", "oublie ça", "oublie", "laisse tomber",
			"olvídalo", "olvida eso", "olvidalo", "esquece", "esquece isso", "esqueça", "esqueça isso", "deixa pra lá",
			"lascia perdere", "lascia stare", "dimenticalo", "算了", "忘了吧":
			return true
		}
	}
	return false
}

// announcesText reports whether line, the words before a sentence on the same line, announces a text to work on: "Put
// this into the README: hello."
func announcesText(line string) bool {
	for {
		i := strings.LastIndexAny(line, ":：")
		if i < 0 {
			return false
		}
		colon := line[i:]
		line = line[:i]
		if strings.HasPrefix(colon, ":") && len(colon) > 1 && colon[1] != ' ' { // an address, a time
			continue
		}
		words := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool {
			return !unicode.IsLetter(r) &&
				r != '\''
		})
		if slices.ContainsFunc(words, speaksOfWords) {
			return true
		}
	}
}

// speaksOfWords reports whether w is a word for speech or text: "says", "caption".
func speaksOfWords(w string) bool {
	switch w {
	case "sentence", "sentences", "text", "line", "paragraph", "wording", "copy", "caption", "says", "said", "say",
		"write", "writes", "wrote", "written", "quote", "quotes", "translate", "readme", "tooltip", "banner", "mail",
		"email", "message", "comment", "following",
		"satz", "schreib", "schreibe", "schrieb", "schreibt", "sagt", "sagte", "übersetze", "phrase", "texte", "écris",
		"écrit", "dit", "traduis", "frase", "texto", "escribe", "escreva", "escreve", "dice", "diz", "traduce",
		"traduza", "testo", "scrivi", "traduci":
		return true
	}
	return false
}
