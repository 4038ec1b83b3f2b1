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
func Heard(lane project.Lane, words string) string {
	want := strings.TrimRight(text.Fold(strings.TrimSuffix(strings.TrimSpace(words), text.Ellipsis)), ".!? ")
	if text.Runes(want) < 6 && utf8.RuneCountInString(want) == len(want) || want == "" {
		return ""
	}
	var typed []string
	_ = history.Newest(lane, "", history.Recent, func(e log.Entry) bool {
		if e.Kind == log.Typed && !e.Gone {
			typed = append(typed, e.Text)
		}
		return true
	})
	for _, prompt := range slices.Backward(typed) {
		if strings.Contains(text.Fold(prompt), want) {
			if said := sentence.Quoted(sentence.Split(prompt), want); said != "" {
				return said
			}
		}
	}
	return ""
}
