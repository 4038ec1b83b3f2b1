package transcript

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/session"
)

// Entry is what one line of the transcript shows. Its gjson values are valid only while the entry is looked at.
type Entry struct {
	UUID, Parent, TS string // Parent is the line it continues, across a compaction too

	Prompts  []Prompt // what a person typed
	Calls    []Call   // tools Claude called
	Results  []Result // what they answered
	PR       string   // URL of a pull request that the client noticed
	Boundary bool     // a compaction ends here
	Long     bool     // a line too long to be looked at: it may have been something typed
	Stray    bool     // a prompt that may stand on another branch than the one before it: Rewound tells

	Raw gjson.Result // the whole line
}

// Prompt is something a person typed.
type Prompt struct {
	UUID  string // of its line; a second prompt in one line has "#2" behind it
	TS    string // RFC 3339, as the client wrote it
	Text  string
	Asked string // the question of Claude's that it answers, "" for none
	Aside bool   // typed when refusing a tool call or answering a question: it opens no work of its own
	Long  bool   // see Entry
}

// Call is one tool that Claude called.
type Call struct {
	ID, Name string
	Input    gjson.Result
}

// Result is what a tool answered.
type Result struct {
	ID     string // of the call
	Failed bool
	Extra  gjson.Result // toolUseResult: what the client notes beside the message; its form depends on the tool

	content gjson.Result
}

// Text returns what the tool printed.
func (r Result) Text() string { return flat(r.content) }

// Read calls f with what each line after the position from shows, oldest first, and returns the position to go on from;
// see lines for how it reads. Lines that show nothing, and those of subagents, are left out.
func Read(path string, from session.Position, f func(Entry)) (session.Position, error) {
	next, _, err := ReadWhile(path, from, nil, f)
	return next, err
}

// ReadWhile is Read that stops early, at the end of a line, when goOn says so: it is asked every checkBytes. end reports
// whether all there is was read. On an error the position returned is from.
func ReadWhile(path string, from session.Position, goOn func() bool, f func(Entry)) (next session.Position, end bool, err error) {
	t, q := turnOf(from.Turn), queueOf(from.Queued)
	next, end, err = follow(path, from, goOn, func(at int64, line []byte) bool {
		if at == 0 {
			t, q = turn{}, queue{}
		}
		if line == nil {
			f(Entry{Long: true, Prompts: []Prompt{{Long: true}}})
			return true
		}
		l, ok := split(line)
		if !ok {
			return true
		}
		if string(l.typ) == `"queue-operation"` {
			if e, ok := q.take(at, line, &l, func(at int64) []byte { return lineAt(path, at) }); ok {
				f(e)
			}
			return true
		}
		e, shows := entry(line, &l)
		if n, ok := place(&l); ok {
			n.prompt = e.begins()
			e.Stray = t.add(n)
		}
		if shows && !(string(l.typ) == `"attachment"` && q.again(&e)) {
			f(e)
		}
		return true
	})
	if next != from && next.Offset > 0 {
		next.Turn, next.Queued = t.String(), q.String()
	}
	return next, end, err
}

// begins reports whether the line is a person's prompt, which begins a turn; what was typed into a dialog does not.
func (e *Entry) begins() bool {
	return slices.ContainsFunc(e.Prompts, func(p Prompt) bool { return !p.Aside })
}

// entry returns what the line with the fields l shows, if anything.
func entry(line []byte, l *fields) (Entry, bool) {
	// Most bytes belong to lines that show nothing: look before parsing.
	if string(l.sidechain) == "true" || !shows(l) || !gjson.ValidBytes(line) {
		return Entry{}, false
	}
	v := gjson.ParseBytes(line)
	e := Entry{UUID: v.Get("uuid").Str, Parent: v.Get("parentUuid").Str, TS: v.Get("timestamp").Str, Raw: v}
	if e.Parent == "" {
		e.Parent = v.Get("logicalParentUuid").Str
	}
	switch v.Get("type").Str {
	case "assistant":
		v.Get("message.content").ForEach(func(_, b gjson.Result) bool {
			if b.Get("type").Str == "tool_use" {
				e.Calls = append(e.Calls, Call{ID: b.Get("id").Str, Name: b.Get("name").Str, Input: b.Get("input")})
			}
			return true
		})
	case "user", "human", "attachment":
		e.said(v)
	case "system":
		e.Boundary = v.Get("subtype").Str == "compact_boundary"
	case "pr-link":
		e.PR = v.Get("prUrl").Str
	}
	return e, len(e.Prompts) > 0 || len(e.Calls) > 0 || len(e.Results) > 0 || e.Boundary || e.PR != ""
}

// shows reports whether the line may show something.
func shows(l *fields) bool {
	switch string(l.typ) {
	case `"user"`, `"human"`, `"pr-link"`:
		return true
	case `"assistant"`:
		return bytes.Contains(l.message, []byte(`"tool_use"`))
	case `"attachment"`:
		return bytes.Contains(l.attachment, []byte(`"queued_command"`))
	case `"system"`:
		return string(l.subtype) == `"compact_boundary"`
	}
	return false
}

// said takes what a person typed in the line v, and what tools answered.
func (e *Entry) said(v gjson.Result) {
	for _, flag := range [...]string{"isMeta", "isCompactSummary", "isVisibleInTranscriptOnly"} {
		if v.Get(flag).Bool() {
			return
		}
	}
	content := v.Get("message.content")
	if !content.Exists() {
		content = v.Get("content")
	}
	if v.Get("type").Str == "attachment" {
		if v.Get("attachment.type").Str != "queued_command" {
			return
		}
		content = v.Get("attachment.prompt")
	}
	if content.IsArray() {
		content.ForEach(func(_, b gjson.Result) bool {
			if b.Get("type").Str == "tool_result" {
				e.Results = append(e.Results, Result{ID: b.Get("tool_use_id").Str, Failed: b.Get("is_error").Bool(), Extra: v.Get("toolUseResult"), content: b.Get("content")})
			}
			return true
		})
	}
	if len(e.Results) > 0 {
		for _, r := range e.Results {
			e.answers(r)
		}
		return
	}
	if origin := v.Get("origin"); origin.Exists() && !humanOrigin(origin) {
		return
	}
	if words := Clean(blocks(content)); words != "" {
		e.Prompts = append(e.Prompts, Prompt{UUID: e.UUID, TS: e.TS, Text: words})
	}
}

// refusal is how the client hands on what a person typed when refusing a tool call (clients 2.0 to 2.1).
const refusal = "the user said:\n"

// answers takes what a person typed into a dialog, which reaches the model as a tool's result: the words given when
// refusing a call, and the answers to Claude's questions.
func (e *Entry) answers(r Result) {
	add := func(words, asked string) {
		if words = strings.TrimSpace(words); words == "" {
			return
		}
		id := e.UUID
		if n := len(e.Prompts); n > 0 {
			id += "#" + strconv.Itoa(n+1)
		}
		e.Prompts = append(e.Prompts, Prompt{UUID: id, TS: e.TS, Text: words, Asked: strings.TrimSpace(asked), Aside: true})
	}
	if given := r.Extra.Get("answers"); given.IsObject() {
		given.ForEach(func(question, answer gjson.Result) bool {
			if answer.IsArray() {
				answer.ForEach(func(_, one gjson.Result) bool { add(one.String(), question.Str); return true })
			} else {
				add(answer.String(), question.Str)
			}
			return true
		})
		return
	}
	if !r.Failed {
		return
	}
	words := r.Text()
	if !strings.HasPrefix(words, "The user doesn't want to proceed with this tool use.") {
		return
	}
	if _, rest, ok := strings.Cut(words, refusal); ok {
		rest, _, _ = strings.Cut(rest, "\n\nNote: The user")
		if !strings.HasPrefix(rest, "The user wants to clarify these questions.") { // the client's own words
			add(Clean(rest), "")
		}
	}
}
