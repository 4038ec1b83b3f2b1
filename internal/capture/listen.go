package capture

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/withheld"
)

// Said is a prompt of the user's, or a text of Claude's without thinking, tools and subagents. It holds no secrets and
// nothing private.
type Said struct {
	Text     string
	UUID, TS string
	By       string // journal.ByUser or journal.ByClaude
	Old      bool   // more than newest bytes of the transcript follow it
	Gone     bool   // the user rewound it: it does not hold any more
}

// newest is how much of a transcript counts as new when it is read for the first time, in bytes from its end. Texts of
// Claude's from before that are left out at any time.
const newest = 256 << 10

// listener collects the words of a part for Listen's callback.
type listener struct {
	listen func([]Said) error
	afresh bool  // the transcript is read from its beginning
	end    int64 // its size
	gate   *withheld.Gate
	said   []spoken
	left   *session.Unheard // where an earlier part that was not delivered goes on, nil for nowhere
}

type spoken struct {
	Said
	line int
}

// addAnswer adds words, the text of Claude's in a line.
func (l *listener) addAnswer(e transcript.Entry, words string, line int) {
	if l.listen == nil || l.end-e.At > newest {
		return
	}
	words = text.Private(words)
	if words == "" {
		return
	}
	if words = redact.Clean(tail(words)); !l.gate.Erased(e.UUID) && !l.gate.ErasedWords(words) {
		l.said = append(l.said, spoken{Said{Text: words, UUID: e.UUID, TS: e.TS, By: journal.ByClaude}, line})
	}
}

// tail returns the end of a text of Claude's, which sums up the rest.
func tail(words string) string {
	if len(words) > sentence.MaxLooked {
		words = strings.ToValidUTF8(words[len(words)-sentence.MaxLooked:], "")
	}
	return words
}

// readUnheard reads again the part that could not be delivered before, as far as time allows, and returns the number of
// its lines.
func (l *listener) readUnheard(st *session.Memory, inTime func() bool) (line int) {
	away := l.gate.Lines()
	missed, known := *st.Unheard, false
	goOn := func() bool { return !known && inTime() }
	next, end, err := transcript.Follow(st.Transcript, missed.From, goOn, true, func(e transcript.Entry) {
		if known = known || e.At >= st.Read.Offset; known || e.Long || away(e.TS, e.At) {
			return
		}
		line++
		e = withoutErased(l.gate, e)
		for _, p := range e.Prompts {
			if p.UUID == "" || p.Asked != "" || p.Typed != "" && away(p.Typed, e.At) || before(p.TS, missed.Since) {
				continue
			}
			l.said = append(l.said, spoken{Said{Text: sentence.Ends(redact.Clean(p.Text)), UUID: p.UUID, TS: p.TS,
				By: journal.ByUser, Old: missed.From.Offset == 0 && l.end-e.At > newest}, line})
		}
		l.addAnswer(e, e.Answer(), line)
	})
	if err == nil && !end && !known && next.Offset < st.Read.Offset {
		l.left = &session.Unheard{From: next, Since: missed.Since}
	}
	return line
}

// tell calls the listener and notes in the session memory whether that failed.
func (p *part) tell(v judgement) {
	st := p.st
	switch told := p.said.tell(v.typed, v.tree); {
	case told:
		st.Unheard = p.said.left
	case st.Unheard == nil && p.next != p.from:
		st.Unheard = &session.Unheard{From: p.from}
		if p.afresh {
			st.Unheard.From = transcript.Position{}
		}
		if p.forked {
			st.Unheard.Since = st.Started
		}
	}
	st.Stray = st.Stray || st.Unheard != nil && v.tree.turned() // then the rewound prompts are to be told again too
}

// tell passes the words of the live branch to the listener in their order, and the ids of words that were rewound. It
// leaves out prompts that the transcript does not show, which may have been blocked, and answers typed into a dialog.
// It reports false without a listener and when the listener is busy.
func (l *listener) tell(typed []prompt, tree branch) bool {
	if l.listen == nil {
		return false
	}
	var out []Said
	for ref, gone := range tree.rewound {
		if gone {
			out = append(out, Said{UUID: ref, By: journal.ByUser, Gone: true})
		}
	}
	for ref := range tree.answers {
		out = append(out, Said{UUID: ref, By: journal.ByClaude, Gone: true})
	}
	slices.SortFunc(out, func(a, b Said) int { return cmp.Compare(a.UUID, b.UUID) })
	for _, p := range typed {
		if p.UUID != "" && p.Asked == "" && !tree.rewound[p.UUID] {
			l.said = append(l.said, spoken{Said{Text: sentence.Ends(p.Text), UUID: p.UUID, TS: p.TS, By: journal.ByUser,
				Old: l.afresh && l.end-p.at > newest}, p.line})
		}
	}
	slices.SortStableFunc(l.said, func(a, b spoken) int { return cmp.Compare(a.line, b.line) })
	for _, s := range l.said {
		if tree.answers[s.UUID] || tree.rewound[s.UUID] {
			continue
		}
		out = append(out, s.Said)
	}
	return len(out) == 0 || !errors.Is(l.listen(out), safefile.ErrBusy)
}
