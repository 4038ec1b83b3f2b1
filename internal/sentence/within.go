package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/text"
)

// Around returns the sentence of message that contains words. It returns all of message when words span several
// sentences, or stand in a line that belongs to the line before: in a list or a broken line.
func Around(message, words string) (string, bool) {
	if _, ok := text.Within(text.Fold(message), words); !ok {
		return "", false
	}
	all := Split(message)
	for i, s := range all {
		if _, ok := text.Within(text.Fold(s), words); !ok {
			continue
		}
		first, _ := utf8.DecodeRuneInString(s)
		if i == 0 || isComplete(all[i-1]) && !strings.ContainsRune("-*•+", first) && !unicode.IsLower(first) &&
			!unicode.IsDigit(first) {
			return s, true
		}
		break
	}
	whole, _ := text.Cut(strings.TrimSpace(message), MaxQuoted)
	return whole, true
}

// isComplete reports whether a sentence has its end: the next one stands for itself.
func isComplete(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?。！？", last) && !strings.HasSuffix(s, "e.g.") && !strings.HasSuffix(s, "i.e.")
}

// MayDeny reports whether words, a part of said, may mean the opposite there: other words negate or ask, or the script
// does not show where a word ends.
func MayDeny(said, words string) bool {
	before, _ := text.Within(said, words)
	after := said[len(before)+len(words):]
	if negates(before) || negates(after) || isQuestion(said) {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(words)
	next, _ := utf8.DecodeRuneInString(after)
	return last > 0x2e80 || next > 0x2e80 && next != utf8.RuneError
}

// negates reports whether before, the text before a phrase, may turn the phrase into its opposite.
func negates(before string) bool {
	_, words := foldWords(before)
	return has(words, "not", "dont", "don't", "never", "no", "without", "avoid", "stop", "cannot", "cant", "can't",
		"won't", "wont", "shouldn't", "shouldnt", "mustn't", "mustnt", "neither", "nor", "instead", "unless", "isn't",
		"isnt", "doesn't", "doesnt", "didn't", "didnt", "aren't", "wasn't", "refuse", "refuses", "nobody", "none",
		"forbidden", "prohibited", "except", "if", "once", "until", "when", "only",
		"não", "nao", "nunca", "sem", "jamais", "sin", "jamás", "nicht", "nie", "niemals", "kein", "keine", "ohne",
		"pas", "sans", "ne", "non", "mai", "senza", "не", "нет", "нельзя", "never")
}
