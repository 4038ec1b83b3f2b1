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
	"hash/fnv"
	"slices"
	"strings"
	"time"

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

	// These left a journal (Lane is set), and later sessions need them.
	Mission  = "mission"  // a mission left, with its whole journal
	Reopened = "reopened" // a mission came back
	Dropped  = "dropped"  // words of the user's that hold no more
)

// isOfModel reports whether a model wrote the words.
func (e *Entry) isOfModel() bool { return e.Kind == Answered || e.Kind == Titled || e.Kind == Recapped }

// lasts reports whether the entries of a kind outlive their session.
func lasts(kind string) bool { return kind == Mission || kind == Reopened || kind == Dropped }

// Entry is one thing that happened in a session.
type Entry struct {
	ID, Kind string
	Time     time.Time
	Of       string // the ID of the prompt whose turn the entry belongs to; "" for the prompt itself
	Text     string
	Asked    string
	Line     string
	Failed   bool
	Session  string // as the client calls it, where that is not the name of the file
	On       string // the id of the machine, of a prompt that came from another one

	// Lane says which journal of the project the entry left, "" for what happened in a turn. It is the lane's name
	// without the project's. Such an entry names its session, stays on this machine, and stays when its turn is old.
	Lane  string
	Extra string // the fields that the owner of the kind alone knows, each as `,"key":value`
}

// fields names the JSON fields of an entry; Text fields are somebody's words.
func (e *Entry) fields(t *jsonx.Table) {
	t.Wordless("id", &e.ID)
	t.Wordless("kind", &e.Kind)
	t.Time("ts", &e.Time)
	t.Wordless("of", &e.Of)
	t.Wordless("lane", &e.Lane)
	t.Wordless("session", &e.Session)
	t.Wordless("on", &e.On)
	t.Text("text", &e.Text)
	t.Text("asked", &e.Asked)
	t.Text("line", &e.Line)
	t.Yes("failed", &e.Failed)
}

// maxLevels is how deep a line may be nested.
const maxLevels = 64 + 2 // the line of a mission holds a journal two levels down

// decode reads a line. ok is false for anything but an entry.
func decode(line []byte) (e Entry, ok bool) {
	e.Extra, ok = jsonx.Read(line, maxLevels, &e, (*Entry).fields)
	return e, ok && e.ID != "" && e.Kind != ""
}

// JSON returns the entry as a line, without a line end.
func (e *Entry) JSON() []byte { return jsonx.Write(e, (*Entry).fields, e.Extra) }

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

// Turn returns the ID of the prompt whose turn the entry belongs to, "" for what left a journal.
func (e *Entry) Turn() string {
	switch {
	case e.Lane != "":
		return ""
	case e.Kind == Typed:
		return e.ID
	}
	return e.Of
}

// prepare takes secrets out of the entry, cuts an answer that is too long, and gives an entry without an ID the one
// that its words have: those of its turn that say the same have one ID on every machine.
func (e *Entry) prepare() {
	if e.Lane != "" { // package history has done it
		return
	}
	if e.Kind == Answered {
		e.Text = cutAnswer(e.Text)
	} else {
		e.Text, e.Asked, e.Line = redact.Clean(e.Text), redact.Clean(e.Asked), redact.Clean(e.Line)
	}
	if e.ID != "" {
		return
	}
	h, of := fnv.New64a(), e.Of
	if e.Kind == Titled { // the client writes it again and again
		of = ""
	}
	for _, part := range [...]string{of, e.Kind, e.Text, e.Line, fmt.Sprint(e.Failed)} {
		h.Write([]byte(part + "\x00"))
	}
	if e.Kind == Rewound || e.Kind == Restored { // each time anew
		h.Write([]byte(e.Time.UTC().Format(time.RFC3339Nano)))
	}
	e.ID = fmt.Sprintf("%016x", h.Sum64())
}

// of returns the entry as it is written into the file of a session.
func (e Entry) of(session string) Entry {
	if e.prepare(); !IsFileName(session) {
		e.Session = session
	}
	return e
}

// MaxAnswer is the longest answer that is kept, in bytes. Of a longer one the beginning and the end stay.
const MaxAnswer = 8 << 10

// cutAnswer takes secrets out of an answer, and the middle out of one that is too long: it begins with the conclusion,
// or ends with it. It looks for secrets in more than it keeps, since it does not recognise a part of one.
func cutAnswer(words string) string {
	if len(words) <= 4*MaxAnswer {
		words = redact.Clean(words)
		if len(words) <= MaxAnswer {
			return words
		}
	}
	begin, end := words, words
	if len(words) > 4*MaxAnswer {
		begin, end = redact.Clean(words[:2*MaxAnswer]), redact.Clean(words[len(words)-2*MaxAnswer:])
	}
	const half = MaxAnswer/2 - 8
	return strings.ToValidUTF8(begin[:min(len(begin), half)], "") + "\n" + text.Ellipsis + "\n" +
		strings.ToValidUTF8(end[max(0, len(end)-half):], "")
}

// set collects the entries of one session, each once.
type set struct {
	entries []Entry
	at      map[string]int // ID -> place in entries
}

// add adds an entry and reports whether it said anything new. An erased one stays erased, whatever comes first. Of two
// with different words, since one machine recognised a secret that the other did not, the shorter stays.
func (s *set) add(e Entry) bool {
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
	if was.Kind == Erased || e.Kind != Erased && compareWords(was, &e) <= 0 {
		return false
	}
	*was = e
	return true
}

// compareWords orders two entries with one ID: the one that stays first.
func compareWords(a, b *Entry) int {
	one, two := a.JSON(), b.JSON()
	return cmp.Or(cmp.Compare(len(a.Text+a.Asked+a.Line), len(b.Text+b.Asked+b.Line)), cmp.Compare(len(one), len(two)),
		strings.Compare(string(one), string(two)))
}
