package capture

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

// Heard searches the user's prompts in this lane for words and returns the newest whole sentence that holds them, ""
// for none. Spacing, case and quotation marks do not matter. It does not find fewer than six characters, a part of a
// word, or a prompt that was rewound.
func Heard(lane project.Lane, words string) (whole string) {
	want := strings.TrimRight(text.Fold(strings.TrimSuffix(strings.TrimSpace(words), text.Ellipsis)), ".!? ")
	if text.Runes(want) < 6 && utf8.RuneCountInString(want) == len(want) || want == "" {
		return ""
	}
	for _, typed := range slices.Backward(typedIn(lane)) {
		if strings.Contains(text.Fold(typed), want) {
			if said := sentence.Quoted(sentence.Split(typed), want); said != "" {
				return said
			}
		}
	}
	return ""
}

// maxHeard is how much of a lane's newest prompts is searched for words, in bytes.
const maxHeard = 4 << 20

// typedIn returns the user's prompts in the lane, oldest first, without those that were rewound.
func typedIn(lane project.Lane) (out []string) {
	size := 0
	_ = history.Newest(lane, "", history.Recent, func(e log.Entry) bool {
		if e.Kind == log.Typed && !e.Gone {
			out, size = append(out, e.Text), size+len(e.Text)
			for ; size > maxHeard && len(out) > 1; out = out[1:] {
				size -= len(out[0])
			}
		}
		return true
	})
	return out
}
