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

// Said is something that was said in a session, as the transcript shows it: what the user typed, or Claude's own text,
// without its thinking, its tools and its subagents. Secrets and what is private are taken out.
type Said struct {
	Text     string
	UUID, TS string
	By       string // journal.ByUser or journal.ByClaude
	Old      bool   // read long after it was said: the transcript goes on for more than listened bytes behind it
	Gone     bool   // the user went back behind it: it does not hold any more
}

// listened is how much of a transcript is listened to that is read for the first time, and of what Claude said at any
// time, in bytes from its end.
const listened = 256 << 10

// listener collects what is to be handed on while a transcript is read.
type listener struct {
	heard  func([]Said) error
	afresh bool // the transcript is read from its beginning
	end    int64
	gate   *withheld.Gate
	said   []spoken
	left   *session.Unheard // what there was no time for of what was read before; nil when there was
}

type spoken struct {
	Said
	line int
}

// answer takes what Claude said in a line.
func (l *listener) answer(e transcript.Entry, line int) {
	if l.heard == nil || l.end-e.At > listened {
		return
	}
	words := text.Private(e.Answer())
	if words == "" {
		return
	}
	if words = redact.Clean(tail(words)); !l.gate.Erased(e.UUID) && !l.gate.ErasedWords(words, e.TS) {
		l.said = append(l.said, spoken{Said{Text: words, UUID: e.UUID, TS: e.TS, By: journal.ByClaude}, line})
	}
}

// tail is the end of what Claude said, which sums up the rest.
func tail(words string) string {
	if len(words) > sentence.MaxLooked {
		words = strings.ToValidUTF8(words[len(words)-sentence.MaxLooked:], "")
	}
	return words
}

// again takes what was read before and could not be handed on then, as much of it as can be read in a moment, and
// returns how many lines that were.
func (l *listener) again(st *session.Memory, inTime func() bool) (line int) {
	away := l.gate.Lines()
	missed, known := *st.Unheard, false
	goOn := func() bool { return !known && inTime() }
	next, end, err := transcript.Follow(st.Transcript, missed.From, goOn, func(e transcript.Entry) {
		if known = known || e.At >= st.Read.Offset; known || e.Long || away(e.TS, e.At) {
			return
		}
		line++
		e = unerased(l.gate, e)
		for _, p := range e.Prompts {
			if p.UUID == "" || p.Asked != "" || p.Typed != "" && away(p.Typed, e.At) || before(p.TS, missed.Since) {
				continue
			}
			l.said = append(l.said, spoken{Said{Text: sentence.Ends(redact.Clean(p.Text)), UUID: p.UUID, TS: p.TS,
				By: journal.ByUser, Old: missed.From.Offset == 0 && l.end-e.At > listened}, line})
		}
		l.answer(e, line)
	})
	if err == nil && !end && !known && next.Offset < st.Read.Offset {
		l.left = &session.Unheard{From: next, Since: missed.Since}
	}
	return line
}

// tell hands on what was said, and notes in the session what could not be.
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
	st.Stray = st.Stray || st.Unheard != nil && v.tree.turned() // what does not hold any more is to be told as well
}

// tell hands on what was said on the branch that is live, in its order, and what was said on another one and is gone
// now. A prompt that no transcript shows may have been blocked; what was typed into a dialog is an answer, and says
// little by itself. It reports whether it was heard: not by nobody, and not while the other side is busy.
func (l *listener) tell(typed []prompt, tree branch) bool {
	if l.heard == nil {
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
				Old: l.afresh && l.end-p.at > listened}, p.line})
		}
	}
	slices.SortStableFunc(l.said, func(a, b spoken) int { return cmp.Compare(a.line, b.line) })
	for _, s := range l.said {
		if tree.answers[s.UUID] || tree.rewound[s.UUID] {
			continue
		}
		out = append(out, s.Said)
	}
	return len(out) == 0 || !errors.Is(l.heard(out), safefile.ErrBusy)
}
