package capture

import (
	"math"
	"slices"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/work"
)

// apply writes a part into the journal, whole or not at all. It returns Update's error.
func (l *catching) apply(p *part, v judgement) error {
	store := l.store
	store.Turns, store.Session, store.Taken = p.happened, p.st.ID, p.next.Offset
	_, err := store.Update(func(j *journal.Journal) error {
		if taken := j.TakenIn(p.st.ID); taken > p.from.Offset && v.past.typed == nil { // a kill came before the cursor
			v.past.typed, v.past.taken = l.store.TakenIn(p.st.ID)
		}
		v.past.note(j)
		if p.st.Cut || v.past.taken > transcript.End(p.st.Transcript).Offset { // it is another file
			v.past.taken = 0
		}
		if err := l.ownJournal(j, p, v); err != nil {
			return err
		}
		if err := v.tree.apply(l.store, j, p.st); err != nil {
			return err
		}
		applyPrompts(j, p, v)
		applyOpenWork(j, p.st)
		j.Shelve()
		return nil
	})
	return err
}

// ownJournal puts another session's mission out of j and restores the session's own. Its errors are those of reading
// the history.
func (l *catching) ownJournal(j *journal.Journal, p *part, v judgement) error {
	if v.wrong { // the mission's own session has it in its own lane: this copy goes to history without a session
		j.Session = ""
		j.Park()
	}
	st := p.st
	st.Opened = st.Opened || p.known && j.Open() && j.Session == st.ID
	// the session memory or the journal is gone, and the history may know more
	lost := p.afresh && p.known && (j.Session != "" || j.Empty())
	if j.Session == st.ID || !lost && !(st.Opened && j.Session != "") {
		return nil
	}
	// Another session took the lane over while this one went on. Each gets its own mission back.
	found, err := j.Restore(l.store.Lane, st.ID, "parked")
	if err != nil {
		return err
	}
	st.Opened = found
	return nil
}

// applyPrompts writes prompts and deeds into the journal in the order of the transcript.
func applyPrompts(j *journal.Journal, p *part, v judgement) {
	st, judged := p.st, 0
	done := 0 // the line up to which everything was taken in: behind the last known prompt, deeds may be new
	for _, p := range v.typed {
		if v.past.typed[p.UUID] {
			done = p.line
		}
	}
	left := slices.DeleteFunc(slices.Clone(p.deeds), func(d deed) bool {
		return d.from < v.past.taken || d.line <= done
	})
	for _, typed := range v.typed {
		left = applyDeeds(j, st, left, typed.line)
		switch {
		case v.past.typed[typed.UUID]:
			if !v.tree.rewound[typed.UUID] {
				noteAgain(j, st, typed)
			}
		case v.tree.rewound[typed.UUID]:
			if !v.tree.past.typed[typed.UUID] { // else the log has it
				keepPrompt(j, st, typed, v.past)
			}
		case judged > 2*manyTyped: // no person types so much in one line: it is kept without being judged
			keepPrompt(j, st, typed, v.past)
		default:
			judged += min(len(typed.Text), sentence.MaxLooked) + perPrompt
			applyPrompt(j, st, typed, v.past)
		}
	}
	applyDeeds(j, st, left, math.MaxInt)
}

// noteAgain notes again what a prompt asked for that was taken in: after a kill between two writes, or without the
// cache, the same lines are read again.
func noteAgain(j *journal.Journal, st *session.Memory, p prompt) {
	words := sentence.Ends(p.Text)
	if text.Same(words, j.Mission) || p.Asked == "" && sentence.Closes(words) {
		st.Work.Asked = ""
	} else {
		noteRequest(st, p, words)
	}
}

// applyPrompt writes one prompt: whole into the history and, if it holds a request or a rule, into the journal.
func applyPrompt(j *journal.Journal, st *session.Memory, p prompt, past past) {
	words := sentence.Ends(p.Text)
	if !keepPrompt(j, st, p, past) {
		return
	}
	p.Text = words
	if j.Session == st.ID { // a recap says what comes next until the person says it
		j.Next, j.NextAt = "", ""
	}
	switch {
	case sentence.IsChatter(words), sentence.IsCommand(words):
		return
	case p.Asked != "":
	case sentence.Closes(words):
		closeMission(j, st, p, past)
		if words = sentence.Leaving(words); words == "" || !sentence.IsSubstantive(words) {
			return
		}
	case sentence.AsksMemento(words):
		return
	case sentence.AsksCheckpoint(words):
		j.Claim(st.ID)
		return
	}
	if !st.Opened || !j.Open() {
		applyFirst(j, st, p, past)
	} else if !text.Same(j.Mission, words) {
		noteRequest(st, p, words)
	}
}

// closeMission closes the mission that p ends: the session's own, or an earlier session's that no longer runs.
func closeMission(j *journal.Journal, st *session.Memory, p prompt, past past) {
	if j.Session != "" && j.Session != st.ID {
		if other, err := session.Load(past.store.Lane.Dir, j.Session); err == nil && !other.Ended {
			return
		}
	}
	if j.Close(sentence.Ended(p.Text), p.UUID) {
		j.Claim(st.ID)
	}
	st.Opened, st.Work.Asked = false, ""
}

// endMission removes from a session's open work what belongs to the mission that ended.
func endMission(w *work.Work) {
	*w = work.Work{Calls: w.Calls, Passed: w.Passed, Checks: w.Checks, Ran: w.Ran, Made: w.Made, Prompts: w.Prompts,
		Told: w.Told}
}

// keepPrompt writes a prompt into the log, whole. It reports false for a prompt that counted as said before: that
// was judged then.
func keepPrompt(j *journal.Journal, st *session.Memory, p prompt, past past) bool {
	if !past.typed[p.UUID] {
		j.Keep(p.entry(st, past.store.Config.Past))
	}
	if p.taken {
		j.Confirm(sentence.Leaving(sentence.Ends(p.Text)), p.UUID)
	}
	return !p.taken
}

// perPrompt is the time that each prompt costs besides its length, in bytes that could be judged in that time.
const perPrompt = 100

// applyFirst writes a prompt of a session without a mission of its own. A prompt that opens or resumes no mission stays
// in the history alone: it is not written into another session's journal.
func applyFirst(j *journal.Journal, st *session.Memory, p prompt, past past) {
	if p.Asked == "" && applyCall(j, st, p, past) {
		return
	}
	named := j.Session == "" && j.MissionBy != "" // a command set the mission before the session
	switch {
	case j.Open() && p.Asked == "" && text.Same(j.Mission, p.Text):
		j.HandOver(st.ID)
		st.Opened = true
	case p.Asked == "" && (sentence.AsksMemento(p.Text) || sentence.Continues(p.Text)):
	// there is nothing to go on with
	case j.Open() && (j.Session == st.ID || named && sentence.IsSubstantive(p.Text)):
		j.Session, st.Opened = st.ID, true
		noteRequest(st, p, p.Text)
	case p.Asked == "" && sentence.Begins(p.Text):
		openMission(j, st, p)
	default:
		j.Claim(st.ID)
	}
}

// openMission opens the mission that p asks for.
func openMission(j *journal.Journal, st *session.Memory, p prompt) {
	if j.Open() && j.Session == "" { // an unknown session's, adopted from an earlier version
		j.Park()
	}
	j.Claim(st.ID)
	st.Work.Asked = ""
	words, _ := text.Cut(sentence.Leaving(p.Text), journal.MaxMission) // without those that leave the mission before
	j.OpenMission(words, p.Text, st.ID, journal.ByUser, p.UUID)
	st.Opened = true
}

// noteRequest notes the user's last request. What could open no mission leaves the earlier one: a rule, a question, a
// chore, an answer to Claude's question, and words that name nothing ("fix both of them").
func noteRequest(st *session.Memory, p prompt, words string) {
	if part := sentence.Request(words); p.Asked == "" && sentence.Begins(part) {
		quote, _ := text.Cut(text.OneLine(part), journal.MaxWip-2)
		st.Work.Asked = `"` + quote + `"`
	}
}
