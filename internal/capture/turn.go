package capture

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/config"
	turns "github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/withheld"
	"github.com/mementohq/memento/internal/work"
)

// Turns reads turns from one session's transcript, with the rules by which the journal is captured: withheld words,
// private words, the words of subagents and of the client, and prompts that were rewound are left out.
type Turns struct {
	Session, Project string
	Root             string // top folder of the project, "" for the client's folder
	Path             string // of the transcript
	Keep             config.Past
	Gate             *withheld.Gate
	// Skip, unless nil, reports whether the prompt with this id belongs to another session: a fork's transcript begins
	// with a copy of its parent's.
	Skip func(id string) bool

	at     *session.Turns
	work   work.Work
	folder folders
	away   func(ts string, offset int64) bool
	stray  bool // a prompt may have begun another branch
	out    []turns.Turn
	index  map[string]int // PromptID -> place in out
	size   int            // bytes in out
}

// maxTurns is how many bytes of turns are held before they are written.
const maxTurns = 4 << 20

// Read reads the transcript from at on, calls keep with the turns, and moves at. It stops when inTime returns false.
// keep may get one turn in several parts. afresh says that the transcript was read from its beginning. Turns that were
// rewound come as turns.Turn.Gone. It reports whether the whole transcript was read. On an error at is behind the last
// turns that keep took. Errors: fs.ErrNotExist, the disk's, keep's.
func (r *Turns) Read(at *session.Turns, inTime func() bool,
	keep func(some []turns.Turn, afresh bool) error) (end bool, err error) {
	if r.Keep == config.PastJournal {
		return true, nil
	}
	afresh := at.Read.Offset == 0 || !transcript.Continues(r.Path, at.Read)
	if afresh {
		at.ID = ""
	}
	r.at, r.away, r.stray = at, r.Gate.Lines(), at.Stray
	for !end {
		r.out, r.index, r.size = nil, map[string]int{}, 0
		goOn := func() bool { return r.size < maxTurns && inTime() }
		id := at.ID
		next, done, err := transcript.Follow(r.Path, at.Read, goOn, r.Keep == config.PastAnswers, r.add)
		if err == nil && len(r.out) > 0 {
			err = keep(r.out, afresh)
		}
		if err != nil {
			at.ID = id // where at.Read is
			return false, err
		}
		stopped := next == at.Read
		at.Read, at.Stray, end = next, r.stray, done
		if !done && (stopped || !inTime()) {
			return false, nil
		}
	}
	return true, r.rewind(at, inTime, keep)
}

// rewind passes on the prompts that were rewound, when a prompt has begun another branch. When the time does not
// suffice, the next Read tries again.
func (r *Turns) rewind(at *session.Turns, inTime func() bool, keep func([]turns.Turn, bool) error) error {
	if !at.Stray {
		return nil
	}
	rewound, _ := transcript.Left(r.Path, at.Read.Offset, inTime)
	if rewound == nil {
		at.Stray = !inTime() // a transcript that cannot be judged is not judged again
		return nil
	}
	var changed []turns.Turn
	for _, id := range slices.Sorted(maps.Keys(rewound)) {
		changed = append(changed, turns.Turn{Project: r.Project, Session: r.Session, PromptID: id,
			Gone: rewound[id], Back: !rewound[id]})
	}
	if err := keep(changed, true); err != nil {
		return err
	}
	at.Stray = false
	return nil
}

// add takes in one line of the transcript.
func (r *Turns) add(e transcript.Entry) {
	r.stray = r.stray || e.Stray
	if e.Long {
		r.at.ID = "" // it may have been a prompt
		return
	}
	if r.away(e.TS, e.At) {
		r.at.ID = ""
		return
	}
	typed := len(e.Prompts)
	e = withoutErased(r.Gate, e)
	if e.Boundary {
		r.turn(func(t *turns.Turn) { t.Compacted = true })
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
	var failed work.Failure
	if n := len(r.work.Failures); n > 0 {
		failed = r.work.Failures[n-1]
	}
	for _, d := range readTools(&r.work, e, r.folder.of(r.Root, e)) {
		r.deed(d)
	}
	if n := len(r.work.Failures); n > 0 && r.work.Failures[n-1] != failed {
		f := r.work.Failures[n-1]
		r.turn(func(t *turns.Turn) { t.Ran = append(t.Ran, turns.Ran{Cmd: f.Cmd, Line: f.Line, Failed: true}) })
	}
}

// prompt begins a turn, except for words typed into a dialog: they stand in a turn of their own, and Claude goes on
// with the turn that asked.
func (r *Turns) prompt(p transcript.Prompt, at int64) {
	switch {
	case p.Long:
		r.at.ID = ""
		return
	case p.UUID == "", p.Typed != "" && r.away(p.Typed, at):
		r.at.ID = ""
		return
	case r.Skip != nil && r.Skip(p.UUID), before(p.TS, r.at.Since):
		r.at.ID = ""
		return
	}
	asked := ""
	if r.Keep == config.PastAnswers {
		asked = p.Asked
	}
	ts, _ := time.Parse(time.RFC3339, p.TS)
	r.put(turns.Turn{Time: ts, Prompt: p.Text, PromptID: p.UUID, Asked: asked})
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
	if words == "" || r.Gate.Erased(e.UUID) || r.Gate.ErasedWords(words, e.TS) {
		return
	}
	r.turn(func(t *turns.Turn) {
		r.size += len(words) - len(t.Answer)
		t.Answer = words
	})
}

// deed takes in what a tool did.
func (r *Turns) deed(d deed) {
	switch {
	case d.commit != "":
		r.turn(func(t *turns.Turn) { t.Commits = append(t.Commits, d.commit) })
	case d.done != nil && d.done.Check:
		ran := turns.Ran{Cmd: d.done.Act, Line: strings.TrimPrefix(d.done.Ctx, "tool: ")}
		r.turn(func(t *turns.Turn) { t.Ran = append(t.Ran, ran) })
	case d.file != "":
		r.turn(func(t *turns.Turn) {
			if !slices.Contains(t.Files, d.file) {
				t.Files = append(t.Files, d.file)
			}
		})
	}
}

// turn changes the running turn. Without one, what happens belongs to nobody.
func (r *Turns) turn(change func(*turns.Turn)) {
	if r.at.ID == "" || r.Keep == config.PastWords || r.Gate.Erased(turns.Rest(r.at.ID)) {
		return
	}
	i, ok := r.index[r.at.ID]
	if !ok {
		i = r.put(turns.Turn{PromptID: r.at.ID})
	}
	change(&r.out[i])
}

// put adds a turn and returns its place.
func (r *Turns) put(t turns.Turn) int {
	t.Project, t.Session = r.Project, r.Session
	r.size += len(t.Prompt) + len(t.Asked) + perPrompt
	r.out = append(r.out, t)
	r.index[t.PromptID] = len(r.out) - 1
	return len(r.out) - 1
}

// KeepTurns stores the turns of the session st that are new in its transcript, as far as time allows. final is what
// Claude answered last, "" when it is not known: the transcript may not hold it yet. The caller holds st and has
// brought the journal up to date. What fails is done at the next call.
func KeepTurns(c config.Config, lane project.Lane, st *session.Memory, now time.Time, wait time.Duration,
	final string) error {
	if c.Past == config.PastJournal || st.Transcript == "" {
		return nil
	}
	gate, err := gateOf(lane, st, now)
	if err != nil {
		return err
	}
	switch {
	case st.Turns.Read.Offset == 0:
		st.Turns.Keep = string(c.Past)
	case st.Turns.Keep != string(c.Past):
		st.Turns.Keep = ""
	}
	store := turns.Store{Dir: c.Dir, Wait: wait}
	r := &Turns{Session: st.ID, Project: lane.Slug, Root: st.Root, Path: st.Transcript, Keep: c.Past, Gate: gate}
	end, err := r.Read(&st.Turns, Soon(), func(some []turns.Turn, afresh bool) error {
		if afresh {
			return store.Add(some)
		}
		return store.Append(some)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	// without a new line, what Claude answered last is stored, or answers a prompt that the transcript does not show
	if err != nil || !end || final == "" || len(r.out) == 0 || len(st.Pending) > 0 || st.Turns.ID == "" ||
		c.Past != config.PastAnswers {
		return err
	}
	if i, ok := r.index[st.Turns.ID]; ok && r.out[i].Answer == final || gate.Erased(turns.Rest(st.Turns.ID)) {
		return nil
	}
	return store.Append([]turns.Turn{{Project: lane.Slug, Session: st.ID, PromptID: st.Turns.ID,
		Answer: text.Private(final)}})
}

// NoteKept notes how far the transcript of the session st was read, when the session is over. The note outlives the
// session's memory. Errors: those of past.Store.NoteTaken.
func NoteKept(c config.Config, st *session.Memory, wait time.Duration) error {
	at := st.Turns
	if at.Keep == "" || at.Read.Offset == 0 || c.Past == config.PastJournal {
		return nil
	}
	return turns.Store{Dir: c.Dir, Wait: wait}.NoteTaken(st.ID, turns.ReadMark(at.Keep, at.Read.Offset, at.Read.File))
}

// maxSettings is the size of the client's settings that are read, in bytes.
const maxSettings = 1 << 20

// TurnLimits returns how long turns are kept: as the setting past_days says, and answers also no longer than a person
// told the client to keep its transcripts.
func TurnLimits(c config.Config, now time.Time) (l turns.Limits) {
	if c.PastDays > 0 {
		l.Turns = now.AddDate(0, 0, -c.PastDays)
	}
	data, _ := safefile.ReadForeign(filepath.Join(c.ClaudeDir, "settings.json"), maxSettings)
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if days := gjson.GetBytes(data, "cleanupPeriodDays"); gjson.ValidBytes(data) && days.Type == gjson.Number &&
		days.Num >= 0 {
		l.Answers = now.AddDate(0, 0, -int(min(days.Num, 1e5)))
	}
	return l
}
