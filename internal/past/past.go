// Package past keeps the turns of all sessions: what the user typed, what Claude answered at the end, and what the
// turn ran, committed and edited. It writes, reads, closes, erases and renames the files in the folder "past". Where
// turns come from (capture, backfill), which of them may be kept (withheld), and how they are found (search) may not
// come in.
//
// Each session of a project has a file of its own, in the folder of the month of its first turn. A running session's
// file has JSON lines, which are only appended. Several lines may belong to one turn: a later line adds to an earlier
// one. A closed session's file is compressed, with one line for each turn. Reading joins both files and counts each
// turn once, by the id of its prompt. So a process that is killed anywhere, or writes twice, doubles nothing.
package past

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/jsonx"
)

// Turn is one prompt and what Claude answered to it.
type Turn struct {
	Project string // slug, "" outside any project
	Session string
	N       int // its number in the session, from 1; Add ignores it

	Time      time.Time
	Prompt    string // whole
	PromptID  string // transcript uuid of the prompt, or another id that never changes; tells turns apart
	Asked     string // Claude's question that the prompt answers, "" for none
	Answer    string // Claude's final message, at most MaxAnswer bytes
	Ran       []Ran
	Commits   []string // "abc1234 Subject"
	Files     []string // edited files, relative to the project
	Compacted bool     // the context was compacted during the turn

	// Gone says that the user rewound the turn, or that it was erased: Add takes it out. Reading never returns one.
	Gone bool
	// Back says that the user came back to a turn that was rewound: Add puts it in again.
	Back bool

	others string // fields of another version
}

// Ran is a command that ran in a turn: one that failed, or a check that passed.
type Ran struct {
	Cmd    string
	Line   string // of the output, the one that says why it failed
	Failed bool
}

// fields names the JSON fields of a turn; Text fields are somebody's words.
func (t *Turn) fields(f *jsonx.Table) {
	f.Wordless("session", &t.Session)
	f.Time("ts", &t.Time)
	f.Wordless("id", &t.PromptID)
	f.Text("said", &t.Prompt)
	f.Text("asked", &t.Asked)
	f.Text("answer", &t.Answer)
	jsonx.Many(f, "ran", &t.Ran, (*Ran).fields)
	f.Texts("commits", &t.Commits)
	f.Texts("files", &t.Files)
	f.Yes("compacted", &t.Compacted)
	f.Yes("gone", &t.Gone)
	f.Yes("back", &t.Back)
}

func (r *Ran) fields(f *jsonx.Table) {
	f.Text("cmd", &r.Cmd)
	f.Text("line", &r.Line)
	f.Yes("failed", &r.Failed)
}

// maxLevels is how deep a line may be nested.
const maxLevels = 64

// decode reads a line.
func decode(line []byte) (t Turn, ok bool) {
	t.others, ok = jsonx.Read(line, maxLevels, &t, (*Turn).fields)
	return t, ok && t.PromptID != "" && t.Session != ""
}

// encode returns the turn as a line, without a line end.
func encode(t *Turn) []byte { return jsonx.Write(t, (*Turn).fields, t.others) }

// encodeAll returns turns as lines. A prompt may have megabytes: it is copied once.
func encodeAll(turns []Turn) []byte {
	lines := make([][]byte, len(turns))
	for i := range turns {
		lines[i] = append(encode(&turns[i]), '\n')
	}
	if len(lines) == 1 {
		return lines[0]
	}
	return slices.Concat(lines...)
}

// Folder is the name of the folder of all turns, in memento's folder.
const Folder = "past"

// Store is the turns in memento's folder.
type Store struct {
	Dir  string        // memento's folder
	Wait time.Duration // for a project's lock
}

const (
	openEnd   = ".jsonl"
	closedEnd = ".jsonl.gz"
	noProject = "_none" // the folder of sessions outside any project; no slug begins with "_"
)

// folder returns the path of a project's turns.
func (s Store) folder(project string) string {
	return filepath.Join(s.Dir, Folder, cmp.Or(project, noProject))
}

// stem makes a session's id safe as a file name. The client's ids are UUIDs, which stay as they are.
func stem(id string) string {
	if IsFileName(id) {
		return id
	}
	h := fnv.New64a()
	h.Write([]byte(id))
	return fmt.Sprintf("x-%016x", h.Sum64())
}

// IsFileName reports whether a session's id can be the name of a file on every system.
func IsFileName(id string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return id != "" && len(id) <= 64 && strings.Trim(id, letters) == "" &&
		!slices.Contains(devices, strings.TrimRight(strings.ToLower(id), "0123456789"))
}

// devices are names that Windows keeps for devices, without their digits.
var devices = []string{"con", "prn", "aux", "nul", "com", "lpt"}

// join adds a later line of the same turn to t.
func (t *Turn) join(later Turn) {
	if t.Time.IsZero() {
		t.Time = later.Time
	}
	t.Prompt, t.Asked = cmp.Or(t.Prompt, later.Prompt), cmp.Or(t.Asked, later.Asked)
	t.Answer = cmp.Or(later.Answer, t.Answer)
	t.Ran = addNew(t.Ran, later.Ran)
	t.Commits, t.Files = addNew(t.Commits, later.Commits), addNew(t.Files, later.Files)
	t.Compacted = t.Compacted || later.Compacted
	t.others = cmp.Or(later.others, t.others)
}

// addNew adds what is not in all yet.
func addNew[T comparable](all, more []T) []T {
	for _, one := range more {
		if !slices.Contains(all, one) {
			all = append(all[:len(all):len(all)], one)
		}
	}
	return all
}

// equal reports whether t and other are stored as the same line.
func (t *Turn) equal(other *Turn) bool { return string(encode(t)) == string(encode(other)) }

// joiner joins the lines of one session.
type joiner struct {
	session string
	turns   []Turn
	at      map[string]int // PromptID -> place in turns
	gone    map[string]bool
}

func newJoiner() *joiner { return &joiner{at: map[string]int{}, gone: map[string]bool{}} }

// add adds a line. It reports whether the line said anything new.
func (j *joiner) add(t Turn) bool {
	j.session = t.Session
	if t.Gone {
		was := j.gone[t.PromptID]
		j.gone[t.PromptID] = true
		return !was
	}
	brought := j.gone[t.PromptID] && (t.Prompt != "" || t.Back)
	if brought {
		delete(j.gone, t.PromptID)
	}
	if t.Back {
		return brought
	}
	i, known := j.at[t.PromptID]
	if !known {
		j.at[t.PromptID] = len(j.turns)
		j.turns = append(j.turns, t)
		return true
	}
	before := j.turns[i]
	j.turns[i].join(t)
	return brought || !before.equal(&j.turns[i])
}

// kept returns what a closed file of the project holds: the turns that hold, and for each that the user took back a
// line that says so, since another machine may still have that turn.
func (j *joiner) kept(project string) []Turn {
	out := j.live(project)
	for _, id := range slices.Sorted(maps.Keys(j.gone)) {
		out = append(out, Turn{Project: project, Session: j.session, PromptID: id, Gone: true})
	}
	return out
}

// live returns the turns that hold, oldest first and numbered. A turn without a prompt is the rest of one whose
// beginning nobody kept: it is left out.
func (j *joiner) live(project string) []Turn {
	out := make([]Turn, 0, len(j.turns))
	for _, t := range j.turns {
		if !j.gone[t.PromptID] && t.Prompt != "" {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(a, b Turn) int { return a.Time.Compare(b.Time) })
	for i := range out {
		out[i].Project, out[i].N = project, i+1
	}
	return out
}

// TurnAt returns the number of the turn in which something happened at ts, a compaction by a history: of the turns that
// began before, the last one that was compacted, or just the last one. turns, at least one, are those of a session,
// oldest first.
func TurnAt(turns []Turn, ts string) int {
	at, err := time.Parse(time.RFC3339Nano, ts)
	last := turns[0].N
	for _, one := range slices.Backward(turns) {
		if err == nil && one.Time.After(at.Add(time.Second)) { // a history has times to the second
			continue
		}
		if one.Compacted {
			return one.N
		}
		last = max(last, one.N)
	}
	return last
}
