package rule

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/text"
)

// ErrNotTyped means that the user did not type these words in this session.
var ErrNotTyped = errors.New("the user did not type this in this session")

const (
	// leastQuoted is the shortest quotation that is looked up, in characters.
	leastQuoted = 6
	// telling is how many words at the beginning of a quotation say which statement is meant, where a shell or the
	// model changed the rest.
	telling = 5
)

// Quoted returns the sentences of the user's that words quote, as they were typed in a session: the newest that hold
// them, spacing, case and quotation marks aside, or else the one that begins with the same five words, if there is only
// one. The prompts that were taken back hold nothing. Errors: ErrNotTyped, with the nearest sentence.
func (s Store) Quoted(slug, session, words string) (Rule, error) {
	entries, _ := s.log().Read(slug, session) // what cannot be read was not typed
	back := map[string]bool{}
	for _, e := range entries {
		if e.Kind == log.Rewound || e.Kind == log.Restored {
			back[e.Of] = e.Kind == log.Rewound
		}
	}
	want := strings.TrimRight(text.Fold(words), ".!?。！ ")
	if text.Runes(want) < leastQuoted {
		return Rule{}, fmt.Errorf("%w: %s", ErrNotTyped, text.Quote(words))
	}
	begins := ""
	if all := strings.Fields(words); len(all) >= telling {
		begins = text.Fold(strings.Join(all[:telling], " "))
	}
	nearest, most, same := "", 0, []Rule(nil)
	for i := len(entries) - 1; i >= 0; i-- {
		e := entries[i]
		if e.Kind != log.Typed || back[e.ID] {
			continue
		}
		all := sentence.Typed(e.Text)
		one := Rule{Session: session, First: e.Time, Last: e.Time}
		if one.Text = sentence.Quoted(all, want); one.Text != "" {
			one.N = NumberOf(one.Text)
			return one, nil
		}
		for _, typed := range all {
			if begins != "" && strings.HasPrefix(text.Fold(typed)+" ", begins+" ") {
				one.Text, one.N = typed, NumberOf(typed)
				same = append(same, one)
			}
			if n := sentence.ContentOf(words).CountShared(sentence.ContentOf(typed)); n > most {
				nearest, most = typed, n
			}
		}
	}
	switch {
	case len(same) == 1:
		return same[0], nil
	case nearest != "":
		return Rule{}, fmt.Errorf("%w: %s; they typed %s", ErrNotTyped, text.Quote(words), text.Quote(nearest))
	}
	return Rule{}, fmt.Errorf("%w: %s", ErrNotTyped, text.Quote(words))
}
