// Package log keeps what happened in sessions: what the user typed, what Claude answered at the end of a turn, and what
// the turn ran, committed and edited. It is the only place that knows the form of an entry and of the files in the
// folder "log": it appends, reads, merges, erases and renames them. Where entries come from (capture, backfill), what
// may be kept (withheld), and what is made of them (past) may not come in.
//
// Each session has one file, in the folder of its project and of the month of its first entry. The file has one JSON
// object a line and is only appended to; Erase and Limit alone replace it. The ids of entries come from the
// transcript's own, so that a part of a transcript that is read twice, in any order, after any kill, adds nothing: of
// two entries with one id the first counts.
package log

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
)

// Kinds of entries.
const (
	Typed     = "typed"     // Text is the prompt, Asked the question of Claude's that it answers; ID is the prompt's
	Answered  = "answered"  // Text is Claude's last message in the turn; the latest one counts
	Ran       = "ran"       // Text is a command that failed, or a check that passed; Line says why it failed
	Committed = "committed" // Text is "abc1234 Subject"
	Edited    = "edited"    // Text is the path of a file, relative to the project
	Compacted = "compacted" // the context was compacted in the turn
	Titled    = "titled"    // Text is what the client, or the person, called the session; the latest one counts
	Recapped  = "recapped"  // Text is what the client's own model wrote of the session so far
	Rewound   = "rewound"   // the user took the turn back
	Restored  = "restored"  // the user came back to a turn that was taken back
	Erased    = "erased"    // the entry with this ID was erased, and does not come in again

	// All other kinds are of a journal: they stay on this machine, and stay when their turn is old. Later sessions need
	// these.
	Mission  = "mission"  // a mission left, with its whole journal
	Reopened = "reopened" // a mission came back
	Dropped  = "dropped"  // words of the user's that hold no more

	// These make a journal again: Of is its lane, Body the journal or what changed in it, Sum tells the result.
	Carried = "carried" // the journal as a session found or began it
	Changed = "changed" // a change of the journal
	ByHand  = "by hand" // the journal as somebody edited it
	Cleared = "cleared" // somebody removed the journal

	// Decisions about the rules of a project stand in its own file, and travel. Dropped is one too.
	Kept    = "kept"    // Text holds on, by somebody's word or by the form of the prompt Of
	Over    = "over"    // the rule Newer says something else of the same thing
	Offered = "offered" // somebody was asked about the rules that Of names
)

// isOfModel reports whether a model wrote the words.
func (e *Entry) isOfModel() bool { return e.Kind == Answered || e.Kind == Titled || e.Kind == Recapped }

// lasts reports whether the entries of a kind outlive their session.
func lasts(kind string) bool { return kind == Mission || kind == Reopened || kind == Dropped }

// Entry is one thing that happened in a session.
type Entry struct {
	ID, Kind string
	Time     time.Time
	Of       string // the ID of the prompt that the entry belongs to; "" for the prompt itself
	Text     string
	Asked    string
	Line     string
	Failed   bool
	Session  string // as the client calls it, where that is not the name of the file
	Client   string // of a prompt: the client's name where it is not Claude Code, "codex"
	On       string // the id of the machine, of a prompt that came from another one
	Lane     string // the lane's name without the project's, "" for what came from another machine or from before

	By     string
	Aside  bool   // of a prompt: it is kept for the rules and the mission, and makes no turn
	Was    string // of a prompt: the ID that it had before the transcript showed it
	Reason string // of a mission: parked, closed, cleared, rewound, or left, finished, over in the user's words
	Since  string // of a mission: the ID of the prompt that closed it

	Agent, AgentType string // of a subagent: its id and type
	Verb             string // of a subagent: the command that it ran, or "report"

	Rule, Newer int       // numbers of rules
	Said        time.Time // of a rule that somebody judged: when its words were said last
	As          string    // of a rule that became a record: the record's kind

	Sum   string // see Carried
	Taken int64  // of a change of a journal: how much of the session's transcript it has taken in, in bytes
	Body  string // JSON that the owner of the kind knows: the journal of a mission, what was done, a compaction's counts

	Gone bool // of a prompt: the user rewound it; package history sets it
}

// fields names the JSON fields of an entry; Text fields are somebody's words.
func (e *Entry) fields(t *jsonx.Table) {
	t.Wordless("id", &e.ID)
	t.Wordless("kind", &e.Kind)
	t.Time("ts", &e.Time)
	t.Wordless("of", &e.Of)
	t.Wordless("was", &e.Was)
	t.Wordless("lane", &e.Lane)
	t.Wordless("session", &e.Session)
	t.Wordless("client", &e.Client)
	t.Wordless("on", &e.On)
	t.Wordless("by", &e.By)
	t.Text("text", &e.Text)
	t.Text("asked", &e.Asked)
	t.Text("line", &e.Line)
	t.Yes("failed", &e.Failed)
	t.Yes("aside", &e.Aside)
	t.Wordless("reason", &e.Reason)
	t.Wordless("since", &e.Since)
	t.Wordless("agent", &e.Agent)
	t.Wordless("type", &e.AgentType)
	t.Wordless("verb", &e.Verb)
	jsonx.Number(t, "rule", &e.Rule)
	t.Time("said_at", &e.Said)
	jsonx.Number(t, "newer", &e.Newer)
	t.Wordless("as", &e.As)
	t.Wordless("sum", &e.Sum)
	jsonx.Number(t, "taken", &e.Taken)
	t.Custom("body", func(v gjson.Result) string { e.Body = v.Raw; return "" }, func() string { return e.Body })
}

// Wordless returns the fields of an entry that hold nobody's words.
func Wordless() jsonx.Wordless {
	all := jsonx.WordlessOf(new(Entry), (*Entry).fields)
	delete(all, "body")
	return all
}

// maxLevels is how deep a line may be nested.
const maxLevels = 64 + 2 // the line of a mission holds a journal two levels down

// Parse reads a line. ok is false for anything but an entry. The entry shares no memory with line.
func Parse(line []byte) (e Entry, ok bool) {
	ok = jsonx.Read(line, maxLevels, &e, (*Entry).fields)
	return e, ok && e.ID != "" && e.Kind != ""
}

// JSON returns the entry as a line, without a line end.
func (e *Entry) JSON() []byte { return jsonx.Write(e, (*Entry).fields) }

// encodeAll returns entries as lines. A prompt may have megabytes: it is copied once.
func encodeAll(entries []Entry) []byte {
	lines := make([][]byte, len(entries))
	for i := range entries {
		lines[i] = append(entries[i].JSON(), '\n')
	}
	if len(lines) == 1 {
		return lines[0]
	}
	return slices.Concat(lines...)
}

// Decides reports whether the entry is a decision about rules.
func (e *Entry) Decides() bool { return e.Rule != 0 || e.Kind == Offered }

// Happened reports whether the entry tells what happened in a turn, or is a decision. All others are of a journal.
func (e *Entry) Happened() bool {
	if e.Decides() {
		return true
	}
	switch e.Kind {
	case Typed, Answered, Ran, Committed, Edited, Compacted, Titled, Recapped, Rewound, Restored, Erased:
		return true
	}
	return false
}

// Turn returns the ID of the prompt that the entry belongs to, "" for none.
func (e *Entry) Turn() string {
	switch {
	case e.Decides():
		return ""
	case e.Kind == Typed:
		return e.ID
	}
	return e.Of
}

// Ref is Turn for a prompt that the transcript has shown, "" for another one.
func (e *Entry) Ref() string {
	if id := e.Turn(); !strings.HasPrefix(id, unshown) {
		return id
	}
	return ""
}

// unshown begins the ID of a prompt that the transcript has not shown yet.
const unshown = "~"

// Unshown returns the ID of a prompt of a session that the transcript has not shown yet. The words decide, whatever
// their white space and case, and the time, which is RFC 3339.
func Unshown(session, words, ts string) string {
	return unshown + text.Fingerprint(session, text.Fold(words), ts)
}

// Stamp returns the time of the entry, RFC 3339 in universal time.
func (e *Entry) Stamp() string { return e.Time.UTC().Format(time.RFC3339Nano) }

// prepare takes secrets out of the entry, cuts an answer that is too long, and gives an entry without an ID the one
// that its words have: those of its turn that say the same have one ID on every machine.
func (e *Entry) prepare() {
	if e.Kind == Answered {
		e.Text = cutAnswer(e.Text)
	} else {
		e.Text, e.Asked, e.Line = redact.Clean(e.Text), redact.Clean(e.Asked), redact.Clean(e.Line)
	}
	if e.Body != "" {
		e.Body, _ = redact.JSON(e.Body)
	}
	if e.ID != "" {
		return
	}
	of := e.Of
	if e.Kind == Titled { // the client writes it again and again
		of = ""
	}
	parts := []string{of, e.Kind, e.Text, e.Line, fmt.Sprint(e.Failed)}
	if e.Kind == Rewound || e.Kind == Restored { // each time anew
		parts = append(parts[:2], e.Stamp())
	} else if e.Decides() {
		parts = []string{of, e.Kind, e.Stamp(), fmt.Sprint(e.Rule, e.Newer), e.By, e.As}
	}
	e.ID = text.Fingerprint(parts...)
}

// of returns the entry as it is written into the file of a session.
func (e Entry) of(session string) Entry {
	if e.prepare(); IsFileName(session) {
		session = ""
	}
	e.Session = session
	return e
}

// allOf returns entries as they are written into the file of a session.
func allOf(session string, entries []Entry) (out []Entry) {
	for _, e := range entries {
		out = append(out, e.of(session))
	}
	return out
}

// maxAnswer is the longest answer that is kept, in bytes. Of a longer one the beginning and the end stay.
const maxAnswer = 8 << 10

// cutAnswer takes secrets out of an answer, and the middle out of one that is too long: it begins with the conclusion,
// or ends with it. It looks for secrets in more than it keeps, since it does not recognise a part of one.
func cutAnswer(words string) string {
	if len(words) <= 4*maxAnswer {
		words = redact.Clean(words)
		if len(words) <= maxAnswer {
			return words
		}
	}
	begin, end := words, words
	if len(words) > 4*maxAnswer {
		begin, end = redact.Clean(words[:2*maxAnswer]), redact.Clean(words[len(words)-2*maxAnswer:])
	}
	const half = maxAnswer/2 - 8
	return strings.ToValidUTF8(begin[:min(len(begin), half)], "") + "\n" + text.Ellipsis + "\n" +
		strings.ToValidUTF8(end[max(0, len(end)-half):], "")
}

// set collects the entries of one session, each once.
type set struct {
	entries []Entry
	at      map[string]int // ID -> place in entries
}

// add adds an entry and reports whether it said anything new. An erased one stays erased, whatever comes first. Of two
// with different words, since one machine recognised a secret that the other did not, the shorter stays. A prompt of a
// lane stays one, and one that made a turn makes it again.
func (s *set) add(e Entry) (isNew bool) {
	if s.at == nil {
		s.at = map[string]int{}
	}
	i, known := s.at[e.ID]
	if !known {
		s.at[e.ID] = len(s.entries)
		s.entries = append(s.entries, e)
		return true
	}
	was := &s.entries[i]
	merged := *was
	if e.Kind == Typed && was.Kind == Typed {
		e.Lane, e.Was = cmp.Or(was.Lane, e.Lane), cmp.Or(was.Was, e.Was)
		e.Aside = e.Aside && was.Aside
		merged.Lane, merged.Was, merged.Aside = e.Lane, e.Was, e.Aside
	}
	if was.Kind != Erased && (e.Kind == Erased || compareWords(&merged, &e) > 0) {
		merged = e
	}
	isNew = merged != *was
	*was = merged
	return isNew
}

// compareWords orders two entries with one ID: the one that stays first.
func compareWords(a, b *Entry) int {
	if d := cmp.Compare(len(a.Text+a.Asked+a.Line), len(b.Text+b.Asked+b.Line)); d != 0 {
		return d
	}
	one, two := a.JSON(), b.JSON()
	return cmp.Or(cmp.Compare(len(one), len(two)), strings.Compare(string(one), string(two)))
}
