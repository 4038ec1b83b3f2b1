package sentence

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mementohq/memento/internal/text"
)

// A reply says little without what it answers.
const (
	maxReplyWords = 4
	maxReply      = 40  // characters
	maxChoice     = 12  // words of a reply that names an option
	maxChosen     = 120 // characters of one
)

// IsReply reports whether a message says little without what Claude said before it: a few words, or the name of an
// option and not much more.
func IsReply(s string) bool {
	s = strings.TrimSpace(s)
	if len(s) > 4*maxChosen {
		return false
	}
	_, words := foldWords(s)
	if length(words) > 3*maxReplyWords {
		return false
	}
	n, size := len(words), text.Runes(s)
	return n > 0 && (n <= maxReplyWords && size <= maxReply ||
		n <= maxChoice && size <= maxChosen && len(optionsNamed(words)) > 0)
}

// length returns how many words there are; of scripts that put no space between words each letter counts.
func length(words []string) (n int) {
	for _, w := range words {
		alone := true // the letter before it was a word
		for _, r := range w {
			if alone || unspaced(r) {
				n++
			}
			alone = unspaced(r)
		}
	}
	return n
}

// Proposal returns what of told, Claude's last words, the user's reply answers, in at most limit characters: the
// options that the reply names, else the last question, else the last sentence. A short one gets the sentences before
// it.
func Proposal(told, reply string, limit int) string {
	_, words := foldWords(reply)
	if named := optionsNamed(words); len(named) > 0 {
		if options := optionsIn(told, named); options != "" {
			out, _ := text.Cut(options, limit)
			return out
		}
	}
	var sentences []string
	for _, s := range Split(told) {
		if s = plainLine(s); s != "" {
			sentences = append(sentences, s)
		}
	}
	last := len(sentences) - 1
	for i, s := range slices.Backward(sentences) {
		if isQuestion(s) {
			last = i
			break
		}
	}
	if last < 0 {
		return ""
	}
	out := sentences[last]
	for i := last - 1; i >= 0 && text.Runes(out) < minProposal; i-- {
		out = sentences[i] + " " + out
	}
	if n := text.Runes(out); n > limit { // its end is what is answered
		out = text.Ellipsis + lastRunes(out, limit-1)
	}
	return out
}

// minProposal is how long a proposal is at least where Claude said more, in characters.
const minProposal = 90

// lastRunes returns the last n characters of s, from the beginning of a word on where there is one.
func lastRunes(s string, n int) string {
	r := []rune(s)
	tail := string(r[max(0, len(r)-n):])
	if i := strings.IndexByte(tail, ' '); i >= 0 && i < len(tail)/2 {
		return tail[i+1:]
	}
	return tail
}

// optionsNamed returns the numbers and letters in a reply that may name options. A number of things names none.
func optionsNamed(words []string) (out []string) {
	for i, w := range words {
		digits := strings.TrimLeft(w, "#")
		digits = digits[:len(digits)-len(strings.TrimLeft(digits, "0123456789"))]
		behindName := i > 0 && text.OneOf(words[i-1], "option", "options", "opción", "opção", "opcao", "variante",
			"choice",
			"plan", "approach", "alternative", "seçenek", "вариант")
		isLetter := len(w) == 1 && w[0] >= 'a' && w[0] <= 'f' && (len(words) == 1 || behindName)
		switch {
		case digits != "" && len(digits) <= 2 && (len(w) == len(digits) && (behindName || standsAlone(words, i)) ||
			len(w) > len(digits) && w[len(digits)] >= 0x80):
			out = append(out, digits)
		case isLetter:
			out = append(out, w)
		}
	}
	return out
}

// standsAlone reports whether the number words[i] counts nothing: what stands beside it goes on with another thought.
func standsAlone(words []string, i int) bool {
	if i > 0 && text.OneOf(words[i-1], "to", "by", "at", "in", "for", "from", "under", "over", "than", "version") {
		return false
	}
	return i+1 == len(words) || strings.Trim(words[i+1], "0123456789") == "" ||
		text.OneOf(words[i+1], "and", "or", "please", "pls", "then", "first", "but", "is", "only", "too", "looks",
			"sounds", "seems", "it", "y", "e", "o", "et", "ou", "und", "oder", "bitte", "por", "ve", "и", "или")
}

// optionsIn returns the lines of told that begin with one of these numbers or letters, the last of each.
func optionsIn(told string, named []string) string {
	found := map[string]string{}
	for line := range strings.Lines(told) {
		line = plainLine(line)
		rest := line
		for _, name := range [...]string{"option ", "opción ", "opção ", "variante ", "approach ", "plan ",
			"вариант "} {
			if len(rest) > len(name) && strings.EqualFold(rest[:len(name)], name) {
				rest = rest[len(name):]
				break
			}
		}
		end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if end <= 0 || !strings.ContainsAny(rest[end:end+1], ".):—-") && !strings.HasPrefix(rest[end:], " —") {
			continue
		}
		found[strings.ToLower(rest[:end])] = line
	}
	var out []string
	for _, n := range named {
		if line := found[n]; line != "" && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return strings.Join(out, " ")
}

// plainLine returns a line of Markdown without what marks it as an item, a heading or bold.
func plainLine(line string) string {
	line = strings.TrimLeft(strings.TrimSpace(line), "#>*-•| ")
	return strings.TrimSpace(strings.ReplaceAll(line, "**", ""))
}
