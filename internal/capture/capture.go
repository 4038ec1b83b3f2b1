// Package capture turns what happened in a session into facts in its journal, without any model's help: what the user
// typed, and what tools were called for and answered. It invents nothing and rewords nothing; a fact is a part of the transcript. It does
// not decide when to look (hook) or what is shown (journal).
package capture

import (
	"errors"
	"io/fs"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// Trust says what to make of a prompt that was submitted but that the transcript does not show.
type Trust int

const (
	// TrustTranscript waits for the transcript: another hook may have blocked the prompt.
	TrustTranscript Trust = iota
	// TrustMissing takes it as said when there is no transcript at all to ask.
	TrustMissing
	// TrustPrompt takes it as said: Claude is at work on it.
	TrustPrompt
	// TrustEnd takes all of them as said: the session is over. A prompt that another hook blocked is none: the client notes
	// that, and the note was read.
	TrustEnd
)

// CatchUp brings the journal up to date with what was typed in the session st since it last looked, or with as much of
// that as it can take in within a moment (see patience): the next call goes on there. Doing it twice changes nothing. On error
// the journal and st stay as the last part left them that was taken in whole. Nobody hears of it; the next Listen hands it on.
// The caller holds st.
func CatchUp(store journal.Store, st *session.State, trust Trust) error {
	return Listen(store, st, trust, nil)
}

// Listen is CatchUp that hands on what was said to heard, unless that is nil, before anything is written; see Said. After a crash the
// same is said again. An error of heard's that is safefile.ErrBusy keeps nothing out of the journal: what was said is said again,
// with what came since, by the next call. Any other is heard's own matter.
func Listen(store journal.Store, st *session.State, trust Trust, heard func([]Said) error) error {
	if nothingNew(store, st, trust) {
		return nil
	}
	inTime := soon()
	var recalled *past // what the history has is read once for all parts
	for {
		next := *st
		next.Work = st.Work.Clone()
		more, err := catchUp(store, &next, trust, heard, inTime, &recalled)
		if err != nil {
			return err
		}
		if *st = next; !more || !inTime() {
			return nil
		}
	}
}

// How much is taken in at once: what was typed, in prompts and in bytes, what tools brought about, and commands that were lost. It
// is written before more is read, so that an event that is killed has not worked for nothing.
const (
	manyPrompts = 400
	manyTyped   = 256 << 10
	manyDeeds   = 4000
	manyLost    = 8
)

// catchUp takes in the next part of the transcript. more reports that there is another, which was not left for lack of time.
func catchUp(store journal.Store, st *session.State, trust Trust, heard func([]Said) error, inTime func() bool, recalled **past) (more bool, err error) {
	current, err := mend(store, st)
	if err != nil {
		return false, err
	}
	afresh := st.Read.Offset == 0 || !transcript.Continues(st.Transcript, st.Read)
	if afresh {
		st.Work = session.Work{}
		st.Cut = st.Cut || st.Read.Offset > 0
		st.New = st.New && !st.Cut
		st.Known = !st.New
	}
	known := st.Known
	if st.Opened && current != nil && current.MissionClosed != "" && current.Session == st.ID { // by name, since the last event
		leaveBehind(&st.Work)
		st.Opened = false
	}
	before := st.Work.Clone()
	var shown []prompt
	var deeds []deed
	var at folders
	denied := &denials{st: st, inTime: inTime}
	gate, err := gateOf(store, st)
	if err != nil {
		return false, err
	}
	away := gate.Lines()
	typedBytes := 0
	goOn := func() bool {
		more = len(shown) >= manyPrompts || typedBytes >= manyTyped || len(deeds) >= manyDeeds || len(denied.lost) >= manyLost
		return !more && inTime()
	}
	next, end := st.Read, false
	err = fs.ErrNotExist
	listener := listener{heard: heard, afresh: afresh, gate: gate}
	if afresh {
		st.Unheard = nil // it begins anew
	}
	from, forked := st.Read, st.Forked
	if st.Transcript != "" {
		line := 0
		follow := transcript.ReadWhile
		if heard != nil {
			follow, listener.end = transcript.Follow, transcript.End(st.Transcript).Offset
			if st.Unheard != nil {
				line = listener.again(st, inTime)
			}
		}
		next, end, err = follow(st.Transcript, st.Read, goOn, func(e transcript.Entry) {
			line++
			st.Stray = st.Stray || e.Stray
			if e.Boundary && !known {
				st.Bounded()
			}
			if away(e.TS, e.At) && !e.Long {
				return
			}
			stopped(st, e)
			e = unerased(gate, submitted(st, e))
			for _, p := range e.Prompts {
				if p.Typed != "" && away(p.Typed, e.At) {
					continue
				}
				p.Text, p.Asked = redact.Clean(p.Text), redact.Clean(p.Asked) // while it is whole: half a secret is not recognised

				// What was open belongs to the mission that ends here; what comes behind is the next one's.
				if p.Asked == "" && sentence.Closes(sentence.Ends(p.Text)) {
					leaveBehind(&st.Work)
				}
				shown = append(shown, prompt{Prompt: p, line: line, at: e.At})
				typedBytes += len(p.Text)
				if !p.Aside && sentence.IsSubstantive(sentence.Ends(p.Text)) {
					st.Work.Prompts++
				}
			}
			listener.answer(e, line)
			denied.see(e)
			for _, d := range tools(&st.Work, e, at.of(st.Root, e)) {
				d.line = line
				deeds = append(deeds, d)
			}
		})
	}
	if end {
		st.Known = st.Cut
	}
	st.New = st.New && next.Offset == 0
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing && !errors.Is(err, fs.ErrPermission) {
		return false, err
	}
	more = more && !end && err == nil
	typed, wrong := inherited(store, st, settle(st, shown, end || err != nil, missing, trust))
	var tree branch
	if end {
		tree = look(store, st, next.Offset, inTime, !afresh && next.Offset-st.Read.Offset < plenty)
	}
	switch told := listener.tell(typed, tree); {
	case told:
		st.Unheard = listener.left
	case st.Unheard == nil && next != from:
		st.Unheard = &session.Unheard{From: from}
		if afresh {
			st.Unheard.From = session.Position{}
		}
		if forked {
			st.Unheard.Since = st.Started
		}
	}
	st.Stray = st.Stray || st.Unheard != nil && tree.turned() // what does not hold any more is to be told as well
	if len(typed) == 0 && !tree.turned() && len(deeds)+len(denied.lost) == 0 && st.Work.Same(before) && (trust == TrustTranscript || !strayed(store, st)) {
		st.Read = next
		return more, nil
	}
	past := newPast()
	if known {
		if *recalled == nil {
			old := remember(store, st.ID)
			*recalled = &old
		}
		past = **recalled
	}
	past.dir = store.Lane.Dir
	judged := 0
	_, err = store.UpdateFrom(current, func(j *journal.Journal) error {
		if wrong { // it goes to history as nobody's: the session it is of has it in its own lane
			j.Session = ""
			j.Park()
		}
		lost := afresh && known && (j.Session != "" || j.Empty()) // its state or the journal is gone, and history may know more
		if (st.Opened && j.Session != "" || lost) && j.Session != st.ID {
			// Another session took the lane over while this one went on: each gets its own mission back, and one that has
			// none any more opens its next.
			found, err := j.Restore(store.Lane, st.ID, "parked")
			if err != nil {
				return err
			}
			st.Opened = found
		}
		if err := tree.apply(store, j, st); err != nil {
			return err
		}
		seen := len(typed) - len(unseen(j, st, typed, tree))
		left := fresh(j, deeds)
		var said []string
		denied.apply(store, j, "", said, past)
		for i, p := range typed {
			left = take(j, st, left, p.line, past)
			switch {
			case i < seen:
			case tree.rewound[p.UUID]:
				tree.pass(j, st, p, past)
			case judged > 2*manyTyped: // more stands in one line than anybody types: it is kept, and that is all
				keep(j, st, p, past)
			default:
				judged += min(len(p.Text), sentence.MaxLooked) + perPrompt
				hear(j, st, p, past)
				said = append(said, sentence.Ends(p.Text))
			}
			if p.UUID != "" {
				denied.apply(store, j, p.UUID, said, past)
			}
		}
		take(j, st, left, math.MaxInt, past)
		denied.rest(store, j, said, past)
		inHand(j, st)
		j.Shelve()
		if j.Unchecked() { // written by hand, or by an earlier version
			j.Judge(writer(store, st, said, inTime).Found)
		}
		return nil
	})
	if err != nil {
		return false, err
	}
	st.Read = next
	return more, nil
}

// nothingNew reports whether there is nothing to take in: what was read was handed on, no prompt waits, the transcript is what it was,
// and the journal is in order. Most events find it so.
func nothingNew(store journal.Store, st *session.State, trust Trust) bool {
	if len(st.Pending) > 0 || st.Unheard != nil || st.Stray || st.Known != st.Cut || !transcript.Unchanged(st.Transcript, st.Read) {
		return false
	}
	if trust == TrustTranscript {
		return !store.Damaged()
	}
	j, err := store.Read()
	return err == nil && !astray(j, st) || err != nil && !errors.Is(err, journal.ErrCorrupt)
}

// mend returns the journal, nil when it cannot be read. A damaged one it sets aside: what this session said is then read again
// from its transcript, into a fresh one.
func mend(store journal.Store, st *session.State) (*journal.Journal, error) {
	if j, err := store.Read(); !errors.Is(err, journal.ErrCorrupt) {
		return j, nil
	}
	j, err := store.Update(func(*journal.Journal) error { return nil })
	if err != nil {
		return nil, err
	}
	st.Trouble = strings.Join(j.Notes(), "; ")
	st.Opened, st.Read, st.Taken, st.Work, st.New = false, session.Position{}, nil, session.Work{}, false
	return nil, nil
}

// inherited leaves out of a fork's transcript, read for the first time, what its parent had typed: its journal started as
// a copy that has it. wrong reports that it was a copy of another session's journal: of what was typed there, it has
// nothing.
func inherited(store journal.Store, st *session.State, typed []prompt) (own []prompt, wrong bool) {
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
	_ = journal.ReadWords(store.Lane, func(l journal.Line) bool {
		if l.Kind == "said" {
			known[text.Fold(l.Text)] = true
		}
		if l.Ref != "" && l.Ref == j.MissionRef { // the prompt that opened it, whole, however it was reworded since
			copied[text.Fold(l.Text)] = true
		}
		return true
	})
	parents := func(p prompt) bool { return before(p.TS, st.Started) }
	ended := len(typed) - 1 // the words that its parent left a mission with last: the copy has nothing of what was said before
	for ended >= 0 && !(parents(typed[ended]) && typed[ended].Asked == "" && sentence.Closes(sentence.Ends(typed[ended].Text))) {
		ended--
	}
	if opened := slices.IndexFunc(typed, func(p prompt) bool { return p.UUID != "" && p.UUID == j.MissionRef }); opened >= 0 && opened < ended {
		typed = typed[ended:] // it was copied before they were heard
	} else {
		wrong = slices.ContainsFunc(typed, parents) && !slices.ContainsFunc(typed[ended+1:], func(p prompt) bool {
			return parents(p) && (copied[text.Fold(p.Text)] || sentence.Continues(p.Text, "") && !sentence.IsChatter(p.Text)) // it may have taken the mission over
		})
		if wrong {
			st.Opened = false
			return typed, true
		}
		typed = typed[ended+1:]
	}
	return slices.DeleteFunc(slices.Clone(typed), func(p prompt) bool { return parents(p) && (!j.Open() || known[text.Fold(p.Text)]) }), false
}

// strayed reports whether the lane's journal holds another session's mission although this one has opened its own.
func strayed(store journal.Store, st *session.State) bool {
	if !st.Opened {
		return false
	}
	j, err := store.Read()
	return err == nil && astray(j, st)
}

func astray(j *journal.Journal, st *session.State) bool {
	return st.Opened && j.Session != "" && j.Session != st.ID
}

// prompt is something the user typed, as capture sees it.
type prompt struct {
	transcript.Prompt
	taken bool   // it was taken as said before the transcript showed it: only its uuid is new
	since string // the time under which it was, "" when that is not known
	line  int    // where it stands among what was read, from 1
	at    int64  // and in the file
}

// settle compares what was submitted with what the transcript shows, and returns what was typed: the transcript's
// prompts, less those taken as said before, and the submitted ones that are taken as said now. One submitted before a
// prompt that the transcript shows was blocked by another hook, unless a line was too long to be looked at. While the
// end of the transcript has not been reached, what it does not show is left open.
func settle(st *session.State, shown []prompt, end, missing bool, trust Trust) []prompt {
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
		case len(st.Pending) >= session.MaxPending && (missing || i < len(st.Pending)-1), missing && trust != TrustTranscript, trust == TrustPrompt && i == len(st.Pending)-1:
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

// submitted returns e with its doubtful words among its prompts where a prompt of the same words waits: somebody submitted it.
func submitted(st *session.State, e transcript.Entry) transcript.Entry {
	if e.Doubtful != "" && slices.ContainsFunc(st.Pending, func(p session.Pending) bool { return text.Same(p.Text, redact.Clean(e.Doubtful)) }) {
		e.Prompts = append(e.Prompts, transcript.Prompt{UUID: e.UUID, TS: e.TS, Text: e.Doubtful})
	}
	return e
}

// stopped removes the prompt that a hook blocked, as e notes, from those that wait: the one the client quotes, or, where it
// quotes none, the newest from before the note.
func stopped(st *session.State, e transcript.Entry) {
	if e.Blocked == "" || len(st.Pending) == 0 {
		return
	}
	words, at := redact.Clean(transcript.Stopped(e.Blocked)), -1
	for i, p := range st.Pending {
		if words == "" && after(e.TS, p.At) || words != "" && text.Same(p.Text, words) {
			at = i
		}
	}
	if at >= 0 {
		st.Pending = slices.Concat(st.Pending[:at], st.Pending[at+1:])
	}
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
	_ = journal.ReadRefs(store.Lane, func(l journal.Line) {
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
			p.ended[l.Ref] = l.Ref != "" && journal.Ended(l.Reason)
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

// settled reports whether what p did to a mission is settled: it was heard before and opened none, or one that was ended since.
func (p past) settled(ref string) bool { return p.ended[ref] || p.own[ref] && !p.opened[ref] }

// unseen leaves out what the journal holds already: after a crash between two writes the same lines are read again.
func unseen(j *journal.Journal, st *session.State, typed []prompt, tree branch) []prompt {
	at := slices.IndexFunc(typed, func(p prompt) bool { return p.UUID != "" && p.UUID == j.Seen })
	for _, p := range typed[:at+1] {
		switch words := sentence.Ends(p.Text); {
		case tree.rewound[p.UUID]:
		case text.Same(words, j.Mission), p.Asked == "" && sentence.Closes(words): // what was asked for before belongs to another mission
			st.Work.Asked = ""
		case sentence.IsSubstantive(words):
			request(st, p, words)
		}
	}
	return typed[at+1:]
}

// request notes what the session was asked for last. What asks for no work, or for a chore, leaves what was asked for before.
// An answer to Claude's question says how to go on; the words given when a call was refused ask like any others.
func request(st *session.State, p prompt, words string) {
	if p.Asked != "" || sentence.IsKeepsake(words) {
		return
	}
	if part := sentence.Request(words, journal.MaxWip); part != "" {
		quote, _ := text.Cut(text.Line(part), journal.MaxWip-2)
		st.Work.Asked = `"` + quote + `"`
	}
}

// hear takes one thing the user typed into the journal. Whatever it is, it goes to history whole; what sets a rule goes
// into the journal too, even beside a "go on".
func hear(j *journal.Journal, st *session.State, p prompt, past past) {
	if !keep(j, st, p, past) {
		return
	}
	p.Text = sentence.Ends(p.Text)
	words := p.Text
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

// leave closes the mission that p says is left: the session's own, or the one it found, unless the session that this belongs to
// still runs. Heard a second time it closes only what the history says was ended.
func leave(j *journal.Journal, st *session.State, p prompt, past past) {
	switch {
	case past.own[p.UUID] && (j.Session != st.ID || !past.ended[j.MissionRef]):
		return
	case j.Session != "" && j.Session != st.ID:
		if other, err := session.Load(past.dir, j.Session); err == nil && !other.Ended {
			return
		}
	}
	if j.Leave(sentence.Ended(p.Text), p.UUID) {
		j.Claim(st.ID)
	}
	st.Opened, st.Work.Asked = false, "" // what was heard just before it may have asked
}

// leaveBehind takes out of what is open in a session all that belongs to the mission that ended.
func leaveBehind(w *session.Work) {
	*w = session.Work{Calls: w.Calls, Passed: w.Passed, Ran: w.Ran, Made: w.Made, Prompts: w.Prompts}
}

// belongs reports whether what is said in the session is said for j. One without a mission becomes the session's.
func belongs(j *journal.Journal, st *session.State) bool {
	if !j.Open() {
		j.Claim(st.ID)
		return true
	}
	return j.Session == st.ID
}

// keep takes one thing the user typed into the history, whole, and reports whether what it says is to be judged: it was not
// taken as said before.
func keep(j *journal.Journal, st *session.State, p prompt, past past) bool {
	if p.UUID != "" {
		j.Seen = p.UUID
	}
	if p.taken {
		confirm(j, st, p)
		return false
	}
	if !past.refs[p.UUID] {
		j.Answered(p.Text, p.Asked, st.ID, p.UUID, p.TS)
	}
	return true
}

// confirm fills in which line of the transcript a prompt is that was taken as said before.
func confirm(j *journal.Journal, st *session.State, p prompt) {
	if head, _ := sentence.Headline(sentence.Ends(p.Text), journal.MaxMission); j.MissionRef == "" && text.Fold(head) == text.Fold(j.Mission) {
		j.MissionRef = p.UUID
	}
	j.Confirm(p.Text, st.ID, p.since, p.UUID)
}

// perPrompt is what a prompt costs by itself, beside its length, in bytes that are judged in that time.
const perPrompt = 100

// first takes a prompt of a session whose own mission has not begun. What is said for no mission of this session's stays in the
// history: another session's journal takes nothing from it.
func first(j *journal.Journal, st *session.State, p prompt, past past) {
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
func beside(j *journal.Journal, st *session.State, p prompt, past past) {
	if p.Asked != "" {
		j.AddSaid(journal.Saying{Text: p.Text, Asked: p.Asked, TS: p.TS, Ref: p.UUID, Rule: true})
		return
	}
	say(j, p, past)
	if j.Open() && sentence.IsSubstantive(p.Text) {
		request(st, p, p.Text)
	}
}

func open(j *journal.Journal, st *session.State, p prompt) {
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
	if text.Runes(p.Text) > journal.MaxSaid {
		opening, _ := text.Cut(sentence.TypedPart(p.Text), journal.MaxSaid/2)
		j.AddSaid(journal.Saying{Text: opening, TS: p.TS, Ref: p.UUID})
		rules(j, p, past)
		return
	}
	if !past.dropped[text.Fold(p.Text)] {
		j.AddSaid(journal.Saying{Text: p.Text, TS: p.TS, Ref: p.UUID, Rule: len(sentence.Rules(p.Text)) > 0})
	}
}

// rules adds the sentences of p that set a rule, each by itself: it may be shown where its message is not.
func rules(j *journal.Journal, p prompt, past past) {
	for _, rule := range sentence.Rules(p.Text) {
		if !past.dropped[text.Fold(rule)] {
			j.AddSaid(journal.Saying{Text: rule, TS: p.TS, Ref: p.UUID, Rule: true})
		}
	}
}
