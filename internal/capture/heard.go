package capture

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// Heard looks for words among what the user typed in this lane, whatever the spacing, case and quote marks, and returns
// the whole sentence they stand in: half a sentence can say the opposite of it. fair reports whether words can stand for
// that sentence: nothing before them in it negates them. Fewer than six characters, or a part of a word, are found
// nowhere. The newest sentence counts; one that was rewound does not. more is what was typed since the history was written,
// oldest first.
func Heard(lane project.Lane, words string, more ...string) (sentence string, fair bool) {
	return hearing(lane, more)(words)
}

// hearing is Heard for who asks more than once: the history is read at the first question, the newest maxHeard bytes of what was typed.
func hearing(lane project.Lane, more []string) func(words string) (sentence string, fair bool) {
	type message struct{ text, fold string }
	var all []message
	read := false
	return func(words string) (sentence string, fair bool) {
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
			if said, ok := sentenceWith(m.text, want); ok {
				sentence = said
				fair = text.Fold(said) == want || strings.TrimRight(text.Fold(said), ".!? ") == want || !doubtful(text.Fold(said), want)
			}
		}
		return sentence, fair
	}
}

// maxHeard is how much of what was typed in a lane is looked through for words, in bytes, the newest first.
const maxHeard = 4 << 20

// typedIn returns what the user typed in the lane, oldest first, but for what was rewound.
func typedIn(lane project.Lane) (out []string) {
	var lines []journal.Line
	var rewound journal.Rewinds
	size := 0
	_ = journal.ReadKinds(lane, func(l journal.Line) bool {
		if !rewound.Note(l) && l.Kind == "said" && (l.By == "" || l.By == journal.ByUser) {
			l.Raw = ""
			lines, size = append(lines, l), size+len(l.Text)
			for ; size > maxHeard && len(lines) > 1; lines = lines[1:] {
				size -= len(lines[0].Text)
			}
		}
		return true
	}, "said", "rewound", "restored")
	for _, l := range lines {
		if !rewound.Has(l) {
			out = append(out, l.Text)
		}
	}
	return out
}

// sentenceWith returns the sentence of message that words stand in: all of the message, when they span more than one
// sentence or stand in a line that the one before governs (a list, a line broken in the middle).
func sentenceWith(message, words string) (string, bool) {
	if _, ok := text.Within(text.Fold(message), words); !ok {
		return "", false
	}
	all := Sentences(message)
	for i, s := range all {
		if _, ok := text.Within(text.Fold(s), words); !ok {
			continue
		}
		first, _ := utf8.DecodeRuneInString(s)
		if i == 0 || ended(all[i-1]) && !strings.ContainsRune("-*•+", first) && !unicode.IsLower(first) && !unicode.IsDigit(first) {
			return s, true
		}
		break
	}
	whole, _ := text.Cut(strings.TrimSpace(message), journal.MaxSaid)
	return whole, true
}

// ended reports whether a sentence is complete: what follows it stands for itself.
func ended(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?。！？", last) && !strings.HasSuffix(s, "e.g.") && !strings.HasSuffix(s, "i.e.")
}

// doubtful reports whether words, a part of said, may mean the opposite there: something else in it negates or asks, or
// the script does not show where a word ends.
func doubtful(said, words string) bool {
	before, _ := text.Within(said, words)
	after := said[len(before)+len(words):]
	if negates(before) || negates(after) || strings.HasSuffix(strings.TrimSpace(said), "?") {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(words)
	next, _ := utf8.DecodeRuneInString(after)
	return last > 0x2e80 || next > 0x2e80 && next != utf8.RuneError
}

// negates reports whether what stands before a phrase in its sentence may turn it into its opposite.
func negates(before string) bool {
	_, words := folded(before)
	return has(words, "not", "dont", "don't", "never", "no", "without", "avoid", "stop", "cannot", "cant", "can't", "won't", "wont", "shouldn't", "shouldnt", "mustn't", "mustnt", "neither", "nor", "instead", "unless", "isn't", "isnt", "doesn't", "doesnt", "didn't", "didnt", "aren't", "wasn't", "refuse", "refuses", "nobody", "none", "forbidden", "prohibited", "except", "if", "once", "until", "when", "only",
		"não", "nao", "nunca", "sem", "jamais", "sin", "jamás", "nicht", "nie", "niemals", "kein", "keine", "ohne", "pas", "sans", "ne", "non", "mai", "senza", "не", "нет", "нельзя", "never")
}
