package capture

import (
	"math"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// judgement is what was judged of a part: what of it holds, and what is known of it already.
type judgement struct {
	nothing bool     // there is nothing to write
	typed   []prompt // what was typed, in its order
	wrong   bool     // the journal is a copy of another session's than this one's parent
	tree    branch   // what going back in the conversation left and found again
	past    past
}

// judge judges what was read in p.
func (l *listening) judge(p *part) (v judgement) {
	v.typed, v.wrong = inherited(l.store, p.st, settle(p.st, p.prompts, p.end || p.barred, p.missing, l.trust))
	if p.end {
		v.tree = look(l.store, p.st, p.next.Offset, l.inTime, !p.afresh && p.next.Offset-p.from.Offset < plenty)
	}
	v.nothing = len(v.typed) == 0 && !v.tree.turned() && len(p.deeds)+len(p.denied.lost) == 0 &&
		p.st.Work.Same(p.before) &&
		(l.trust == TrustTranscript || !strayed(l.store, p.st))
	v.past = newPast()
	if p.known && !v.nothing {
		if l.past == nil {
			old := remember(l.store, p.st.ID)
			l.past = &old
		}
		v.past = *l.past
	}
	v.past.dir = l.store.Lane.Dir
	return v
}

// inherited leaves out of a fork's transcript, read for the first time, what its parent had typed: its journal started
// as a copy that has it. wrong reports that it was a copy of another session's journal: of what was typed there, it has
// nothing.
func inherited(store journal.Store, st *session.Memory, typed []prompt) (own []prompt, wrong bool) {
	if !st.Forked || !slices.ContainsFunc(typed, func(p prompt) bool { return p.UUID != "" }) {
		return typed, false
	}
	st.Forked = false
	j, err := store.Read()
	if err != nil {
		return typed, false
	}
	known, copied := map[string]bool{}, map[string]bool{text.Fold(j.Mission): true}
	for _, s := range j.Said {
		copied[text.Fold(s.Text)] = !sentence.IsEveryday(s.Text) // that is typed in any session
	}
	_ = history.Part{}.Read(store.Lane, func(l history.Line) bool {
		if l.Kind == "said" {
			known[text.Fold(l.Text)] = true
		}
		if l.Ref != "" && l.Ref == j.MissionRef { // the prompt that opened it, whole, however it was reworded since
			copied[text.Fold(l.Text)] = true
		}
		return true
	})
	parents := func(p prompt) bool { return before(p.TS, st.Started) }
	// the words that its parent left a mission with last: the copy has nothing of what was said before
	ended := len(typed) - 1
	for ended >= 0 && !(parents(typed[ended]) && typed[ended].Asked == "" &&
		sentence.Closes(sentence.Ends(typed[ended].Text))) {
		ended--
	}
	if opened := slices.IndexFunc(typed, func(p prompt) bool {
		return p.UUID != "" &&
			p.UUID == j.MissionRef
	}); opened >= 0 && opened < ended {
		typed = typed[ended:] // it was copied before they were heard
	} else {
		wrong = slices.ContainsFunc(typed, parents) && !slices.ContainsFunc(typed[ended+1:], func(p prompt) bool {
			// it may have taken the mission over
			return parents(p) && (copied[text.Fold(p.Text)] || sentence.Continues(p.Text, "") &&
				!sentence.IsChatter(p.Text))
		})
		if wrong {
			st.Opened = false
			return typed, true
		}
		typed = typed[ended+1:]
	}
	return slices.DeleteFunc(slices.Clone(typed), func(p prompt) bool {
		return parents(p) &&
			(!j.Open() || known[text.Fold(p.Text)])
	}), false
}

// strayed reports whether the lane's journal holds another session's mission although this one has opened its own.
func strayed(store journal.Store, st *session.Memory) bool {
	if !st.Opened {
		return false
	}
	j, err := store.Read()
	return err == nil && astray(j, st)
}

func astray(j *journal.Journal, st *session.Memory) bool {
	return st.Opened && j.Session != "" && j.Session != st.ID
}

// settle compares what was submitted with what the transcript shows, and returns what was typed: the transcript's
// prompts, less those taken as said before, and the submitted ones that are taken as said now. One submitted before a
// prompt that the transcript shows was blocked by another hook, unless a line was too long to be looked at. While the
// end of the transcript has not been reached, what it does not show is left open.
func settle(st *session.Memory, shown []prompt, end, missing bool, trust Trust) []prompt {
	var out []prompt
	long := st.Long
	for _, p := range shown {
		switch {
		case p.Long:
			long = true
		default:
			p.since, p.taken = st.WasTaken(p.Text)
			out = append(out, p)
		}
	}
	var left, taken []session.Pending
	for i, p := range st.Pending {
		switch shown, passed := confirmed(p, shown); {
		case shown:
		case !end:
			left = append(left, p)
		case passed && long:
			taken = append(taken, p)
		case passed:
		case trust == TrustEnd:
			taken = append(taken, p)
		case len(st.Pending) >= session.MaxPending && (missing || i < len(st.Pending)-1),
			missing && trust != TrustTranscript, trust == TrustPrompt && i == len(st.Pending)-1:
			taken = append(taken, p)
		default:
			left = append(left, p)
		}
	}
	for _, p := range taken {
		ts := p.At.UTC().Format(time.RFC3339Nano)
		st.Take(p.Text, ts)
		at := slices.IndexFunc(out, func(t prompt) bool { return after(t.TS, p.At) })
		line := math.MaxInt
		if at < 0 {
			at = len(out)
		} else {
			line = out[at].line
		}
		out = slices.Insert(out, at, prompt{Prompt: transcript.Prompt{TS: ts, Text: p.Text}, line: line})
	}
	st.Pending, st.Long = left, long && len(left) > 0
	return out
}

// confirmed reports whether the transcript shows the submitted prompt, or else something typed after it.
func confirmed(p session.Pending, typed []prompt) (shown, passed bool) {
	for _, t := range typed {
		if t.Long {
			continue
		}
		if text.Same(t.Text, p.Text) {
			return true, true
		}
		passed = passed || after(t.TS, p.At)
	}
	return false, passed
}

// before and after compare the time stamp ts with t; one that cannot be read is neither.
func before(ts string, t time.Time) bool {
	at, err := time.Parse(time.RFC3339, ts)
	return err == nil && at.Before(t)
}

func after(ts string, t time.Time) bool {
	at, err := time.Parse(time.RFC3339, ts)
	return err == nil && !at.Before(t)
}

// past is what the lane's history knows already, for a transcript that is read again.
type past struct {
	refs, dropped, applied map[string]bool

	own     map[string]bool // what was typed in this session and heard already
	shelved map[string]bool // of that, what was put away with its mission
	opened  map[string]bool // the prompts that opened a mission
	ended   map[string]bool // those whose mission was ended since
	dir     string          // memento's folder
}

func (p past) drop(words string) { p.dropped[text.Fold(words)] = true }

func newPast() past {
	return past{refs: map[string]bool{}, dropped: map[string]bool{}, applied: map[string]bool{}}
}

// remember reads what the history knows that matters to session.
func remember(store journal.Store, session string) past {
	p := newPast()
	p.own, p.shelved, p.opened, p.ended = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	missions := map[string]string{} // by their words: the prompt that opened each
	parts := map[string][]string{}  // and what the session said for it
	var part []string
	_ = history.ReadRefs(store.Lane, func(l history.Line) {
		switch l.Kind {
		case "said", "confirmed":
			if l.Session == session && !p.own[l.Ref] {
				p.own[l.Ref], part = true, append(part, l.Ref)
			}
			p.refs[l.Ref] = l.Ref != ""
		case "done", "approved":
			p.refs[l.Ref] = l.Ref != ""
		case "dropped":
			p.drop(l.Text)
		case "applied":
			p.applied[l.Ref] = true
		case "opened":
			p.opened[l.Ref] = true
		case "mission":
			missions[l.Text] = l.Ref
			if l.Session != session {
				break
			}
			p.ended[l.Ref] = l.Ref != "" && history.Ended(l.Reason)
			if l.Reason != "rewound" {
				for _, ref := range part {
					p.shelved[ref] = true
				}
				parts[l.Text], part = part, nil
			}
		case "reopened":
			delete(p.ended, missions[l.Text])
			if l.Session == session {
				for _, ref := range parts[l.Text] {
					delete(p.shelved, ref)
				}
				part = append(slices.Clip(parts[l.Text]), part...)
			}
		}
	})
	return p
}

// settled reports whether what p did to a mission is settled: it was heard before and opened none, or one that was
// ended since.
func (p past) settled(ref string) bool { return p.ended[ref] || p.own[ref] && !p.opened[ref] }
