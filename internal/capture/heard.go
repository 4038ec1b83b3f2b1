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

// Heard searches the user's prompts in this lane for words and returns the newest whole sentence that holds them, ""
// for none. Spacing, case and quotation marks do not matter. It does not find fewer than six characters, a part of a
// word, or a prompt that was rewound. more has prompts that are not in the history yet, oldest first.
func Heard(lane project.Lane, words string, more ...string) (whole string) {
	return newHearing(lane, more)(words)
}

// newHearing returns Heard as a function for several questions. It reads the newest maxHeard bytes of prompts at the
// first question.
func newHearing(lane project.Lane, more []string) func(words string) (whole string) {
	type message struct{ text, fold string }
	var all []message
	read := false
	return func(words string) (whole string) {
		want := strings.TrimRight(text.Fold(strings.TrimSuffix(strings.TrimSpace(words), text.Ellipsis)), ".!? ")
		if text.Runes(want) < 6 && utf8.RuneCountInString(want) == len(want) || want == "" {
			return ""
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
			}
		}
		return whole
	}
}

// maxHeard is how much of a lane's newest prompts is searched for words, in bytes.
const maxHeard = 4 << 20

// typedIn returns the user's prompts in the lane, oldest first, without those that were rewound.
func typedIn(lane project.Lane) (out []string) {
	var lines []history.Line
	var rewound history.Rewinds
	size := 0
	_ = history.Newest(lane, "", history.Recent, func(l history.Line) bool {
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
