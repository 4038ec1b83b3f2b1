package capture

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
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
	all := sync.OnceValue(func() (out []message) {
		for _, words := range append(typedIn(lane), more...) {
			out = append(out, message{words, text.Fold(words)})
		}
		return out
	})
	return func(words string) (whole string) {
		want := strings.TrimRight(text.Fold(strings.TrimSuffix(strings.TrimSpace(words), text.Ellipsis)), ".!? ")
		if text.Runes(want) < 6 && utf8.RuneCountInString(want) == len(want) || want == "" {
			return ""
		}
		for _, m := range all() {
			if !strings.Contains(m.fold, want) {
				continue
			}
			if said := sentence.Quoted(sentence.Split(m.text), want); said != "" {
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
