package capture

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// branch says which prompts the user rewound by going back in the conversation. The zero value is a transcript without
// a second branch.
type branch struct {
	rewound map[string]bool // the uuid of every prompt -> whether it was rewound; nil when nobody went back
	changed map[string]bool // those of rewound that the log does not have so
	gone    []log.Entry     // prompts that were applied and do not hold any more
	again   []log.Entry     // prompts that were rewound and hold again
	words   []string        // the words of all rewound prompts, without those repeated on the live branch
	past    past
}

// readBranch finds the rewound prompts when a prompt has begun another branch. Only then it reads the whole transcript
// and the history. When the time does not suffice, the next event tries again; when it does not suffice although the
// event had all its time (fresh), nothing counts as rewound.
func readBranch(store journal.Store, st *session.Memory, end int64, inTime func() bool, fresh bool) branch {
	if !st.Stray {
		return branch{}
	}
	b := branch{rewound: transcript.Left(st.Transcript, end, inTime),
		past: past{typed: map[string]bool{}, store: store}}
	if st.Stray = b.rewound == nil && !fresh; b.rewound == nil {
		return branch{}
	}
	var said []log.Entry
	gone, live := map[string]bool{}, map[string]bool{}
	_ = history.Part{Session: st.ID}.Read(store.Lane, func(l log.Entry) bool {
		if ref := l.Ref(); l.Kind == log.Typed && l.Session == st.ID && ref != "" {
			said = append(said, l)
			gone[ref], b.past.typed[ref] = l.Gone, true
			if !b.rewound[ref] {
				live[text.Fold(l.Text)] = true
			}
		}
		return true
	})
	b.changed = map[string]bool{}
	for ref, rewound := range b.rewound {
		if rewound != gone[ref] {
			b.changed[ref] = rewound
		}
	}
	for _, l := range said {
		rewound, known := b.rewound[l.Ref()]
		if rewound && !live[text.Fold(l.Text)] {
			b.words = append(b.words, l.Text)
		}
		switch {
		case rewound && !l.Gone:
			b.gone = append(b.gone, l)
		case known && !rewound && l.Gone:
			b.again = append(b.again, l)
		}
	}
	return b
}

// apply brings the journal to the live branch, before the new prompts on that branch are applied.
func (b branch) apply(store journal.Store, j *journal.Journal, st *session.Memory) error {
	if b.rewound == nil {
		return nil
	}
	if quote := strings.TrimSuffix(strings.Trim(st.Work.Asked, `"`), text.Ellipsis); quote != "" &&
		slices.ContainsFunc(b.words, func(w string) bool { return strings.Contains(text.OneLine(w), quote) }) {
		st.Work.Asked = ""
	}
	if j.Rewind(func(ref string) bool { return b.rewound[ref] }, b.words) {
		st.Opened = false
	}
	for _, l := range b.gone {
		if j.Open() || l.Asked != "" || !sentence.Closes(sentence.Ends(l.Text)) {
			continue
		}
		closed, err := history.ClosedBy(store.Lane, l.Ref())
		if err == nil && closed.Body != "" {
			err = j.Reopen(closed, closed.Session)
			st.Opened = j.Session == st.ID
			st.Work.Asked, st.Work.Steps = j.Wip, j.Plan
		}
		if err != nil {
			return err
		}
	}
	for _, l := range b.again {
		p := transcript.Prompt{UUID: l.Ref(), TS: l.Stamp(), Text: l.Text, Asked: l.Asked}
		applyPrompt(j, st, prompt{Prompt: p}, b.past)
	}
	return nil
}
