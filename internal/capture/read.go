package capture

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/withheld"
	"github.com/mementohq/memento/internal/work"
)

// A part ends when it has reached one of these sizes. It is written before the next one is read, so that the work of an
// event that is killed is not lost.
const (
	manyPrompts = 400
	manyTyped   = 256 << 10 // bytes of prompts
	manyDeeds   = 4000
)

// part is a part of a transcript, as it was read.
type part struct {
	st     *session.Memory
	gate   *withheld.Gate
	before work.Work           // the session's open work before the part
	from   transcript.Position // where the part begins
	afresh bool                // the file is read from its beginning
	known  bool                // the history may hold prompts of this part

	prompts  []prompt
	typed    int // bytes of prompts
	deeds    []deed
	turns    *Turns      // nil when no turn is to be kept
	happened []log.Entry // what apply adds to the log
	answer   spoken      // the last one of Claude's, not noted yet
	crossed  bool        // a compaction came since Claude's last answer

	next    transcript.Position // where the next part begins
	end     bool                // next is the end of the file
	missing bool                // there is no file
	barred  bool                // there is no file that may be read
	more    bool                // the part ended because of its size
}

// read reads the next part of the transcript of st and updates st's open work.
func (l *catching) read(st *session.Memory) (*part, error) {
	current, err := readJournal(l.store, st)
	if err != nil {
		return nil, err
	}
	p := &part{st: st, from: st.Read, next: st.Read}
	p.begin(current)
	if p.gate, err = openGate(l.store, st); err != nil {
		return nil, err
	}
	st.Pending = slices.DeleteFunc(slices.Clone(st.Pending), func(q session.Pending) bool {
		return p.gate.Has(q.Text)
	})
	if keep := l.store.Config.Past; keep != config.PastJournal && st.Transcript != "" {
		p.turns = &Turns{Keep: keep, Gate: p.gate}
		if p.afresh {
			st.Turns.ID, st.Turns.Keep = "", string(keep)
		} else if st.Turns.Keep != string(keep) {
			st.Turns.Keep = ""
		}
		p.turns.begin(&st.Turns)
	}
	err = fs.ErrNotExist
	if st.Transcript != "" {
		err = p.follow(l.inTime)
	}
	p.missing, p.barred = errors.Is(err, fs.ErrNotExist), err != nil
	if err != nil && !p.missing && !errors.Is(err, fs.ErrPermission) {
		return nil, err
	}
	if p.end {
		st.MayRepeat = st.Cut
	}
	st.New = st.New && p.next.Offset == 0
	p.more = p.more && !p.end && err == nil
	return p, nil
}

// begin brings the session memory to the beginning of the part. j is the journal, nil when it could not be read.
func (p *part) begin(j *journal.Journal) {
	st := p.st
	p.afresh = st.Read.Offset == 0 || !transcript.Continues(st.Transcript, st.Read)
	if p.afresh {
		st.Work = work.Work{}
		st.Cut = st.Cut || st.Read.Offset > 0
		st.New = st.New && !st.Cut
		st.MayRepeat = !st.New
	}
	p.known = st.MayRepeat
	// a command closed the mission since the last event
	if st.Opened && j != nil && j.MissionClosed != "" && j.Session == st.ID {
		endMission(&st.Work)
		st.Opened = false
	}
	p.before = st.Work.Clone()
}

// follow reads the lines of the part.
func (p *part) follow(inTime func() bool) (err error) {
	st, line := p.st, 0
	away := p.gate.Lines()
	goOn := func() bool {
		p.more = len(p.prompts) >= manyPrompts || p.typed >= manyTyped || len(p.deeds) >= manyDeeds
		return !p.more && inTime()
	}
	p.next, p.end, err = transcript.Follow(st.Transcript, st.Read, goOn, true, func(e transcript.Entry) {
		line++
		st.Stray = st.Stray || e.Stray
		if e.Boundary && !p.known {
			st.Bounded()
		}
		e = confirmDoubtful(st, e)
		if p.turns != nil {
			p.turns.words(e)
		}
		gone := away(e.TS, e.At)
		p.crossed = p.crossed || e.Boundary          // the first prompt behind a compaction continues no line before it
		if gone || e.Long || e.Stray && !p.crossed { // the next reply may answer other words than the last ones read
			p.answer, st.Work.Told = spoken{}, ""
		}
		if gone && !e.Long {
			return
		}
		dropBlocked(st, e)
		e = withoutErased(p.gate, e)
		for _, typed := range e.Prompts {
			if typed.Typed == "" || !away(typed.Typed, e.At) {
				p.addPrompt(typed, line, e.At)
			}
		}
		words := e.Answer()
		if words != "" {
			p.crossed = false
			p.answer = spoken{words, e.UUID, e.TS}
		}
		for _, d := range p.turns.readTools(&st.Work, e, st.Root) {
			d.line, d.from = line, e.At
			p.deeds = append(p.deeds, d)
		}
	})
	p.noteAnswer()
	return err
}

// addPrompt adds a prompt to the part. Its line begins at the offset at.
func (p *part) addPrompt(typed transcript.Prompt, line int, at int64) {
	// before anything is cut: redact does not recognise half a secret
	typed.Text, typed.Asked = redact.Clean(typed.Text), redact.Clean(typed.Asked)

	// the open work belongs to the mission that ends here
	words := sentence.Ends(typed.Text)
	if typed.Asked == "" && sentence.Closes(words) {
		endMission(&p.st.Work)
	}
	w := &p.st.Work
	waited := typed.Typed != "" || typed.Queued() // Claude may have said more since
	switch {
	case typed.Aside, sentence.IsCommand(words): // it answers a question or a call; a command is no work
	case sentence.IsReply(words) && !waited:
		p.noteAnswer()
		w.Proposed, w.Reply = sentence.Proposal(w.Told, maxProposed), words
	default: // it answers all that Claude said so far
		p.answer = spoken{}
		w.Told, w.Proposed, w.Reply = "", "", ""
	}
	p.prompts = append(p.prompts, prompt{Prompt: typed, line: line, at: at})
	p.typed += len(typed.Text)
	if !typed.Aside && sentence.IsSubstantive(words) {
		p.st.Work.Prompts++
	}
}

const (
	maxProposed = 200     // characters kept of a proposal of Claude's
	maxTold     = 2 << 10 // bytes kept of Claude's last words, until they are answered
)

// spoken is a text of Claude's, without thinking, tools and subagents.
type spoken struct{ text, uuid, ts string }

// noteAnswer notes the end of Claude's last answer, "" for one that is withheld.
func (p *part) noteAnswer() {
	a := p.answer
	if p.answer = (spoken{}); a.text == "" {
		return
	}
	words := text.Private(a.text) // its end sums up the rest
	words = redact.Clean(strings.ToValidUTF8(words[max(0, len(words)-sentence.MaxLooked):], ""))
	if p.gate.HasID(a.uuid) || p.gate.Has(words) {
		words = ""
	}
	p.st.Work.Told = strings.ToValidUTF8(words[max(0, len(words)-maxTold):], "")
}

// readJournal returns the journal, nil when it cannot be read. It sets a damaged one aside; the session's transcript is
// then read again from its beginning, into a fresh journal.
func readJournal(store journal.Store, st *session.Memory) (*journal.Journal, error) {
	if j, err := store.Read(); !errors.Is(err, journal.ErrCorrupt) {
		return j, nil
	}
	j, err := store.Update(func(*journal.Journal) error { return nil })
	if err != nil {
		return nil, err
	}
	st.Trouble = strings.Join(j.Notes(), "; ")
	st.Opened, st.Read, st.Assumed, st.Work, st.New = false, transcript.Position{}, nil, work.Work{}, false
	return nil, nil
}

// prompt is something the user typed.
type prompt struct {
	transcript.Prompt
	taken bool   // it counted as said before the transcript showed it: only its uuid is new
	since string // the time that was noted for it then, "" for none
	line  int    // the number of its line in the part, from 1
	at    int64  // where its line begins in the file
}

// entry returns p as an entry of the log. A prompt that the transcript does not show makes no turn, and none does when
// turns are not kept.
func (p prompt) entry(st *session.Memory, keep config.Past) log.Entry {
	e := log.Entry{ID: p.UUID, Kind: log.Typed, Time: timeOf(p.TS), Session: st.ID, Text: p.Text, Asked: p.Asked,
		Aside: p.UUID == "" || keep == config.PastJournal, Client: client.Of(st.Transcript).Label}
	switch {
	case p.UUID == "":
		e.ID = log.Unshown(st.ID, p.Text, p.TS)
	case p.taken && p.since != "":
		e.Was = log.Unshown(st.ID, p.Text, p.since)
	}
	return e
}

// confirmDoubtful returns e with its doubtful words as a prompt when a submitted prompt has the same words.
func confirmDoubtful(st *session.Memory, e transcript.Entry) transcript.Entry {
	if e.Doubtful != "" && slices.ContainsFunc(st.Pending, func(p session.Pending) bool {
		return text.Same(p.Text, redact.Clean(e.Doubtful))
	}) {
		e.Prompts = append(e.Prompts, transcript.Prompt{UUID: e.UUID, TS: e.TS, Text: e.Doubtful})
	}
	return e
}

// dropBlocked removes the prompt that a hook blocked from the waiting prompts: the one that e quotes or, without a
// quotation, the newest one from before e.
func dropBlocked(st *session.Memory, e transcript.Entry) {
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
