package capture

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/withheld"
	"github.com/mementohq/memento/internal/work"
)

// Turns makes entries of the log from the lines of a session's transcript, with the rules by which the journal is
// captured: withheld words, private words, the words of subagents and of the client are left out.
type Turns struct {
	Root string // top folder of the project, "" for the client's folder
	Path string // of the transcript
	Keep config.Past
	Gate *withheld.Gate
	Now  time.Time
	// Skip, unless nil, reports whether the prompt with this id belongs to another session: a fork's transcript begins
	// with a copy of its parent's.
	Skip func(id string) bool

	at    *session.Turns
	began time.Time // when the newest turn of this part began
	away  func(ts string, offset int64) bool
	out   []log.Entry
	final map[string]int // the id of a prompt -> the place of its answer in out
	size  int            // bytes in out
}

// begin makes r ready for the next part of the transcript.
func (r *Turns) begin(at *session.Turns) {
	r.at, r.away, r.out, r.final, r.size = at, r.Gate.Lines(), nil, map[string]int{}, 0
}

// maxTurns is how many bytes of turns are held before they are written.
const maxTurns = 4 << 20

// Read reads the whole transcript and calls keep with entries and with the offset behind them. It returns keep's error.
// Other errors: fs.ErrNotExist, the disk's.
func (r *Turns) Read(keep func(some []log.Entry, offset int64) error) error {
	var at session.Turns
	var did work.Work
	stray, next := false, transcript.Position{}
	for end := false; !end; {
		r.begin(&at)
		var err error
		next, end, err = transcript.Follow(r.Path, next, func() bool { return r.size < maxTurns },
			r.Keep == config.PastAnswers, func(e transcript.Entry) {
				stray = stray || e.Stray
				r.words(e)
				if e = withoutErased(r.Gate, e); !e.Long && !r.away(e.TS, e.At) {
					r.readTools(&did, e, r.Root)
				}
			})
		if err == nil && len(r.out) > 0 {
			err = keep(r.out, next.Offset)
		}
		if err != nil {
			return err
		}
	}
	if !stray {
		return nil
	}
	rewound := transcript.Left(r.Path, next.Offset, func() bool { return true })
	return keep(turnedBack(rewound, r.Now), next.Offset)
}

// turnedBack returns entries that say which prompts were rewound, and which were not.
func turnedBack(rewound map[string]bool, now time.Time) (out []log.Entry) {
	for _, id := range slices.Sorted(maps.Keys(rewound)) {
		kind := log.Restored
		if rewound[id] {
			kind = log.Rewound
		}
		out = append(out, log.Entry{Kind: kind, Of: id, Time: now})
	}
	return out
}

// words takes in what was typed and answered in one line of the transcript.
func (r *Turns) words(e transcript.Entry) {
	if e.Long || r.away(e.TS, e.At) { // it may have been a prompt
		r.at.ID = ""
		return
	}
	typed := len(e.Prompts)
	e = withoutErased(r.Gate, e)
	if e.Boundary {
		r.add(e, log.Entry{Kind: log.Compacted})
	}
	if len(e.Prompts) < typed {
		r.at.ID = "" // what follows answers an erased prompt
	}
	for _, p := range e.Prompts {
		r.prompt(p, e.At)
	}
	if e.Private || slices.ContainsFunc(e.Prompts, func(p transcript.Prompt) bool {
		return strings.Contains(p.Text, text.PrivateMark)
	}) {
		r.at.ID = "" // the answer may repeat what was private
	}
	r.answer(e)
	r.about(e, log.Titled, e.Title)
	r.about(e, log.Recapped, e.Recap)
}

// about takes in words of the client's own model about the session.
func (r *Turns) about(e transcript.Entry, kind, words string) {
	if words, _ = text.Cut(text.Private(words), maxAbout); words != "" && r.Keep == config.PastAnswers &&
		!r.Gate.Has(words) {
		r.add(e, log.Entry{Kind: kind, Text: words})
	}
}

// maxAbout is the longest title or recap that is kept, in characters.
const maxAbout = 1000

// prompt begins a turn, except for words typed into a dialog: they stand in a turn of their own, and Claude goes on
// with the turn that asked.
func (r *Turns) prompt(p transcript.Prompt, at int64) {
	if p.Long || p.UUID == "" || p.Typed != "" && r.away(p.Typed, at) || r.Skip != nil && r.Skip(p.UUID) ||
		before(p.TS, r.at.Since) {
		r.at.ID = ""
		return
	}
	asked := ""
	if r.Keep == config.PastAnswers {
		asked = p.Asked
	}
	r.began = timeOf(p.TS)
	if r.Path != "" { // in a hook the prompt is kept when it is judged
		r.put(log.Entry{ID: p.UUID, Kind: log.Typed, Time: r.began, Text: p.Text, Asked: asked,
			Client: client.Of(r.Path).Label})
	}
	if !p.Aside {
		r.at.ID = p.UUID
	}
}

// answer takes in a text of Claude's. The last one of a turn stays.
func (r *Turns) answer(e transcript.Entry) {
	if r.at.ID == "" || r.Keep != config.PastAnswers {
		return
	}
	words := text.Private(e.Answer())
	if words == "" || r.Gate.HasID(e.UUID) || r.Gate.Has(words) {
		return
	}
	if at, ok := r.final[r.at.ID]; ok {
		r.size += len(words) - len(r.out[at].Text)
		r.out[at].Text, r.out[at].Time = words, timeOf(e.TS)
	} else {
		r.final[r.at.ID] = len(r.out)
		r.add(e, log.Entry{Kind: log.Answered, Text: words})
	}
}

// add adds what happened in the running turn, at the line e of the transcript. Without a turn, it belongs to nobody.
func (r *Turns) add(e transcript.Entry, happened log.Entry) {
	if r.at.ID == "" || r.Keep == config.PastWords {
		return
	}
	if happened.Of, happened.Time = r.at.ID, timeOf(e.TS); happened.Kind == log.Titled { // its line has no time
		happened.Time = r.began
	}
	r.put(happened)
}

func (r *Turns) put(e log.Entry) {
	r.size += len(e.Text) + len(e.Asked) + perPrompt
	r.out = append(r.out, e)
}

// timeOf returns the time of a line of the transcript, the zero time for none.
func timeOf(ts string) time.Time {
	at, _ := time.Parse(time.RFC3339, ts)
	return at
}

// keep appends what happened in a part to the log, or leaves that to apply. It comes before any other file is written.
func (l *catching) keep(p *part, v judgement) error {
	st := p.st
	p.happened = turnedBack(v.tree.changed, l.store.Now)
	if p.turns == nil {
		return nil
	}
	store := log.Store{Dir: l.store.Lane.Dir, Wait: l.store.Wait}
	add := store.Append
	if p.known {
		add = store.Add
	}
	if !v.nothing && !p.known {
		p.happened = append(p.turns.out, p.happened...)
	} else if err := add(l.store.Lane.Slug, st.ID, p.turns.out); err != nil {
		return err
	}
	if len(p.turns.out)+len(p.prompts) > 0 {
		st.Turns.New, st.Turns.Answer = true, ""
		if at, ok := p.turns.final[st.Turns.ID]; ok {
			st.Turns.Answer = p.turns.out[at].Text
		}
	}
	return nil
}

// KeepAnswer stores what Claude answered last, which the transcript may not hold yet. The caller holds st and has
// called CatchUp at the same event. It does nothing where the transcript does not show the prompt that is answered.
// Errors: those of log.Store.Append.
func KeepAnswer(store journal.Store, st *session.Memory, final string) error {
	words, shown := text.Private(final), st.Turns.Answer
	isNew := st.Turns.New && store.Config.Past == config.PastAnswers
	st.Turns.New, st.Turns.Answer = false, ""
	if !isNew || words == "" || words == shown || len(st.Pending) > 0 || st.Turns.ID == "" {
		return nil
	}
	gate, err := openGate(store, st)
	if err != nil || gate.Has(words) {
		return err
	}
	return log.Store{Dir: store.Lane.Dir, Wait: store.Wait}.Append(store.Lane.Slug, st.ID,
		[]log.Entry{{Kind: log.Answered, Of: st.Turns.ID, Time: store.Now, Text: words}})
}

// TurnsSince returns the time from which turns are kept, by the setting past_days: the zero time for all of them.
func TurnsSince(c config.Config, now time.Time) time.Time {
	if c.PastDays == 0 {
		return time.Time{}
	}
	return now.AddDate(0, 0, -c.PastDays)
}
