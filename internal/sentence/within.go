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
	if !text.Within(text.Fold(message), words) {
		return "", false
	}
	all := Split(message)
	for i, s := range all {
		if !text.Within(text.Fold(s), words) {
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
