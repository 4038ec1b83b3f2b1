package capture

import (
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// typedIn calls f with each thing the user typed in session, oldest first, until f returns false. idle marks what says
// nothing that still holds: chatter, commands, calls to go on, what was said before, and what was dropped or rewound since.
func typedIn(lane project.Lane, session string, f func(l journal.Line, idle bool) bool) {
	var said []journal.Line
	idle := map[string]bool{}
	var rewound journal.Rewinds
	_ = journal.ReadWords(lane, func(l journal.Line) bool {
		switch {
		case rewound.Note(l):
		case l.Kind == "dropped":
			idle[text.Fold(l.Text)] = true
		case l.Kind == "said" && l.Session == session:
			l.Raw = "" // a long session's words are enough to hold
			said = append(said, l)
		}
		return true
	})
	for _, l := range said {
		words := text.Fold(l.Text)
		if rewound.Has(l) {
			if !f(l, true) { // the same words said elsewhere may hold
				return
			}
			continue
		}
		if !f(l, idle[words] || Chatter(l.Text) || command(l.Text) || Continues(l.Text, "")) {
			return
		}
		idle[words] = true
	}
}

// Before returns what the user typed in session up to the prompt with uuid last, oldest first, each at most
// journal.MaxSaid characters. "" for last, or one that the history does not know, returns nothing.
func Before(lane project.Lane, session, last string) []string {
	var out []string
	found := false
	if last == "" {
		return nil
	}
	typedIn(lane, session, func(l journal.Line, idle bool) bool {
		if words, _ := text.Cut(l.Text, journal.MaxSaid); !idle {
			out = append(out, words)
		}
		found = l.Ref == last
		return !found
	})
	if !found {
		return nil
	}
	return out
}

// Unsaid returns what the user typed in session that the journal does not quote, newest first: the sentences that set a
// rule, and the messages that set none, at most journal.MaxSaid characters each.
func Unsaid(lane project.Lane, session string, j *journal.Journal) (rules, rest []string) {
	var known strings.Builder
	known.WriteString(text.Fold(j.Mission))
	for _, s := range j.Said {
		known.WriteString("\n" + text.Fold(s.Text))
	}
	quoted := known.String()
	typedIn(lane, session, func(l journal.Line, idle bool) bool {
		if idle {
			return true
		}
		set := Rules(l.Text)
		if len(set) == 0 {
			if words, _ := text.Cut(l.Text, journal.MaxSaid); !strings.Contains(quoted, strings.TrimSuffix(text.Fold(words), text.Ellipsis)) {
				rest = append([]string{words}, rest...)
			}
		}
		for _, r := range set {
			if !strings.Contains(quoted, text.Fold(r)) {
				rules = append([]string{r}, rules...)
			}
		}
		return true
	})
	return rules, rest
}
