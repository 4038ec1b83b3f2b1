package sentence

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// Headline returns the mission that a first prompt opens, at most limit characters of the prompt's words. A longer
// prompt is cut: its opening stays and, behind an ellipsis, its last sentence and those rules that fit. rest are the
// rules that do not fit. Words that leave the mission before are no part of it.
func Headline(words string, limit int) (head string, rest []string) {
	words = Leaving(words)
	if text.Runes(words) <= limit {
		return words, nil
	}
	tail := rulesIn(words)
	if all := Split(words); len(all) > 1 {
		if last := all[len(all)-1]; isProse(last) && (len(tail) == 0 || tail[len(tail)-1] != last) {
			tail = append(tail, last)
		}
	}
	const opening = 250
	head, _ = text.Cut(strings.TrimSpace(words), opening)
	shown := strings.TrimSuffix(head, text.Ellipsis)
	for i := len(tail) - 1; i >= 0; i-- {
		t := tail[i]
		switch {
		case strings.Contains(shown, t):
		case text.Runes(head)+1+text.Runes(t)+1 <= limit:
			head += " " + t + text.Ellipsis
		case setsRule(t):
			rest = append([]string{t}, rest...)
		}
	}
	return strings.TrimSuffix(head, text.Ellipsis) + text.Ellipsis, rest
}
