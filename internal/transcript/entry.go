package transcript

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/text"
)

// Entry is one line of the transcript. Its methods, and those of its calls and results, may be called only until the
// callback that received it returns. Their results stay valid.
type Entry struct {
	UUID, TS string

	Prompts  []Prompt
	Doubtful string // words in the client's own form, without a field that names the writer: typed if submitted
	Blocked  string // the client's note that a hook blocked a prompt; see Stopped
	Calls    []Call
	Results  []Result
	PR       string // URL of a pull request that the client noticed
	Title    string // of the session: of the client's own model, or of the person (/rename)
	Recap    string // what the client's own model wrote of the session, for a person who comes back to it
	Boundary bool   // a compaction ends here
	Private  bool   // it is a prompt with private words, which were taken out
	Long     bool   // the line is cut off or too long to be read: it may have been a prompt
	Stray    bool   // it is a prompt that may stand on another branch than the last one; see Left

	At     int64 // where the line begins in the file
	spoke  bool  // Answer may return a text
	fields *fields
}

// Answer returns the text that Claude wrote for the person, "" for none and for words of the client. It decodes the
// line at each call. It is always "" unless Follow was asked for answers.
func (e *Entry) Answer() string {
	if !e.spoke || e.fields.is("isApiErrorMessage") || e.fields.values["message"].Get("model").Str == "<synthetic>" {
		return ""
	}
	parts := []string{e.fields.spoken.Str}
	for _, p := range blocks(e.fields.spoken) {
		if p.Get("type").Str == "text" {
			parts = append(parts, p.Get("text").Str)
		}
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// Cwd returns the session's folder.
func (e *Entry) Cwd() string { return e.fields.str("cwd") }

// Prompt is something that a person typed.
type Prompt struct {
	UUID  string // the uuid of its line; a second prompt in one line has "#2" behind it
	TS    string // RFC 3339, as the client wrote it
	Typed string // when it was put into the queue, "" for a prompt that did not wait there
	Text  string
	Asked string // Claude's question that it answers, "" for none
	Aside bool   // it was typed into a dialog: it opens no work of its own
	Long  bool   // see Entry
}

// Call is one tool that Claude called.
type Call struct {
	ID, Name string
	Input    gjson.Result // the arguments, an object
}

// Result is the answer of a tool.
type Result struct {
	ID     string // the id of the call
	Failed bool
	Denied bool         // a rule, a hook, the client's mode or the person refused the call
	Extra  gjson.Result // toolUseResult, the client's note beside the message; its form depends on the tool

	content gjson.Result
}

// Text returns the output of the tool.
func (r Result) Text() string { return flat(r.content) }

// Follow calls f with each entry behind the position from, oldest first, and returns the position to go on from. It
// leaves out empty entries and those of subagents. It stops at the end of a line when goOn, which it calls every
// checkBytes, returns false; nil is for always. With answers it calls f also with the lines in which Claude wrote a
// text; see Answer. end reports whether the whole file was read; lines says how. On an error next is from.
func Follow(path string, from Position, goOn func() bool, answers bool,
	f func(Entry)) (next Position, end bool, err error) {
	t, q := turnOf(from.Turn), queueOf(from.Queued)
	back := func(at int64) []byte { return lineAt(path, at) }
	l := fields{marked: from.Marked}
	next, end, err = readLines(path, from, goOn, func(at int64, line []byte) bool {
		if at == 0 {
			t, q, l.marked = nil, queue{}, false
		}
		l.entries(line, func(begin int, line []byte) {
			at := at + int64(begin)
			if line == nil {
				f(Entry{Long: true, Prompts: []Prompt{{Long: true}}})
				return
			}
			if l.str("type") == "queue-operation" {
				q.take(at, &l, back, f)
				return
			}
			e, shows := entry(&l)
			if e.At = at; answers && l.str("type") == "assistant" && !l.is("isSidechain") && l.speaks() {
				e.spoke, shows = true, true
			}
			if n, ok := place(&l); ok {
				n.prompt = e.begins()
				e.Stray = t.add(n)
			}
			if again := e.submitted() && q.shown(&e, back); shows && !again {
				f(e)
			}
		})
		return true
	})
	if next != from && next.Offset > 0 {
		next.Turn, next.Queued, next.Marked = t.String(), q.String(), l.marked
	}
	return next, end, err
}

// submitted reports whether the line stands in the place of a prompt, whoever wrote it.
func (e *Entry) submitted() bool {
	if e.fields == nil || len(e.Results) > 0 || e.fields.is("isMeta") || e.fields.is("isCompactSummary") {
		return false
	}
	return e.fields.isTyped() || e.fields.str("type") == "attachment" && len(e.Prompts) > 0
}

// begins reports whether the line is a prompt that begins a turn. Words typed into a dialog do not.
func (e *Entry) begins() bool {
	return slices.ContainsFunc(e.Prompts, func(p Prompt) bool { return !p.Aside })
}

// entry returns the entry of the line with the fields l, false for an empty one. It does not parse the outputs of
// tools, which are most of a transcript's bytes.
func entry(l *fields) (Entry, bool) {
	if l.is("isSidechain") {
		return Entry{}, false
	}
	e := Entry{UUID: l.str("uuid"), TS: l.str("timestamp"), fields: l}
	switch l.str("type") {
	case "assistant":
		for _, p := range blocks(l.spoken) {
			if input := p.Get("input"); p.Get("type").Str == "tool_use" && input.IsObject() {
				e.Calls = append(e.Calls, Call{ID: p.Get("id").Str, Name: p.Get("name").Str, Input: input})
			}
		}
	case "user", "human":
		e.readContent(l.content(), l)
	case "attachment":
		a := l.values["attachment"]
		if a.Get("type").Str == "queued_command" && !a.Get("isMeta").Bool() && humanOrigin(a.Get("origin")) {
			e.readContent(a.Get("prompt"), l)
		}
	case "system":
		words, kind := l.str("content"), l.str("subtype")
		e.Boundary, e.Stray = kind == "compact_boundary", kind == "reverted" // another client's; see package client
		if blocked(words) {
			e.Blocked = words
		}
		if kind == "away_summary" {
			e.Recap = strings.TrimSpace(strings.TrimSuffix(words, recapHint))
		}
	case "pr-link":
		e.PR = l.str("prUrl")
	case "ai-title", "custom-title":
		e.Title = text.Line(cmp.Or(l.str("aiTitle"), l.str("customTitle")))
	}
	return e, len(e.Prompts) > 0 || len(e.Calls) > 0 || len(e.Results) > 0 || e.Boundary || e.Stray || e.PR != "" ||
		e.Doubtful != "" || e.Blocked != "" || e.Private || e.Title != "" || e.Recap != ""
}

// NextStep returns what a recap says comes next, "" for a recap that does not say.
func NextStep(recap string) string {
	_, next, _ := strings.Cut(recap, "Next: ")
	return text.Line(next)
}

// recapHint ends the client's recaps (measured on transcripts of clients from 2.1.200 on).
const recapHint = "(disable recaps in /config)"

// readContent adds the prompts and results in the content of a message.
func (e *Entry) readContent(content gjson.Result, l *fields) {
	if l.is("isMeta") || l.is("isCompactSummary") || l.is("isVisibleInTranscriptOnly") {
		return
	}
	words := content.Str
	// a text behind a result was typed when the person allowed the call (clients 2.1; measured on transcripts)
	var parts, behind []string
	for _, p := range blocks(content) { // a picture beside them is passed over
		switch p.Get("type").Str {
		case "text":
			words := p.Get("text").Str
			if len(e.Results) > 0 {
				behind = append(behind, words)
			}
			parts = append(parts, words)
		case "tool_result":
			e.Results = append(e.Results, Result{ID: p.Get("tool_use_id").Str, Failed: p.Get("is_error").Bool(),
				Denied: l.str("toolDenialKind") != "", content: p.Get("content"), Extra: l.values["toolUseResult"]})
		}
	}
	if parts != nil {
		words = strings.Join(parts, "\n")
	}
	if len(e.Results) > 0 {
		for _, r := range e.Results {
			e.readDialog(r)
		}
		for _, words := range behind {
			if !loaded(words) && !notice(typed(words)) {
				e.aside(Clean(words), "")
			}
		}
		return
	}
	by := l.writer()
	if by == nobody {
		return
	}
	l.marked = l.marked || by != unnamed && l.str("type") != "attachment"
	e.Private = text.Private(words) != words
	words = typed(words)
	switch {
	case by == unnamed && blocked(words):
		e.Blocked = words
	case by == unnamed && (notice(words) || l.misses(words)):
		e.Doubtful = private(words, by)
	default:
		if words = private(words, by); words != "" {
			e.Prompts = append(e.Prompts, Prompt{UUID: e.UUID, TS: e.TS, Text: words})
		}
	}
}

// loaded reports whether a text behind a result is the client's note that it loaded a tool (clients 2.1): "Tool
// loaded.", with ids in lines of their own.
func loaded(words string) bool {
	rest, ok := strings.CutPrefix(strings.TrimSpace(words), "Tool loaded.")
	return ok && (rest == "" || strings.HasPrefix(rest, "\n[id:"))
}

// aside adds the words that a person typed into a dialog, and the question that they answer.
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

// refusals begin the results of calls that a person refused with words of their own, which follow said (clients 2.0 to
// 2.1).
var refusals = [...]struct{ begin, said string }{
	{"The user doesn't want to proceed with this tool use.", "the user said:\n"},
	{"Permission for this tool use was denied. The tool use was rejected (", "). The user said:\n"},
}

// readDialog adds the words that a person typed into a dialog: when refusing a call, or in answer to Claude's
// questions. The client writes them as a tool's result.
func (e *Entry) readDialog(r Result) {
	if given := r.Extra.Get("answers"); given.IsObject() && asks(r) {
		e.readAnswers(given, r)
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
				e.readClarified(rest)
			} else {
				e.aside(Clean(rest), "")
			}
		}
	}
}

// asks reports whether r is the result of the tool that asks the person Claude's questions. Results of other tools may
// have any form.
func asks(r Result) bool {
	return r.Extra.Get("questions").Exists() || text.BeginsWithOne(r.Text(), "User has answered",
		"Your questions have been answered", "The user answered")
}

// readAnswers adds the answers to Claude's questions: the choice or words for each question, the notes beside it, and
// the words typed instead of all answers.
func (e *Entry) readAnswers(given gjson.Result, r Result) {
	notes, annotations := map[string]string{}, r.Extra.Get("annotations")
	annotations.ForEach(func(question, a gjson.Result) bool {
		notes[question.Str] = a.Get("notes").Str
		return true
	})
	given.ForEach(func(question, answer gjson.Result) bool {
		add := func(one gjson.Result) {
			words := one.String()
			if words == "(notes only)" { // no choice (client 2.1.329)
				return
			}
			// clients about 2.1.49 wrote the answer as the note too
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
	annotations.ForEach(func(question, _ gjson.Result) bool {
		e.aside(notes[question.Str], question.Str)
		return true
	})
	e.aside(r.Extra.Get("response").Str, "")
}

// readClarified adds the answers and notes that a person had given before choosing to talk about Claude's questions.
// The client lists them (clients 2.0 to 2.1).
func (e *Entry) readClarified(list string) {
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
