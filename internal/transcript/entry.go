package transcript

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/text"
)

// Entry is what one line of the transcript shows. It, its calls and its results can be asked only while the callback
// runs that it was passed to; what they return stays.
type Entry struct {
	UUID, Parent, TS string // Parent is the line it continues, across a compaction too

	Prompts  []Prompt // what a person typed
	Doubtful string   // words in the client's own form that no field tells the writer of: typed if they were submitted
	Blocked  string   // the client's note that a hook blocked a prompt; see Stopped
	Calls    []Call   // tools Claude called
	Results  []Result // what they answered
	PR       string   // URL of a pull request that the client noticed
	Boundary bool     // a compaction ends here
	Long     bool     // a line too long to be looked at, or cut off: it may have been something typed
	Stray    bool     // a prompt that may stand on another branch than the one before it: Left tells

	At     int64 // where the line begins in the file
	spoke  bool  // Claude said something in it, and is asked what
	line   []byte
	fields *fields
}

// Answer returns what Claude said in the line to the person, its text alone: "" when it said nothing, and where the
// client speaks in its place. It is decoded each time; without Follow it is always "".
func (e *Entry) Answer() string {
	if !e.spoke || string(e.fields.failed) == "true" || string(member(e.fields.message, "model")) == `"<synthetic>"` {
		return ""
	}
	content := e.fields.said()
	if len(content) == 0 || content[0] != '[' {
		return strings.TrimSpace(str(content))
	}
	var parts []string
	each(content, func(_, block []byte) {
		if string(member(block, "type")) == `"text"` {
			parts = append(parts, str(member(block, "text")))
		}
	})
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// Raw returns the whole line. It is parsed anew each time.
func (e *Entry) Raw() gjson.Result { return parse(e.line) }

// Cwd returns the folder the session was in.
func (e *Entry) Cwd() string {
	if e.fields == nil {
		return ""
	}
	return str(e.fields.cwd)
}

// Prompt is something a person typed.
type Prompt struct {
	UUID  string // of its line; a second prompt in one line has "#2" behind it
	TS    string // RFC 3339, as the client wrote it
	Typed string // the same, of when it was put into the queue, "" for one that did not wait there
	Text  string
	Asked string // the question of Claude's that it answers, "" for none
	Aside bool   // typed when refusing a tool call or answering a question: it opens no work of its own
	Long  bool   // see Entry
}

// Call is one tool that Claude called.
type Call struct {
	ID, Name string

	input []byte
}

// Input returns what it was called with, an object.
func (c Call) Input() gjson.Result { return parse(c.input) }

// Get returns one value of that, by its path.
func (c Call) Get(path string) gjson.Result { return gjson.GetBytes(c.input, path) }

// Result is what a tool answered.
type Result struct {
	ID     string // of the call
	Failed bool
	Denied bool // the client says that a rule, a hook, its mode or the person refused the call

	content, extra []byte
}

// Text returns what the tool printed.
func (r Result) Text() string {
	if len(r.content) > 1 && r.content[0] == '"' {
		s, _ := literal(r.content)
		return s
	}
	return flat(parse(r.content))
}

// Extra returns toolUseResult: what the client notes beside the message. Its form depends on the tool.
func (r Result) Extra() gjson.Result { return parse(r.extra) }

// Interrupted reports whether the client stopped the tool while it ran. Its mark is looked for as it is written: inside
// a string it would have backslashes.
func (r Result) Interrupted() bool { return bytes.Contains(r.extra, []byte(`"interrupted":true`)) }

// Read calls f with what each line after the position from shows, oldest first, and returns the position to go on from;
// see lines for how it reads. Lines that show nothing, and those of subagents, are left out.
func Read(path string, from Position, f func(Entry)) (Position, error) {
	next, _, err := ReadWhile(path, from, nil, f)
	return next, err
}

// ReadWhile is Read that stops early, at the end of a line, when goOn says so: it is asked every checkBytes. end
// reports whether all there is was read. On an error the position returned is from.
func ReadWhile(path string, from Position, goOn func() bool, f func(Entry)) (next Position, end bool, err error) {
	return show(path, from, goOn, false, f)
}

// Follow is ReadWhile that calls f also with the lines in which Claude said something; see Answer.
func Follow(path string, from Position, goOn func() bool, f func(Entry)) (next Position, end bool, err error) {
	return show(path, from, goOn, true, f)
}

func show(path string, from Position, goOn func() bool, answers bool,
	f func(Entry)) (next Position, end bool, err error) {
	t, q := turnOf(from.Turn), queueOf(from.Queued)
	var l fields
	next, end, err = follow(path, from, goOn, func(at int64, line []byte) bool {
		if at == 0 {
			t, q = turn{}, queue{}
		}
		if line == nil {
			f(Entry{Long: true, Prompts: []Prompt{{Long: true}}})
			return true
		}
		l.entries(line, func(begin int, line []byte) {
			at := at + int64(begin)
			if line == nil {
				f(Entry{Long: true, Prompts: []Prompt{{Long: true}}})
				return
			}
			if string(l.typ) == `"queue-operation"` {
				if e, ok := q.take(at, line, &l, func(at int64) []byte { return lineAt(path, at) }); ok {
					f(e)
				}
				return
			}
			e, shows := entry(line, &l)
			if e.At = at; answers && string(l.typ) == `"assistant"` && string(l.sidechain) != "true" && l.speaks() {
				e.spoke, shows = true, true
			}
			if n, ok := place(&l); ok {
				n.prompt = e.begins()
				e.Stray = t.add(n)
			}
			q.since(&e)
			if shows {
				e.sign()
			}
			if shows && !(string(l.typ) == `"attachment"` && q.again(&e)) {
				f(e)
			}
		})
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

// entry returns what the line with the fields l shows, if anything. Most bytes of a transcript are what tools printed:
// they are passed over here and parsed when they are asked for.
func entry(line []byte, l *fields) (Entry, bool) {
	if string(l.sidechain) == "true" {
		return Entry{}, false
	}
	e := Entry{line: line, fields: l}
	switch string(l.typ) {
	case `"assistant"`:
		e.called(l)
	case `"user"`, `"human"`:
		content := l.said()
		if content == nil {
			content = l.content
		}
		e.said(content, l)
	case `"attachment"`:
		if string(member(l.attachment, "type")) == `"queued_command"` &&
			string(member(l.attachment, "isMeta")) != "true" && humanOrigin(parse(member(l.attachment, "origin"))) {
			e.said(member(l.attachment, "prompt"), l)
		}
	case `"system"`:
		if e.Boundary = string(l.subtype) == `"compact_boundary"`; len(l.content) > 0 && l.content[0] == '"' &&
			blocked(str(l.content)) {
			e.sign()
			e.Blocked = str(l.content)
		}
	case `"pr-link"`:
		e.PR = str(l.link)
	}
	if (len(e.Prompts) > 0 || e.Doubtful != "") && !gjson.ValidBytes(line) {
		return Entry{}, false
	}
	return e, len(e.Prompts) > 0 || len(e.Calls) > 0 || len(e.Results) > 0 || e.Boundary || e.PR != "" ||
		e.Doubtful != "" || e.Blocked != ""
}

// sign fills in which line it is, if that was not done before.
func (e *Entry) sign() {
	if e.UUID != "" || e.TS != "" {
		return
	}
	e.UUID, e.TS = str(e.fields.uuid), str(e.fields.timestamp)
	if e.Parent = str(e.fields.parent); e.Parent == "" {
		e.Parent = str(e.fields.logical)
	}
}

// called takes the tools that Claude called.
func (e *Entry) called(l *fields) {
	for _, p := range l.parts(l.said()) {
		if string(p.kind) == `"tool_use"` && len(p.input) > 0 && p.input[0] == '{' && gjson.ValidBytes(p.input) {
			e.Calls = append(e.Calls, Call{ID: str(p.id), Name: str(p.name), input: p.input})
		}
	}
}

// said takes what a person typed, given the content of a message, and what tools answered.
func (e *Entry) said(content []byte, l *fields) {
	for _, flag := range [...][]byte{l.meta, l.summary, l.shown} {
		if string(flag) == "true" {
			return
		}
	}
	e.sign()
	words := str(content)
	// A text behind a tool's result is what the person typed when allowing the call (clients 2.1; measured on
	// transcripts).
	var parts, behind []string
	if len(content) > 0 && content[0] == '[' { // a picture beside them is passed over
		for _, p := range l.parts(content) {
			switch string(p.kind) {
			case `"text"`:
				words := str(p.text)
				if len(e.Results) > 0 {
					behind = append(behind, words)
				}
				parts = append(parts, words)
			case `"tool_result"`:
				e.Results = append(e.Results, Result{ID: str(p.call), Failed: string(p.failed) == "true",
					Denied: len(l.denial) > 0 && l.denial[0] == '"', content: p.content, extra: l.result})
			}
		}
		words = strings.Join(parts, "\n")
	}
	if len(e.Results) > 0 {
		given := dialog(l)
		for _, r := range e.Results {
			e.answers(r, given)
		}
		for _, words := range behind {
			if !loaded(words) && !notice(typed(words)) {
				e.aside(Clean(words), "")
			}
		}
		return
	}
	by := l.writer()
	if by == client {
		return
	}
	words = typed(words)
	switch {
	case by == unnamed && blocked(words):
		e.Blocked = words
	case by == unnamed && notice(words):
		e.Doubtful = private(words, by)
	default:
		if words = private(words, by); words != "" {
			e.Prompts = append(e.Prompts, Prompt{UUID: e.UUID, TS: e.TS, Text: words})
		}
	}
}

// loaded reports whether a text behind a tool's result is the client's note that it has told Claude of more tools
// (clients 2.1): "Tool loaded.", with marks in lines of their own.
func loaded(words string) bool {
	rest, ok := strings.CutPrefix(strings.TrimSpace(words), "Tool loaded.")
	return ok && (rest == "" || strings.HasPrefix(rest, "\n[id:"))
}

// aside adds what a person typed into a dialog, and the question it answers.
func (e *Entry) aside(words, asked string) {
	if words = strings.TrimSpace(text.Private(words)); words == "" {
		return
	}
	id := e.UUID
	if n := len(e.Prompts); n > 0 {
		id += "#" + strconv.Itoa(n+1)
	}
	e.Prompts = append(e.Prompts, Prompt{UUID: id, TS: e.TS, Text: words, Asked: strings.TrimSpace(text.Private(asked)),
		Aside: true})
}

// refusals are how the client begins to hand on what a person typed when refusing a tool call (clients 2.0 to 2.1), and
// what stands before their words.
var refusals = [...]struct{ begin, said string }{
	{"The user doesn't want to proceed with this tool use.", "the user said:\n"},
	{"Permission for this tool use was denied. The tool use was rejected (", "). The user said:\n"},
}

// answers takes what a person typed into a dialog, which reaches the model as a tool's result: the words given when
// refusing a call, and the answers to Claude's questions.
// given is what the line has of them, looked up once for all its results.
func (e *Entry) answers(r Result, given gjson.Result) {
	if given.IsObject() && asks(r) {
		e.answered(given, r)
		return
	}
	if !r.Failed {
		return
	}
	words := r.Text()
	for _, how := range refusals {
		if !strings.HasPrefix(words, how.begin) {
			continue
		}
		if _, rest, ok := strings.Cut(words, how.said); ok {
			if at := strings.LastIndex(rest, "\n\nNote: The user"); at >= 0 {
				rest = rest[:at]
			}
			if strings.HasPrefix(rest, "The user wants to clarify these questions.") { // the client's own words
				e.clarifies(rest)
			} else {
				e.aside(Clean(rest), "")
			}
		}
	}
}

// dialog returns the answers to Claude's questions that the client notes beside the message.
func dialog(l *fields) gjson.Result {
	raw := l.given
	if !l.asked {
		raw = member(l.result, "answers")
	}
	if len(raw) == 0 || raw[0] != '{' {
		return gjson.Result{}
	}
	return parse(raw)
}

// asks reports whether r answers the tool that puts Claude's questions to the person: an answer of another tool's may
// have any form.
func asks(r Result) bool {
	if member(r.extra, "questions") != nil {
		return true
	}
	words := r.Text()
	return strings.HasPrefix(words, "User has answered") ||
		strings.HasPrefix(words, "Your questions have been answered") || strings.HasPrefix(words, "The user answered")
}

// answered takes the answers to Claude's questions: what was chosen or typed for each, the notes typed beside it, and
// what was typed instead of all of them.
func (e *Entry) answered(given gjson.Result, r Result) {
	notes := map[string]string{}
	var order []string
	parse(member(r.extra, "annotations")).ForEach(func(question, a gjson.Result) bool {
		if words := a.Get("notes"); words.Type == gjson.String {
			notes[question.Str] = words.Str
			order = append(order, question.Str)
		}
		return true
	})
	given.ForEach(func(question, answer gjson.Result) bool {
		add := func(one gjson.Result) {
			words := one.String()
			if words == "(notes only)" { // stands for no choice (client 2.1.329)
				return
			}
			// clients about 2.1.49 had both the same
			if strings.TrimSpace(words) == strings.TrimSpace(notes[question.Str]) {
				delete(notes, question.Str)
			}
			e.aside(words, question.Str)
		}
		if answer.IsArray() {
			answer.ForEach(func(_, one gjson.Result) bool { add(one); return true })
		} else {
			add(answer)
		}
		e.aside(notes[question.Str], question.Str)
		delete(notes, question.Str)
		return true
	})
	for _, question := range order {
		e.aside(notes[question], question)
	}
	e.aside(str(member(r.extra, "response")), "")
}

// clarifies takes what a person had answered, and noted, when they chose to talk about Claude's questions instead: the
// client lists it (clients 2.0 to 2.1).
func (e *Entry) clarifies(list string) {
	const answer, nothing, notes = "\"\n  Answer: ", "\"\n  (No answer provided)", "\n  User notes: "
	for _, item := range strings.Split("\n"+list, "\n- \"")[1:] {
		asked, rest, ok := strings.Cut(item, nothing)
		if !ok {
			if asked, rest, ok = strings.Cut(item, answer); !ok {
				continue
			}
		}
		words, noted, _ := strings.Cut(rest, notes)
		e.aside(words, asked)
		e.aside(noted, asked)
	}
}
