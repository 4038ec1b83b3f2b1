package capture

import (
	"cmp"
	"errors"
	"slices"

	"github.com/mementohq/memento/internal/erased"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// Said is something that was said in a session, as the transcript shows it: what the user typed, or Claude's own text, without its
// thinking, its tools and its subagents. Secrets and what is private are taken out.
type Said struct {
	Text     string
	UUID, TS string
	By       string // journal.ByUser or journal.ByClaude
	Old      bool   // read long after it was said: the transcript goes on for more than listened bytes behind it
	Gone     bool   // the user went back behind it: it does not hold any more
}

// listened is how much of a transcript is listened to that is read for the first time, and of what Claude said at any time, in bytes
// from its end.
const listened = 256 << 10

// listener collects what is to be handed on while a transcript is read.
type listener struct {
	heard  func([]Said) error
	afresh bool // the transcript is read from its beginning
	end    int64
	gone   erased.List
	said   []spoken
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
	if words = redact.Clean(words); l.gone.Empty() || !l.gone.Ref(e.UUID) && !l.gone.Words(words, e.TS) {
		l.said = append(l.said, spoken{Said{Text: words, UUID: e.UUID, TS: e.TS, By: journal.ByClaude}, line})
	}
}

// tell hands on what was said on the branch that is live, in its order, and what was said on another one and is gone now. A prompt
// that no transcript shows may have been blocked; what was typed into a dialog is an answer, and says little by itself.
func (l *listener) tell(typed []prompt, tree branch) error {
	if l.heard == nil {
		return nil
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
			l.said = append(l.said, spoken{Said{Text: p.Text, UUID: p.UUID, TS: p.TS, By: journal.ByUser, Old: l.afresh && l.end-p.at > listened}, p.line})
		}
	}
	slices.SortStableFunc(l.said, func(a, b spoken) int { return cmp.Compare(a.line, b.line) })
	for _, s := range l.said {
		if tree.answers[s.UUID] {
			continue
		}
		out = append(out, s.Said)
	}
	if len(out) == 0 {
		return nil
	}
	if err := l.heard(out); errors.Is(err, safefile.ErrBusy) {
		return err
	}
	return nil
}
