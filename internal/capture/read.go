package capture

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/withheld"
	"github.com/mementohq/memento/internal/work"
)

// How much is taken in at once: what was typed, in prompts and in bytes, what tools brought about, and commands that
// were lost. It is written before more is read, so that an event that is killed has not worked for nothing.
const (
	manyPrompts = 400
	manyTyped   = 256 << 10
	manyDeeds   = 4000
	manyLost    = 8
)

// part is what was read of a transcript at once.
type part struct {
	st      *session.Memory
	journal *journal.Journal // as it was found, nil when it could not be read
	gate    *withheld.Gate
	before  work.Work           // what was open in the session before
	from    transcript.Position // where the part begins
	forked  bool                // the transcript begins with what a parent's has
	afresh  bool                // the file is read from its beginning
	known   bool                // the history may have what was typed here

	prompts []prompt
	typed   int // bytes of prompts
	deeds   []deed
	denied  *denials
	said    listener

	next    transcript.Position // where the next part begins
	end     bool                // that is the end of the file
	missing bool                // there is no file
	barred  bool                // there is none that may be read
	more    bool                // the part ended because it had become large
}

// read reads the next part of the transcript of st. What was open in the session it follows as it reads.
func (l *listening) read(st *session.Memory) (*part, error) {
	current, err := mend(l.store, st)
	if err != nil {
		return nil, err
	}
	p := &part{st: st, journal: current, from: st.Read, next: st.Read, forked: st.Forked}
	p.begin()
	if p.gate, err = gateOf(l.store, st); err != nil {
		return nil, err
	}
	p.denied = &denials{st: st, inTime: l.inTime}
	p.said = listener{heard: l.heard, afresh: p.afresh, gate: p.gate}
	err = fs.ErrNotExist
	if st.Transcript != "" {
		err = p.follow(l.inTime)
	}
	p.missing, p.barred = errors.Is(err, fs.ErrNotExist), err != nil
	if err != nil && !p.missing && !errors.Is(err, fs.ErrPermission) {
		return nil, err
	}
	if p.end {
		st.Known = st.Cut
	}
	st.New = st.New && p.next.Offset == 0
	p.more = p.more && !p.end && err == nil
	return p, nil
}

// begin brings what is known of the session to where the part begins.
func (p *part) begin() {
	st := p.st
	p.afresh = st.Read.Offset == 0 || !transcript.Continues(st.Transcript, st.Read)
	if p.afresh {
		st.Work = work.Work{}
		st.Cut = st.Cut || st.Read.Offset > 0
		st.New = st.New && !st.Cut
		st.Known = !st.New
		st.Unheard = nil
	}
	p.known = st.Known
	// by name, since the last event
	if j := p.journal; st.Opened && j != nil && j.MissionClosed != "" && j.Session == st.ID {
		leaveBehind(&st.Work)
		st.Opened = false
	}
	p.before = st.Work.Clone()
}

// follow reads the lines of the part.
func (p *part) follow(inTime func() bool) (err error) {
	st, line := p.st, 0
	away := p.gate.Lines()
	var at folders
	follow := transcript.ReadWhile
	if p.said.heard != nil {
		follow, p.said.end = transcript.Follow, transcript.End(st.Transcript).Offset
		if st.Unheard != nil {
			line = p.said.again(st, inTime)
		}
	}
	goOn := func() bool {
		p.more = len(p.prompts) >= manyPrompts || p.typed >= manyTyped || len(p.deeds) >= manyDeeds ||
			len(p.denied.lost) >= manyLost
		return !p.more && inTime()
	}
	p.next, p.end, err = follow(st.Transcript, st.Read, goOn, func(e transcript.Entry) {
		line++
		st.Stray = st.Stray || e.Stray
		if e.Boundary && !p.known {
			st.Bounded()
		}
		if away(e.TS, e.At) && !e.Long {
			return
		}
		stopped(st, e)
		e = unerased(p.gate, submitted(st, e))
		for _, typed := range e.Prompts {
			if typed.Typed == "" || !away(typed.Typed, e.At) {
				p.addPrompt(typed, line, e.At)
			}
		}
		p.said.answer(e, line)
		p.denied.see(e)
		for _, d := range readTools(&st.Work, e, at.of(st.Root, e)) {
			d.line = line
			p.deeds = append(p.deeds, d)
		}
	})
	return err
}

// addPrompt takes what was typed in a line, which begins at the offset at.
func (p *part) addPrompt(typed transcript.Prompt, line int, at int64) {
	// While it is whole: half a secret is not recognised.
	typed.Text, typed.Asked = redact.Clean(typed.Text), redact.Clean(typed.Asked)

	// What was open belongs to the mission that ends here; what comes behind is the next one's.
	words := sentence.Ends(typed.Text)
	if typed.Asked == "" && sentence.Closes(words) {
		leaveBehind(&p.st.Work)
	}
	p.prompts = append(p.prompts, prompt{Prompt: typed, line: line, at: at})
	p.typed += len(typed.Text)
	if !typed.Aside && sentence.IsSubstantive(words) {
		p.st.Work.Prompts++
	}
}

// mend returns the journal, nil when it cannot be read. A damaged one it sets aside: what this session said is then
// read again from its transcript, into a fresh one.
func mend(store journal.Store, st *session.Memory) (*journal.Journal, error) {
	if j, err := store.Read(); !errors.Is(err, journal.ErrCorrupt) {
		return j, nil
	}
	j, err := store.Update(func(*journal.Journal) error { return nil })
	if err != nil {
		return nil, err
	}
	st.Trouble = strings.Join(j.Notes(), "; ")
	st.Opened, st.Read, st.Taken, st.Work, st.New = false, transcript.Position{}, nil, work.Work{}, false
	return nil, nil
}

// prompt is something the user typed, as capture sees it.
type prompt struct {
	transcript.Prompt
	taken bool   // it was taken as said before the transcript showed it: only its uuid is new
	since string // the time under which it was, "" when that is not known
	line  int    // where it stands among what was read, from 1
	at    int64  // and in the file

	judgement sentence.Judgement // of the words that are looked at, once they are heard
}

// asLine returns p as the history keeps it, with how it was judged.
func (p prompt) asLine(st *session.Memory, judged string) history.Line {
	return history.Line{TS: p.TS, Kind: "said", Session: st.ID, Text: p.Text, Asked: p.Asked, Judged: judged,
		Ref: p.UUID}
}

// rules returns the sentences that set a rule, as they stand in what was heard.
func (p prompt) rules() (out []string) {
	for _, s := range p.judgement.Parts {
		if s.Kind == sentence.Rule {
			out = append(out, p.Text[s.Begin:s.End])
		}
	}
	return out
}

// submitted returns e with its doubtful words among its prompts where a prompt of the same words waits: somebody
// submitted it.
func submitted(st *session.Memory, e transcript.Entry) transcript.Entry {
	if e.Doubtful != "" && slices.ContainsFunc(st.Pending, func(p session.Pending) bool {
		return text.Same(p.Text,
			redact.Clean(e.Doubtful))
	}) {
		e.Prompts = append(e.Prompts, transcript.Prompt{UUID: e.UUID, TS: e.TS, Text: e.Doubtful})
	}
	return e
}

// stopped removes the prompt that a hook blocked, as e notes, from those that wait: the one the client quotes, or,
// where it quotes none, the newest from before the note.
func stopped(st *session.Memory, e transcript.Entry) {
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
