package capture

import (
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// branch is what going back in the conversation left and found again. The zero value is a transcript without a branch.
type branch struct {
	rewound map[string]bool // every prompt's uuid in the transcript: whether it was rewound; nil when nobody went back
	answers map[string]bool // Claude's lines on branches that were left
	gone    []history.Line  // what was said before now and does not hold any more
	again   []history.Line  // what had been rewound and holds again
	words   []string        // all that was said and rewound, but for what was said on the live branch too
	past    past
}

// look finds out, when a prompt began another branch, what that left. It needs the whole transcript and the history:
// both are read only then. When the file cannot be judged in time, the next event tries again; when it cannot be
// although this one had all the time there is (fresh), nothing counts as rewound.
func look(store journal.Store, st *session.Memory, end int64, inTime func() bool, fresh bool) branch {
	if !st.Stray {
		return branch{}
	}
	prompts, answers := transcript.Left(st.Transcript, end, inTime)
	b := branch{rewound: prompts, answers: map[string]bool{}, past: newPast()}
	b.past.dir = store.Lane.Dir
	if st.Stray = b.rewound == nil && !fresh; b.rewound == nil {
		return branch{}
	}
	for _, ref := range answers {
		b.answers[ref] = true
	}
	said := map[string]history.Line{}
	var order []string
	var heard []history.Line
	var marked history.Rewinds
	_ = history.Part{Session: st.ID, Kinds: []string{"dropped"}}.Read(store.Lane, func(l history.Line) bool {
		switch {
		case marked.Note(l):
		case l.Kind == "dropped":
			b.past.drop(l.Text)
		case l.Kind == "said" && l.Session == st.ID:
			l.Raw = ""
			heard = append(heard, l)
		}
		return true
	})
	for _, l := range heard {
		if l.Ref = marked.Ref(l); l.Ref == "" {
			continue
		}
		if !b.past.refs[l.Ref] {
			order = append(order, l.Ref)
		}
		said[l.Ref], b.past.refs[l.Ref] = l, true
	}
	live := map[string]bool{}
	for _, ref := range order {
		if !b.rewound[ref] {
			live[text.Fold(said[ref].Text)] = true
		}
	}
	for _, ref := range order {
		rewound, known := b.rewound[ref]
		if rewound && !live[text.Fold(said[ref].Text)] {
			b.words = append(b.words, said[ref].Text)
		}
		switch l := said[ref]; {
		case rewound && !marked.Has(l):
			b.gone = append(b.gone, l)
		case known && !rewound && marked.Has(l):
			b.again = append(b.again, l)
		}
	}
	return b
}

// turned reports whether there is anything to bring the journal to.
func (b branch) turned() bool { return b.rewound != nil }

// apply brings the journal to the branch that is live now, before what was typed on it is heard.
func (b branch) apply(store journal.Store, j *journal.Journal, st *session.Memory) error {
	if !b.turned() {
		return nil
	}
	for _, l := range b.gone {
		keepTurn(j, "rewound", l.Ref, l.Text, st.ID)
	}
	if quote := strings.TrimSuffix(strings.Trim(st.Work.Asked, `"`), text.Ellipsis); quote != "" &&
		slices.ContainsFunc(b.words, func(w string) bool { return strings.Contains(text.Line(w), quote) }) {
		st.Work.Asked = ""
	}
	if j.Rewind(func(ref string) bool { return b.rewound[ref] }, b.words) {
		st.Opened = false
	}
	for _, l := range b.gone {
		if j.Open() || l.Asked != "" || !sentence.Closes(sentence.Ends(l.Text)) {
			continue
		}
		closed, err := history.ClosedBy(store.Lane, l.Ref)
		if err == nil && closed.Raw != "" {
			err = j.Reopen(closed, closed.Session)
			st.Opened = j.Session == st.ID
			st.Work.Asked, st.Work.Steps = j.Wip, j.Plan
		}
		if err != nil {
			return err
		}
	}
	for _, l := range b.again {
		keepTurn(j, "restored", l.Ref, l.Text, st.ID)
		hear(j, st, prompt{Prompt: transcript.Prompt{UUID: l.Ref, TS: l.TS, Text: l.Text, Asked: l.Asked}}, b.past)
	}
	return nil
}

// pass keeps a prompt that was rewound before it was ever heard: in history only.
func (b branch) pass(j *journal.Journal, st *session.Memory, p prompt, past past) {
	j.Seen = p.UUID
	if b.past.refs[p.UUID] {
		return // it was heard, and marked, before the transcript was read again
	}
	switch {
	case p.taken:
		confirm(j, st, p)
	case !past.refs[p.UUID]:
		j.Keep(p.asLine(st, ""))
	}
	keepTurn(j, "rewound", p.UUID, p.Text, st.ID)
}

// keepTurn notes in history that the prompt ref of session is rewound or restored, as kind says. words are for readers.
func keepTurn(j *journal.Journal, kind, ref, words, session string) {
	words, _ = text.Cut(words, sentence.MaxQuoted)
	j.Keep(history.Line{Kind: kind, Session: session, Text: words, Ref: ref})
}
