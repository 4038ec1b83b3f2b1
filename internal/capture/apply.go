package capture

import (
	"math"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/work"
)

// apply brings into the journal what was read in p and judged in v, whole or not at all. Errors: Update's.
func (l *listening) apply(p *part, v judgement) error {
	store := l.store
	store.Known = p.journal
	_, err := store.Update(func(j *journal.Journal) error {
		if err := l.ownJournal(j, p, v); err != nil {
			return err
		}
		if err := v.tree.apply(l.store, j, p.st); err != nil {
			return err
		}
		said := l.applyPrompts(j, p, v)
		applyOpenWork(j, p.st)
		j.Shelve()
		if slices.ContainsFunc(j.Done, isUnchecked) { // written by hand, or by an earlier version
			j.Verify(writer(l.store, p.st, said, l.inTime).Found)
		}
		return nil
	})
	return err
}

// ownJournal puts away a mission in j that is not the session's, and takes its own back. Errors: those of reading the
// history.
func (l *listening) ownJournal(j *journal.Journal, p *part, v judgement) error {
	if v.wrong { // it goes to history as nobody's: the session it is of has it in its own lane
		j.Session = ""
		j.Park()
	}
	st := p.st
	// its state or the journal is gone, and history may know more
	lost := p.afresh && p.known && (j.Session != "" || j.Empty())
	if j.Session == st.ID || !lost && !(st.Opened && j.Session != "") {
		return nil
	}
	// Another session took the lane over while this one went on: each gets its own mission back, and one that has none
	// any more opens its next.
	found, err := j.Restore(l.store.Lane, st.ID, "parked")
	if err != nil {
		return err
	}
	st.Opened = found
	return nil
}

// applyPrompts takes into the journal what was typed, each prompt behind the deeds that stand before it and before the
// commands that were lost behind it. It returns what was judged of that, as it is looked at.
func (l *listening) applyPrompts(j *journal.Journal, p *part, v judgement) (said []string) {
	st, judged := p.st, 0
	seen := len(v.typed) - len(unseen(j, st, v.typed, v.tree))
	left := unapplied(j, p.deeds)
	p.denied.apply(l.store, j, "", said, v.past)
	for i, typed := range v.typed {
		left = applyDeeds(j, st, left, typed.line, v.past)
		switch {
		case i < seen:
		case v.tree.rewound[typed.UUID]:
			v.tree.pass(j, st, typed, v.past)
		case judged > 2*manyTyped: // more stands in one line than anybody types: it is kept, and that is all
			keep(j, st, typed, v.past, "")
		default:
			judged += min(len(typed.Text), sentence.MaxLooked) + perPrompt
			hear(j, st, typed, v.past)
			said = append(said, sentence.Ends(typed.Text))
		}
		if typed.UUID != "" {
			p.denied.apply(l.store, j, typed.UUID, said, v.past)
		}
	}
	applyDeeds(j, st, left, math.MaxInt, v.past)
	p.denied.rest(l.store, j, said, v.past)
	return said
}

// unseen leaves out what the journal holds already: after a crash between two writes the same lines are read again.
func unseen(j *journal.Journal, st *session.Memory, typed []prompt, tree branch) []prompt {
	at := slices.IndexFunc(typed, func(p prompt) bool { return p.UUID != "" && p.UUID == j.Seen })
	for _, p := range typed[:at+1] {
		switch words := sentence.Ends(p.Text); {
		case tree.rewound[p.UUID]:
		// what was asked for before belongs to another mission
		case text.Same(words, j.Mission), p.Asked == "" && sentence.Closes(words):
			st.Work.Asked = ""
		case sentence.IsSubstantive(words):
			request(st, p, words)
		}
	}
	return typed[at+1:]
}

// hear takes one thing the user typed into the journal. Whatever it is, it goes to history whole; what sets a rule goes
// into the journal too, even beside a "go on".
func hear(j *journal.Journal, st *session.Memory, p prompt, past past) {
	words := sentence.Ends(p.Text)
	judged := ""
	if !p.taken {
		p.judgement = sentence.Judge(words, p.Asked != "")
		judged = p.judgement.Stored(words)
	}
	if !keep(j, st, p, past, judged) {
		return
	}
	p.Text = words
	if past.shelved[p.UUID] { // the journal that it was put away with has it
		if p.Asked == "" && sentence.Closes(words) {
			leave(j, st, p, past)
		}
		return
	}
	switch {
	case sentence.IsChatter(words), sentence.IsCommand(words):
		return
	case p.Asked != "":
	case sentence.Closes(words):
		leave(j, st, p, past)
		if words = sentence.Leaving(words); words == "" || !sentence.IsSubstantive(words) {
			return
		}
	case sentence.AsksMemento(words):
		return
	case sentence.AsksCheckpoint(words):
		if belongs(j, st) {
			rules(j, p, past)
		}
		return
	}
	switch {
	case !st.Opened || !j.Open():
		first(j, st, p, past)
	case p.Asked != "":
		j.AddSaid(journal.Saying{Text: words, Asked: p.Asked, TS: p.TS, Ref: p.UUID, Rule: true})
	case text.Fold(j.Mission) == text.Fold(p.Text):
	case sentence.Continues(words, ""):
	default:
		say(j, p, past)
		request(st, p, words)
	}
}

// leave closes the mission that p says is left: the session's own, or the one it found, unless the session that this
// belongs to still runs. Heard a second time it closes only what the history says was ended.
func leave(j *journal.Journal, st *session.Memory, p prompt, past past) {
	switch {
	case past.own[p.UUID] && (j.Session != st.ID || !past.ended[j.MissionRef]):
		return
	case j.Session != "" && j.Session != st.ID:
		if other, err := session.Load(past.dir, j.Session); err == nil && !other.Ended {
			return
		}
	}
	if j.Close(sentence.Ended(p.Text), p.UUID) {
		j.Claim(st.ID)
	}
	st.Opened, st.Work.Asked = false, "" // what was heard just before it may have asked
}

// leaveBehind takes out of what is open in a session all that belongs to the mission that ended.
func leaveBehind(w *work.Work) {
	*w = work.Work{Calls: w.Calls, Passed: w.Passed, Ran: w.Ran, Made: w.Made, Prompts: w.Prompts}
}

// belongs reports whether what is said in the session is said for j. One without a mission becomes the session's.
func belongs(j *journal.Journal, st *session.Memory) bool {
	if !j.Open() {
		j.Claim(st.ID)
		return true
	}
	return j.Session == st.ID
}

// keep takes one thing the user typed into the history, whole, and reports whether what it says is to be judged: it was
// not taken as said before.
func keep(j *journal.Journal, st *session.Memory, p prompt, past past, judged string) bool {
	if p.UUID != "" {
		j.Seen = p.UUID
	}
	if p.taken {
		confirm(j, st, p)
		return false
	}
	if !past.refs[p.UUID] {
		j.Keep(p.asLine(st, judged))
	}
	return true
}

// confirm fills in which line of the transcript a prompt is that was taken as said before.
func confirm(j *journal.Journal, st *session.Memory, p prompt) {
	if head, _ := sentence.Headline(sentence.Ends(p.Text), journal.MaxMission); j.MissionRef == "" &&
		text.Fold(head) == text.Fold(j.Mission) {
		j.MissionRef = p.UUID
	}
	j.Confirm(p.Text, st.ID, p.since, p.UUID)
}

// perPrompt is what a prompt costs by itself, beside its length, in bytes that are judged in that time.
const perPrompt = 100

// first takes a prompt of a session whose own mission has not begun. What is said for no mission of this session's
// stays in the history: another session's journal takes nothing from it.
func first(j *journal.Journal, st *session.Memory, p prompt, past past) {
	about := j.Mission + " " + j.Wip + " " + strings.Join(j.Plan, " ")
	named := j.Session == "" && j.MissionBy != "" // set by name before the session
	switch {
	case j.Open() && p.Asked == "" && (sentence.Continues(p.Text, about) || text.Fold(j.Mission) == text.Fold(p.Text)):
		j.HandOver(st.ID)
		st.Opened = true
	case p.Asked == "" && (sentence.AsksMemento(p.Text) || sentence.Continues(p.Text, "")):
	case j.Open() && (j.Session == st.ID || named && sentence.IsSubstantive(p.Text)): // it was left and is resumed
		j.Session, st.Opened = st.ID, true
		beside(j, st, p, past)
	case p.Asked == "" && sentence.Begins(p.Text) && !past.settled(p.UUID):
		open(j, st, p)
	case !past.settled(p.UUID) && belongs(j, st):
		beside(j, st, p, past)
	}
}

// beside puts what was typed beside the mission.
func beside(j *journal.Journal, st *session.Memory, p prompt, past past) {
	if p.Asked != "" {
		j.AddSaid(journal.Saying{Text: p.Text, Asked: p.Asked, TS: p.TS, Ref: p.UUID, Rule: true})
		return
	}
	say(j, p, past)
	if j.Open() && sentence.IsSubstantive(p.Text) {
		request(st, p, p.Text)
	}
}

func open(j *journal.Journal, st *session.Memory, p prompt) {
	if j.Open() && j.Session == "" { // an adopted journal of an earlier time: another session's, whosever it was
		j.Park()
	}
	j.Claim(st.ID)
	st.Work.Asked = ""
	head, rest := sentence.Headline(p.Text, journal.MaxMission)
	j.OpenMission(head, p.Text, st.ID, journal.ByUser, p.UUID)
	st.Opened = true
	for _, rule := range rest {
		j.AddSaid(journal.Saying{Text: rule, TS: p.TS, Ref: p.UUID, Rule: true})
	}
}

// say adds what was typed to what the user said: a message that fits whole, a longer one by its opening and its rules.
func say(j *journal.Journal, p prompt, past past) {
	if text.Runes(p.Text) > sentence.MaxQuoted {
		opening, _ := text.Cut(sentence.TypedPart(p.Text), sentence.MaxQuoted/2)
		j.AddSaid(journal.Saying{Text: opening, TS: p.TS, Ref: p.UUID})
		rules(j, p, past)
		return
	}
	if !past.dropped[text.Fold(p.Text)] {
		j.AddSaid(journal.Saying{Text: p.Text, TS: p.TS, Ref: p.UUID, Rule: len(p.rules()) > 0})
	}
}

// rules adds the sentences of p that set a rule, each by itself: it may be shown where its message is not.
func rules(j *journal.Journal, p prompt, past past) {
	for _, rule := range p.rules() {
		if !past.dropped[text.Fold(rule)] {
			j.AddSaid(journal.Saying{Text: rule, TS: p.TS, Ref: p.UUID, Rule: true})
		}
	}
}

// request notes what the session was asked for last. What asks for no work, or for a chore, leaves what was asked for
// before. An answer to Claude's question says how to go on; the words given when a call was refused ask like any
// others.
func request(st *session.Memory, p prompt, words string) {
	if p.Asked != "" || sentence.IsKeepsake(words) {
		return
	}
	if part := sentence.Request(words, journal.MaxWip); part != "" {
		quote, _ := text.Cut(text.Line(part), journal.MaxWip-2)
		st.Work.Asked = `"` + quote + `"`
	}
}

// isUnchecked reports whether an entry claims what nobody has looked up yet.
func isUnchecked(e journal.Entry) bool { return history.Claims(e.Ctx) && e.Verified == nil }
