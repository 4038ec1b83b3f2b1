package capture

import (
	"strings"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

// Heard looks for words among what the user typed in this lane, whatever the spacing, case and quote marks, and returns
// the whole sentence they stand in: half a sentence can say the opposite of it. fair reports whether words can stand
// for that sentence: nothing before them in it negates them. Fewer than six characters, or a part of a word, are found
// nowhere. The newest sentence counts; one that was rewound does not. more is what was typed since the history was
// written, oldest first.
func Heard(lane project.Lane, words string, more ...string) (whole string, fair bool) {
	return hearing(lane, more)(words)
}

// hearing is Heard for who asks more than once: the history is read at the first question, the newest maxHeard bytes of
// what was typed.
func hearing(lane project.Lane, more []string) func(words string) (whole string, fair bool) {
	type message struct{ text, fold string }
	var all []message
	read := false
	return func(words string) (whole string, fair bool) {
		want := strings.TrimRight(text.Fold(strings.TrimSuffix(strings.TrimSpace(words), text.Ellipsis)), ".!? ")
		if text.Runes(want) < 6 && utf8.RuneCountInString(want) == len(want) || want == "" {
			return "", false
		}
		if !read {
			read = true
			for _, words := range append(typedIn(lane), more...) {
				all = append(all, message{words, text.Fold(words)})
			}
		}
		for _, m := range all {
			if !strings.Contains(m.fold, want) {
				continue
			}
			if said, ok := sentence.Around(m.text, want); ok {
				whole = said
				fair = text.Fold(said) == want || strings.TrimRight(text.Fold(said), ".!? ") == want ||
					!sentence.MayDeny(text.Fold(said), want)
			}
		}
		return whole, fair
	}
}

// maxHeard is how much of what was typed in a lane is looked through for words, in bytes, the newest first.
const maxHeard = 4 << 20

// typedIn returns what the user typed in the lane, oldest first, but for what was rewound.
func typedIn(lane project.Lane) (out []string) {
	var lines []history.Line
	var rewound history.Rewinds
	size := 0
	_ = history.Part{Kinds: []string{"said", "rewound", "restored"}}.Read(lane, func(l history.Line) bool {
		if !rewound.Note(l) && l.Kind == "said" && (l.By == "" || l.By == journal.ByUser) {
			l.Raw = ""
			lines, size = append(lines, l), size+len(l.Text)
			for ; size > maxHeard && len(lines) > 1; lines = lines[1:] {
				size -= len(lines[0].Text)
			}
		}
		return true
	})
	for _, l := range lines {
		if !rewound.Has(l) {
			out = append(out, l.Text)
		}
	}
	return out
}
