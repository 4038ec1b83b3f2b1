// Package history is the log as a lane sees it: the facts that left its journal, and what the user typed. It has no
// file of its own. It makes entries of the log, reads, counts and erases them. It knows no field of a journal: a line
// of kind "mission" holds a whole journal, which package journal reads. It does not decide when an entry is written
// (journal), where words come from (capture), or what is forgotten (forget).
package history

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// maxHistoryLine is the longest line of a history that is read, in bytes.
const maxHistoryLine = 16 << 20

// maxLineDepth is how deep a line may be nested. A line of kind "mission" holds a journal two levels down.
const maxLineDepth = 64 + 2

// Line is one line of history: a fact that left the journal, or a message of the user's.
type Line struct {
	TS string
	// said, confirmed, constraint, opened, reworded, reopened, done, wip, plan, approved, summary, error, files, cut,
	// dropped, superseded, applied, mission, subagent, compaction
	Kind    string
	Session string
	Text    string
	Reason  string // of kind mission: parked, closed, cleared, rewound, or left, finished, over in the user's words
	Since   string // of kind mission: transcript uuid of the prompt that closed it
	Ref     string // transcript uuid of a prompt, or id of a call
	Asked   string // the question of Claude's that Text answers, "" for none
	By      string

	Agent, AgentType string // of kind subagent: the agent's id and type
	Verb             string // of kind subagent: the command it ran, or "report"

	ID, Lane string // see log.Entry
	Raw      string // the line's JSON
}

// lineFields are the fields of a line. words says that a field holds somebody's words; at is nil for a field that Line
// does not have.
var lineFields = [...]struct {
	name  string
	words bool
	at    func(*Line) *string
}{
	{"id", false, func(l *Line) *string { return &l.ID }},
	{"lane", false, func(l *Line) *string { return &l.Lane }},
	{"ts", false, func(l *Line) *string { return &l.TS }},
	{"kind", false, func(l *Line) *string { return &l.Kind }},
	{"session", false, func(l *Line) *string { return &l.Session }},
	{"text", true, func(l *Line) *string { return &l.Text }},
	{"reason", false, func(l *Line) *string { return &l.Reason }},
	{"ref", false, func(l *Line) *string { return &l.Ref }},
	{"asked", true, func(l *Line) *string { return &l.Asked }},
	{"by", false, func(l *Line) *string { return &l.By }},
	{"since", false, func(l *Line) *string { return &l.Since }},
	{"agent", false, func(l *Line) *string { return &l.Agent }},
	{"type", false, func(l *Line) *string { return &l.AgentType }},
	{"verb", false, func(l *Line) *string { return &l.Verb }},
	{"field", false, nil}, {"trigger", false, nil},
}

// lineOf returns the line v. It reads v in one pass, since a line may be megabytes. The first of two equal keys counts.
func lineOf(v gjson.Result) Line {
	l := Line{Raw: v.Raw}
	known := 0
	v.ForEach(func(key, value gjson.Result) bool {
		for i, k := range &lineFields {
			if k.at != nil && key.Str == k.name && known>>i&1 == 0 {
				known |= 1 << i
				*k.at(&l) = value.String()
			}
		}
		return true
	})
	return l
}

// key returns the name that the log has for a lane, "" for all lanes of its project. Lanes that run beside each other
// share it, and so what left their journals.
func key(lane project.Lane) string { return strings.TrimPrefix(lane.Base().Name, lane.Slug) }

// LaneName returns the name of the lane of a project that an entry of the log names.
func LaneName(project, lane string) string { return project + lane }

// parse returns the line in raw. It is false for what is no line, or one of another lane than that called key.
func parse(raw []byte, key string) (l Line, ok bool) {
	if !jsonx.Valid(raw, maxLineDepth) {
		return l, false
	}
	v := gjson.ParseBytes(raw)
	if l = lineOf(v); l.Lane == "" || key != "" && l.Lane != key {
		return l, false
	}
	switch l.Kind {
	case "done":
		ctx := v.Get("ctx").String()
		unconfirmed := Claims(ctx) && v.Get("verified").String() != "true"
		l.Text = DoneLine(v.Get("act").String(), v.Get("result").String(), ctx, unconfirmed)
	case "compaction":
		l.Text = compaction(v).String()
	}
	return l, true
}

// mark returns what stands in each line of a lane.
func mark(key string) []byte {
	if key == "" {
		return []byte(`"lane":"`)
	}
	return []byte(`"lane":` + jsonx.Quote(key))
}

// isSubagents reports whether raw is a line of a subagent.
func isSubagents(raw []byte) bool {
	return bytes.Contains(raw[:min(len(raw), 80)], []byte(`"kind":"subagent"`)) // behind the id
}

// Read calls f with each line of the lane's history, in the order of time, until f returns false. A lane without a name
// stands for all lanes of its project. Read skips lines that do not parse, lines longer than maxHistoryLine, and
// repeated lines: a process killed after it wrote the log and before it wrote the journal leaves lines that the next
// change writes again. Errors: the disk's, after the lines that could be read.
func Read(lane project.Lane, f func(Line) bool) error { return Newest(lane, "", 0, f) }

// Newest is Read for the session own, "" for none, and for those that wrote last: together their files have at most
// most bytes, but there is one at least; 0 for all sessions.
func Newest(lane project.Lane, own string, most int64, f func(Line) bool) error {
	type timed struct {
		Line
		at time.Time // the newest time up to this line of its file
	}
	var all []timed
	paths, failed := files(lane, own, most)
	mark := mark(key(lane))
	for _, path := range paths {
		var at time.Time
		err := safefile.Lines(path, maxHistoryLine, func(raw []byte) bool {
			if !bytes.Contains(raw, mark) {
				return true
			}
			if l, ok := parse(bytes.Clone(raw), key(lane)); ok {
				if ts, err := time.Parse(time.RFC3339, l.TS); err == nil && ts.After(at) {
					at = ts
				}
				all = append(all, timed{l, at})
			}
			return true
		})
		failed = cmp.Or(failed, err)
	}
	slices.SortStableFunc(all, func(a, b timed) int { return a.at.Compare(b.at) })
	known := map[string]bool{}
	for _, l := range all {
		if known[l.ID] {
			continue
		}
		if known[l.ID] = true; !f(l.Line) {
			break
		}
	}
	return failed
}

// files returns the files with lines of a project, its own last, as Newest chooses them.
func files(lane project.Lane, own string, most int64) (paths []string, err error) {
	store := log.Store{Dir: lane.Dir}
	sessions, err := store.Sessions(lane.Slug)
	if most > 0 {
		slices.SortStableFunc(sessions, func(a, b log.Session) int { return b.Changed.Compare(a.Changed) })
		if at := slices.IndexFunc(sessions, func(one log.Session) bool { return log.IsFileOf(one.ID, own) }); at > 0 {
			sessions = slices.Insert(slices.Delete(slices.Clone(sessions), at, at+1), 0, sessions[at])
		}
		size := int64(0)
		n := slices.IndexFunc(sessions, func(one log.Session) bool { size += one.Size; return size > most })
		if n >= 0 {
			sessions = sessions[:max(n, 1)]
		}
		slices.Reverse(sessions)
	}
	for _, one := range sessions {
		paths = append(paths, one.Path)
	}
	return append(paths, store.Own(lane.Slug)), err
}

// Part selects lines of a history: those of Session, and before them those of Kinds that outlive other sessions
// (mission, reopened, dropped). It leaves out lines of subagents: they are long, and a hook that looks for the user's
// words has milliseconds.
type Part struct {
	Session string // "" for none
	Kinds   []string
}

// Recent is how much is read of the newest sessions, and of the lines of one from its end, in bytes.
const Recent = 16 << 20

// Read calls f with each line of the part as the function Read does, of the newest Recent bytes. It opens two files at
// most.
func (p Part) Read(lane project.Lane, f func(Line) bool) (err error) {
	store, key, known, goOn := log.Store{Dir: lane.Dir}, key(lane), map[string]bool{}, true
	read := func(path string, words [][]byte, chosen func(Line) bool) error {
		return safefile.LinesWith(path, maxHistoryLine, Recent, words, func(raw []byte) bool {
			if isSubagents(raw) {
				return true
			}
			if l, ok := parse(raw, key); ok && chosen(l) && !known[l.ID] {
				known[l.ID] = true
				goOn = f(l)
			}
			return goOn
		})
	}
	if len(p.Kinds) > 0 {
		var words [][]byte
		for _, k := range p.Kinds {
			words = append(words, []byte(`"kind":"`+k+`"`))
		}
		err = read(store.Own(lane.Slug), words, func(l Line) bool {
			return slices.Contains(p.Kinds, l.Kind) && (p.Session == "" || l.Session != p.Session)
		})
	}
	if p.Session == "" || err != nil || !goOn {
		return err
	}
	path, err := store.File(lane.Slug, p.Session)
	if path == "" {
		return err
	}
	return read(path, [][]byte{mark(key)}, func(Line) bool { return true })
}

// between returns the string after the last key in b, up to the next quotation mark. It returns "" when the string is
// cut off or has escapes.
func between(b []byte, key string) string {
	i := bytes.LastIndex(b, []byte(key))
	if i < 0 {
		return ""
	}
	b = b[i+len(key):]
	if end := bytes.IndexByte(b, '"'); end >= 0 && bytes.IndexByte(b[:end], '\\') < 0 {
		return string(b[:end])
	}
	return ""
}

// Missions returns the missions of the lane's history, oldest first. A mission that left the journal several times
// comes once, as it left last.
func Missions(lane project.Lane) ([]Line, error) {
	var all []Line
	err := Part{Kinds: []string{log.Mission}}.Read(lane, func(l Line) bool {
		all = slices.DeleteFunc(all, func(old Line) bool { return old.Session == l.Session && old.Text == l.Text })
		all = append(all, l)
		return true
	})
	return all, err
}

// Ended reports whether reason, why a mission left the journal, means that the mission is over. Such a mission does not
// come back by itself.
func Ended(reason string) bool {
	return reason == "closed" || reason == "left" || reason == "finished" || reason == "over"
}

// ClosedBy returns the line of the mission that the prompt since closed, the zero Line when there is none or when
// another mission left the journal or came back afterwards.
func ClosedBy(lane project.Lane, since string) (last Line, err error) {
	err = Part{Kinds: []string{log.Mission, log.Reopened}}.Read(lane, func(l Line) bool {
		if last = (Line{}); l.Kind == log.Mission && l.Since == since {
			last = l
		}
		return true
	})
	return last, err
}
