package capture

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// judgement says what of a part is to be written.
type judgement struct {
	nothing bool     // nothing is to be written
	typed   []prompt // the prompts that count as said, oldest first
	wrong   bool     // the fork's journal is a copy of the wrong session's
	tree    branch   // the prompts that were rewound, and those that hold again
	past    past
}

// judge decides what of a part is to be written.
func (l *catching) judge(p *part) (v judgement) {
	said := settlePending(p.st, p.prompts, p.end || p.barred, p.missing, l.trust)
	v.typed, v.wrong = withoutInherited(l.store, p.st, said)
	if p.end {
		v.tree = readBranch(l.store, p.st, p.next.Offset, l.inTime, !p.afresh && p.next.Offset-p.from.Offset < plenty)
	}
	v.nothing = len(v.typed) == 0 && v.tree.rewound == nil && len(p.deeds) == 0 && p.st.Work.Same(p.before) &&
		(l.trust == TrustTranscript || !wasTakenOver(l.store, p.st))
	if p.known && !v.nothing {
		if l.past == nil {
			l.past = &past{}
			l.past.typed, l.past.taken = l.store.TakenIn(p.st.ID)
		}
		v.past = *l.past
	}
	v.past.store = l.store
	return v
}

// withoutInherited leaves out of a fork's first prompts those of its parent: the fork's journal began as a copy that
// holds them. wrong reports that it is a copy of another session's journal, which holds none of them.
func withoutInherited(store journal.Store, st *session.Memory, typed []prompt) (own []prompt, wrong bool) {
	if !st.Forked || !slices.ContainsFunc(typed, func(p prompt) bool { return p.UUID != "" }) {
		return typed, false
	}
	st.Forked = false
	j, err := store.Read()
	if err != nil {
		return typed, false
	}
	copied := map[string]bool{text.Fold(j.Mission): true}
	for _, l := range Recall(store.Lane, "", j.Earlier...).earlier {
		copied[text.Fold(l.Text)] = !sentence.IsEveryday(l.Text) // everyday words stand in any session
	}
	isParents := func(p prompt) bool { return before(p.TS, st.Started) }
	goesOn := func(p prompt) bool { return sentence.Continues(p.Text) && !sentence.IsChatter(p.Text) }
	if slices.ContainsFunc(typed, isParents) && !slices.ContainsFunc(typed, func(p prompt) bool {
		return isParents(p) && (p.UUID == j.MissionRef || copied[text.Fold(p.Text)] || goesOn(p))
	}) {
		st.Opened = false
		return typed, true
	}
	return slices.DeleteFunc(slices.Clone(typed), isParents), false
}

// wasTakenOver reports whether the lane's journal is another session's although the session st opened a mission in it.
func wasTakenOver(store journal.Store, st *session.Memory) bool {
	j, err := store.Read()
	return err == nil && takenOver(j, st)
}

func takenOver(j *journal.Journal, st *session.Memory) bool {
	return st.Opened && j.Session != "" && j.Session != st.ID
}

// settlePending compares the submitted prompts with those that the transcript shows, and returns the prompts that count
// as said. A prompt that was submitted before a shown one was blocked by another hook, unless a line was too long to be
// read. Before the end of the transcript, prompts that it does not show keep waiting.
func settlePending(st *session.Memory, shown []prompt, end, missing bool, trust Trust) []prompt {
	var out []prompt
	long := st.Long
	for _, p := range shown {
		if p.Long {
			long = true
			continue
		}
		p.since, p.taken = st.DropAssumed(p.Text)
		out = append(out, p)
	}
	var left, taken []session.Pending
	for i, p := range st.Pending {
		switch shown, passed := isShown(p, shown); {
		case shown:
		case !end:
			left = append(left, p)
		case passed && long:
			taken = append(taken, p)
		case passed:
		case trust == TrustEnd, len(st.Pending) >= session.MaxPending && (missing || i < len(st.Pending)-1),
			missing && trust != TrustTranscript, trust == TrustPrompt && i == len(st.Pending)-1:
			taken = append(taken, p)
		default:
			left = append(left, p)
		}
	}
	for _, p := range taken {
		ts := p.At.UTC().Format(time.RFC3339Nano)
		st.AssumeSaid(p.Text, ts)
		at, line := len(out), math.MaxInt
		if i := slices.IndexFunc(out, func(t prompt) bool { return after(t.TS, p.At) }); i >= 0 {
			at, line = i, out[i].line
		}
		out = slices.Insert(out, at, prompt{Prompt: transcript.Prompt{TS: ts, Text: p.Text}, line: line})
	}
	st.Pending, st.Long = left, long && len(left) > 0
	return out
}

// isShown reports whether a submitted prompt is among the typed ones. passed says that one of these is newer.
func isShown(p session.Pending, typed []prompt) (shown, passed bool) {
	for _, t := range typed {
		if !t.Long && text.Same(t.Text, p.Text) {
			return true, true
		}
		passed = passed || after(t.TS, p.At)
	}
	return false, passed
}

// before and after compare the time stamp ts with t. One that cannot be read is neither.
func before(ts string, t time.Time) bool {
	at, err := time.Parse(time.RFC3339, ts)
	return err == nil && at.Before(t)
}

func after(ts string, t time.Time) bool {
	at, err := time.Parse(time.RFC3339, ts)
	return err == nil && !at.Before(t)
}

// past is what was taken in already. It matters when a transcript is read a second time.
type past struct {
	store journal.Store
	typed map[string]bool // ids of this session's prompts
	taken int64           // how much of the transcript, in bytes
}

// note adds the prompt of the journal's mission: a session that goes on with another one's repeats its transcript.
func (v *past) note(j *journal.Journal) {
	typed := map[string]bool{j.MissionRef: true}
	maps.Copy(typed, v.typed)
	delete(typed, "")
	v.typed = typed
}
