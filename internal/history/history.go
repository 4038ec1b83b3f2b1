// Package history keeps what left a journal and everything that was typed: the lines of a lane's history, how they are
// written, read, counted, moved and erased. What a line of kind "mission" holds, a whole journal, is its owner's: no
// field of a journal is known here, and nothing is decided here: when a line is written (journal), where its words come
// from (capture), what is to be forgotten (forget).
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

// maxHistoryLine is the longest line of a lane's history that is read, in bytes.
const maxHistoryLine = 16 << 20

// maxLineDepth is how deep a line may be nested: a journal stands two levels down in that of a mission.
const maxLineDepth = 64 + 2

// Line is one line of history: something that left the journal, or that the user said.
type Line struct {
	TS string
	// said, confirmed, constraint, opened, reworded, reopened, done, wip, plan, approved, summary, error, files, cut,
	// dropped, superseded, applied, mission, subagent, compaction
	Kind    string
	Session string
	Text    string
	Reason  string // of kind mission: parked, closed, cleared, rewound, or left, finished, over in the user's words
	Since   string // of kind mission: the prompt that closed it
	Ref     string
	Asked   string // the question of Claude's that it answers, "" for none
	Judged  string // of kind said: how it was judged, for who judges; "" when it was not
	By      string

	Raw string // the whole object
}

// lineFields are the fields of a line, and whether they are somebody's words; of those without at, Raw alone tells.
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
	{"agent", false, nil}, {"field", false, nil}, {"trigger", false, nil}, {"type", false, nil}, {"verb", false, nil},
}

// lineOf takes what every line has from v, in one pass: a line may be megabytes. Of a key that stands twice the first
// counts.
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

// identity tells whether the line is of the kind that is written once, and which line it is: of what was typed,
// approved or called for, by its id; of an entry, by all it holds and when it was made; of a subagent's report, by the
// agent and its words.
func (l Line) identity(v gjson.Result) (key uint64, ok bool) {
	switch l.Kind {
	case "said", "opened", "approved", "applied", "confirmed":
		ok = l.Ref != ""
	case "done":
		ok = v.Get("done").String() != ""
	case "subagent":
		ok = v.Get("verb").String() == "report"
	}
	if !ok {
		return 0, false
	}
	h := fnv.New64a()
	for _, part := range [...]string{l.Kind, l.Session, l.Ref, l.Text, v.Get("done").String(),
		v.Get("agent").String()} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return h.Sum64(), true
}

// Read calls f with each line of the lane's history, oldest first, until f returns false; a lane that runs
// beside another begins with that one's, since it is the same project's. Lines that do not parse, or are absurdly long,
// are skipped, and so is one that says again what an earlier one said of the same prompt or deed: a process that is
// killed between history and journal leaves it, and it is written once more with the next change. A missing history is
// empty. Memory stays small however long it is.
func Read(lane project.Lane, f func(Line) bool) error {
	return eachLine(lane, false, func(path string, read func([]byte) bool) error {
		return safefile.Lines(path, maxHistoryLine, read)
	}, f)
}

// Part is a part of a history. All parts are without what subagents wrote: that is long, and a hook that looks for the
// user's words has milliseconds.
type Part struct {
	Session string   // its lines, and those of Kinds in any session; "" for no session
	Kinds   []string // lines of these kinds; nil with no session for all lines
	// Ends, unless 0, leaves out the middle of what was typed where that is longer than anybody types: at least half so
	// many bytes of it stay at either end, one behind the other.
	Ends int
}

// maxPart is how much of a history is read for the lines of a session or of some kinds, in bytes, from its end.
const maxPart = 16 << 20

// Read calls f with each line of the part as Read does. Of some lines among many it reads the newest 16 MB, and
// parses no others.
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

// eachLine calls f with what the lines say that from reads of the history of lane, and before of the one it runs
// beside.
func eachLine(lane project.Lane, words bool, from func(path string, read func([]byte) bool) error,
	f func(Line) bool) error {
	goOn := true
	seen := map[uint64]bool{}
	read := func(raw []byte) bool {
		if words && bytes.Contains(raw[:min(len(raw), 80)], []byte(`"kind":"subagent"`)) { // behind the time
			return true
		}
		if !jsonx.Valid(raw, maxLineDepth) {
			return true
		}
		v := gjson.ParseBytes(raw)
		l := lineOf(v)
		if l.Kind == "done" {
			ctx := v.Get("ctx").String()
			// nothing proves it here
			l.Text = DoneLine(v.Get("act").String(), v.Get("result").String(), ctx, Claims(ctx))
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

// ends returns raw, a line of what was typed, without the middle of a text that is ten times as long as each bytes;
// another line as it is. What is left at either end is four times each as it is written: escapes are at most six times
// as long as what they stand for, so that at least half of each is left of the text.
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
	for block := each / 2; ; { // to where the text ends; no cut is made within an escape or a letter
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

// ReadRefs calls f with the kind, the session and the id of each line of the lane's history that has an id, in whatever
// session; with the words of those that were dropped, put away or reopened; and with why a mission was put away, its id
// being that of the prompt which opened it. It looks for the id where memento writes it, at the line's end, and parses
// only lines that read otherwise.
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

// between returns what stands in b behind key, up to the next quotation mark; "" where it cannot be taken as it stands.
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

// TimeOf is when a line was written, "" where it does not say so at its beginning.
func TimeOf(line []byte) string { return between(line[:min(len(line), 80)], `"ts":"`) }

// KindOf is the kind of a line.
func KindOf(line string) string { return gjson.Get(line, "kind").String() }

// Missions returns the missions of the lane's history, each once as it was put away last, oldest first.
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

// Ended reports whether a mission that was put away for this reason was ended: it does not come back by itself.
func Ended(reason string) bool {
	return reason == "closed" || reason == "left" || reason == "finished" || reason == "over"
}

// AgentType returns the type of the subagent that a line of kind "subagent" is of, "" where it is not known.
func (l Line) AgentType() string { return gjson.Get(l.Raw, "type").String() }
