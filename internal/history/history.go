// Package history keeps the facts that left a journal and everything that the user typed. It writes, reads, counts,
// moves and erases the lines of a lane's history. It knows no field of a journal: a line of kind "mission" holds a
// whole journal, which package journal reads. It does not decide when a line is written (journal), where words come
// from (capture), or what is forgotten (forget).
package history

import (
	"bytes"
	"hash/fnv"
	"slices"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
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
	Judged  string // of kind said: the stored judgement of package sentence, "" for none
	By      string

	Agent, AgentType string // of kind subagent: the agent's id and type
	Verb             string // of kind subagent: the command it ran, or "report"

	Raw string // the line's JSON
}

// lineFields are the fields of a line. words says that a field holds somebody's words; at is nil for a field that Line
// does not have.
var lineFields = [...]struct {
	name  string
	words bool
	at    func(*Line) *string
}{
	{"ts", false, func(l *Line) *string { return &l.TS }},
	{"kind", false, func(l *Line) *string { return &l.Kind }},
	{"session", false, func(l *Line) *string { return &l.Session }},
	{"text", true, func(l *Line) *string { return &l.Text }},
	{"reason", false, func(l *Line) *string { return &l.Reason }},
	{"ref", false, func(l *Line) *string { return &l.Ref }},
	{"asked", true, func(l *Line) *string { return &l.Asked }},
	{"by", false, func(l *Line) *string { return &l.By }},
	{"since", false, func(l *Line) *string { return &l.Since }},
	{"judged", false, func(l *Line) *string { return &l.Judged }},
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

// identity returns a hash that tells two lines apart, and whether the line is of a kind that counts once. Prompts,
// approved plans and commands are told apart by their ref, entries by all their fields and their time, reports of
// subagents by the agent and the words.
func (l Line) identity(v gjson.Result) (key uint64, ok bool) {
	switch l.Kind {
	case "said", "opened", "approved", "applied", "confirmed":
		ok = l.Ref != ""
	case "done":
		ok = v.Get("done").String() != ""
	case "subagent":
		ok = l.Verb == "report"
	}
	if !ok {
		return 0, false
	}
	h := fnv.New64a()
	for _, part := range [...]string{l.Kind, l.Session, l.Ref, l.Text, v.Get("done").String(), l.Agent} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return h.Sum64(), true
}

// Read calls f with each line of the lane's history, oldest first, until f returns false. A lane that runs beside
// another one, its base, begins with the base's lines. Read skips lines that do not parse, lines longer than
// maxHistoryLine, and repeated lines: a process killed after it wrote the history and before it wrote the journal
// leaves lines that the next change writes again. A missing history is empty. Read needs little memory however long the
// history is.
func Read(lane project.Lane, f func(Line) bool) error {
	return eachLine(lane, false, func(path string, read func([]byte) bool) error {
		return safefile.Lines(path, maxHistoryLine, read)
	}, f)
}

// Part selects lines of a history: those of Session and those of Kinds, or all lines when both are empty. It leaves out
// lines of subagents: they are long, and a hook that looks for the user's words has milliseconds.
type Part struct {
	Session string
	Kinds   []string // of any session
	// Ends, unless 0, shortens a message of more than ten times Ends bytes: its middle is left out, and at least Ends/2
	// bytes stay of its beginning and of its end.
	Ends int
}

// maxPart is how much of a history is read for a session or for some kinds, in bytes from the history's end.
const maxPart = 16 << 20

// Read calls f with each line of the part as the function Read does. For a session or some kinds it reads the newest
// maxPart bytes only.
func (p Part) Read(lane project.Lane, f func(Line) bool) error {
	var words [][]byte
	if p.Session != "" {
		words = append(words, []byte(`"session":`+jsonx.Quote(p.Session)))
	}
	for _, k := range p.Kinds {
		words = append(words, []byte(`"kind":"`+k+`"`))
	}
	return eachLine(lane, true, func(path string, read func([]byte) bool) error {
		if words == nil {
			return safefile.Lines(path, maxHistoryLine, read)
		}
		return safefile.LinesWith(path, maxHistoryLine, maxPart, words, func(raw []byte) bool {
			if p.Ends > 0 {
				raw = ends(raw, p.Ends)
			}
			return read(raw)
		})
	}, func(l Line) bool {
		return words != nil && (p.Session == "" || l.Session != p.Session) && !slices.Contains(p.Kinds, l.Kind) || f(l)
	})
}

// eachLine calls f with each line that from reads of the histories of the lane's base and the lane. With skipAgents it
// leaves out lines of subagents.
func eachLine(lane project.Lane, skipAgents bool, from func(path string, read func([]byte) bool) error,
	f func(Line) bool) error {
	goOn := true
	seen := map[uint64]bool{}
	read := func(raw []byte) bool {
		if skipAgents && bytes.Contains(raw[:min(len(raw), 80)], []byte(`"kind":"subagent"`)) { // after the time
			return true
		}
		if !jsonx.Valid(raw, maxLineDepth) {
			return true
		}
		v := gjson.ParseBytes(raw)
		l := lineOf(v)
		if l.Kind == "done" {
			ctx := v.Get("ctx").String()
			unconfirmed := Claims(ctx) && v.Get("verified").String() != "true"
			l.Text = DoneLine(v.Get("act").String(), v.Get("result").String(), ctx, unconfirmed)
		}
		if key, ok := l.identity(v); ok {
			if seen[key] {
				return true
			}
			seen[key] = true
		}
		if l.Kind == "compaction" {
			l.Text = compaction(v).String()
		}
		goOn = f(l)
		return goOn
	}
	if base := lane.Base(); base != lane {
		if err := from(base.History(), read); err != nil || !goOn {
			return err
		}
	}
	return from(lane.History(), read)
}

// ends shortens raw, a line of kind "said" whose text has more than ten times each bytes, by leaving out the middle
// of the text. It returns other lines unchanged. 4*each bytes of JSON stay at either end of the text. An escape is at
// most six times as long as its character, so these are at least each/2 bytes of text.
func ends(raw []byte, each int) []byte {
	const key = `"text":"`
	head := raw[:min(len(raw), 512)]
	at := bytes.Index(head, []byte(key))
	if len(raw) < 10*each || at < 0 || !bytes.Contains(head[:at], []byte(`"kind":"said"`)) {
		return raw
	}
	begin := at + len(key)
	var cuts []int // where the text can be cut, in steps of a block
	end := begin
	for block := each / 2; ; { // to the end of the text; no cut stands within an escape or a letter
		rest := raw[end:min(len(raw), end+block)]
		if len(rest) == 0 {
			return raw
		}
		if bytes.IndexByte(rest, '"') < 0 && bytes.IndexByte(rest, '\\') < 0 {
			end += len(rest)
		} else {
			for stop := end + len(rest); end < stop && raw[end] != '"'; end++ {
				if raw[end] != '\\' {
					continue
				}
				if end++; end < len(raw) && raw[end] == 'u' {
					end += 4
				}
			}
			if end >= len(raw) {
				return raw
			}
			if raw[end] == '"' {
				break
			}
		}
		if end >= len(raw) {
			return raw
		}
		cut := end
		for cut > begin && !utf8.RuneStart(raw[cut]) {
			cut--
		}
		cuts = append(cuts, cut)
	}
	first := slices.IndexFunc(cuts, func(c int) bool { return c-begin >= 4*each })
	last := len(cuts) - 1
	for last >= 0 && end-cuts[last] < 4*each {
		last--
	}
	if first < 0 || last <= first {
		return raw
	}
	return slices.Concat(raw[:cuts[first]], raw[cuts[last]:])
}

// ReadRefs calls f with Kind, Session and Ref of each line of the lane's history that has a ref, in any session. Lines
// of the kinds dropped, mission and reopened come with all fields but Raw; the Ref of a mission is that of the prompt
// that opened it. ReadRefs looks for the ref at the line's end, where memento writes it, and parses only lines without
// one there.
func ReadRefs(lane project.Lane, f func(Line)) error {
	read := func(raw []byte) bool {
		head := raw[:min(len(raw), 160)]
		kind, ref := between(head[:min(len(raw), 80)], `"kind":"`), between(raw[max(0, len(raw)-200):], `"ref":"`)
		switch kind {
		case "subagent":
			return true
		case "said", "done", "approved", "applied", "confirmed":
			if ref != "" {
				f(Line{Kind: kind, Ref: ref, Session: between(head, `"session":"`)})
				return true
			}
		}
		if jsonx.Valid(raw, maxLineDepth) {
			v := gjson.ParseBytes(raw)
			l := lineOf(v)
			if l.Raw = ""; l.Kind == "mission" {
				l.Ref = v.Get("journal.mission_ref").String()
			}
			if l.Ref != "" || l.Kind == "dropped" || l.Kind == "mission" || l.Kind == "reopened" {
				f(l)
			}
		}
		return true
	}
	if base := lane.Base(); base != lane {
		if err := safefile.Lines(base.History(), maxHistoryLine, read); err != nil {
			return err
		}
	}
	return safefile.Lines(lane.History(), maxHistoryLine, read)
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

// TimeOf returns the time at the beginning of a line, "" for none.
func TimeOf(line []byte) string { return between(line[:min(len(line), 80)], `"ts":"`) }

// KindOf returns the kind of a line.
func KindOf(line string) string { return gjson.Get(line, "kind").String() }

// Missions returns the missions of the lane's history, oldest first. A mission that left the journal several times
// comes once, as it left last.
func Missions(lane project.Lane) ([]Line, error) {
	var all []Line
	err := Part{}.Read(lane, func(l Line) bool {
		if l.Kind == "mission" {
			all = slices.DeleteFunc(all, func(old Line) bool { return old.Session == l.Session && old.Text == l.Text })
			all = append(all, l)
		}
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
	err = Read(lane, func(l Line) bool {
		switch {
		case l.Kind == "mission" && l.Since == since:
			last = l
		case l.Kind == "mission" || l.Kind == "reopened":
			last = Line{}
		}
		return true
	})
	return last, err
}
