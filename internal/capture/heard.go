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
	want := strings.TrimRight(text.Fold(strings.TrimSuffix(strings.TrimSpace(words), text.Ellipsis)), ".!? ")
	if text.Runes(want) < 6 && utf8.RuneCountInString(want) == len(want) || want == "" {
		return "", false
	}
	look := func(message string) {
		if !strings.Contains(text.Fold(message), want) {
			return
		}
		if said, ok := sentenceWith(message, want); ok {
			sentence = said
			fair = text.Fold(said) == want || strings.TrimRight(text.Fold(said), ".!? ") == want || !doubtful(text.Fold(said), want)
		}
	}
	var rewound journal.Rewinds
	_ = journal.ReadWords(lane, func(l journal.Line) bool {
		rewound.Note(l)
		return true
	})
	_ = journal.ReadWords(lane, func(l journal.Line) bool {
		if l.Kind == "said" && !rewound.Has(l) && (l.By == "" || l.By == journal.ByUser) {
			look(l.Text)
		}
		return true
	})
	for _, message := range more {
		look(message)
	}
	return sentence, fair
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
