// Package note reads a command that writes into the journal (mission, done) and makes the command's
// change. It prints nothing, reads no disk, and does not decide which commands count.
package note

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
)

// Note is a command that writes into the journal. A field that the command does not set has its zero value.
type Note struct {
	Verb        string
	Words       []string // beside the flags
	Mission     string
	Close       bool   // the mission ends
	Result, Ctx string // of what is done
	Wip         Text
	Plan        List
	Keep        List     // words of the user's that outlive the session; who runs the command keeps them
	Agent       string   // the subagent's id, set by the hook
	Withheld    []string // kinds of the secrets that redact took out of the words
}

// Text is the value of a flag that may be empty.
type Text struct {
	Value string
	Given bool
}

func (t *Text) String() string { return t.Value }

// Set stores the flag's value.
func (t *Text) Set(s string) error {
	t.Value, t.Given = s, true
	return nil
}

// List is the values of a flag that may be given several times.
type List []string

func (l *List) String() string { return strings.Join(*l, ", ") }

// Set adds a value.
func (l *List) Set(s string) error {
	*l = append(*l, s)
	return nil
}

// Error says why a command changes nothing: its arguments are wrong, or it does not fit this journal. Hint is a command
// that helps.
type Error struct {
	What, Hint string
	IsUsage    bool // the arguments are wrong
}

func (e *Error) Error() string { return e.What }

// Flags registers the flags of n.Verb.
func (n *Note) Flags(fs *flag.FlagSet) {
	fs.StringVar(&n.Agent, "agent", "", "") // set by the hook for a subagent
	if n.Verb == "mission" {
		fs.BoolVar(&n.Close, "close", false, "close the mission: it is reached, or given up")
		return
	}
	fs.StringVar(&n.Result, "result", "", "`TEXT`: what came of it: numbers, paths, findings")
	fs.StringVar(&n.Ctx, "ctx", "",
		"`TEXT`: why it mattered, as \"user: exact words\", \"tool: output\" or \"note: what follows\"")
	fs.Var(&n.Wip, "wip", "`TEXT`: the work in hand; \"\" clears it")
	fs.Var(&n.Plan, "plan", "`TEXT` of what comes next; may be repeated; replaces the plan; \"\" clears it")
	fs.Var(&n.Keep, "keep", "`TEXT`: the user's own words that should hold in later sessions too; may be repeated")
}

// Permute parses flags wherever they stand and returns the other arguments; "--" ends the flags, and a negative
// number is not a flag.
func Permute(fs *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for {
		end := negative(args)
		if err := fs.Parse(args[:end]); err != nil {
			return nil, err
		}
		left := fs.Args()
		n := end - len(left)
		switch {
		case n > 0 && len(left) > 0 && args[n-1] == "--":
			return append(append(rest, left...), args[end:]...), nil
		case len(left) == 0 && end == len(args):
			return rest, nil
		}
		rest, args = append(rest, args[n]), args[n+1:]
	}
}

// negative returns the index of the first negative number in args that stands behind no flag; len(args) for none.
func negative(args []string) int {
	for i, a := range args {
		if a == "--" {
			break
		}
		if len(a) > 1 && a[0] == '-' && a[1] >= '0' && a[1] <= '9' && (i == 0 || !strings.HasPrefix(args[i-1], "-")) {
			return i
		}
	}
	return len(args)
}

// SetWords takes the words beside the flags, takes out secrets, and checks that the command changes something. Errors:
// Error.
func (n *Note) SetWords(args []string) error {
	cleared := n.Wip.Given && strings.TrimSpace(n.Wip.Value) == ""
	n.Words = slices.Clone(args)
	n.clean()
	n.Wip.Given = cleared || strings.TrimSpace(n.Wip.Value) != "" // what is private alone clears nothing
	words := strings.TrimSpace(strings.Join(n.Words, " "))
	switch n.Verb {
	case "mission":
		if n.Mission = words; n.Close == (words != "") {
			return &Error{IsUsage: true, What: "mission: TEXT is expected, or --close", Hint: "memento help mission"}
		}
	case "done":
		switch {
		case words == "" && (n.Result != "" || n.Ctx != ""):
			return &Error{IsUsage: true, What: "done: --result and --ctx need what was done",
				Hint: `memento done "TEXT" --result "…"`}
		case words == "" && !n.Wip.Given && len(n.Plan)+len(n.Keep) == 0:
			return &Error{IsUsage: true, What: "done: what? TEXT is missing", Hint: "memento help done"}
		}
	default:
		return &Error{IsUsage: true, What: n.Verb + " writes nothing into the journal", Hint: "memento help"}
	}
	return nil
}

// clean takes the text between <private> tags, which Claude may quote with a prompt, and the secrets out of all words,
// and adds the kinds of the secrets to n.Withheld. When only all words together show a secret (`my password is …`,
// unquoted), it joins them to one.
func (n *Note) clean() {
	if joined := text.Private(strings.Join(n.Words, " ")); redact.Clean(joined) != joined {
		n.Words = []string{joined}
	}
	clean := func(s *string) {
		out, kinds := redact.Text(text.Private(*s))
		*s, n.Withheld = out, append(n.Withheld, kinds...)
	}
	for _, list := range [...][]string{n.Words, n.Plan} {
		for i := range list {
			clean(&list[i])
		}
	}
	for _, s := range [...]*string{&n.Result, &n.Ctx, &n.Wip.Value} {
		clean(s)
	}
}

// Writer is the writer of a note. It also looks up words that were typed or printed.
type Writer struct {
	By      string // journal.ByClaude or journal.ByUser
	TS      string // when, RFC 3339; "" for now
	Session string
	Path    string // of the journal, for messages
	// Heard returns the sentence of the user that contains words, "" for none; see capture.Heard.
	Heard func(words string) (sentence string)
	// Printed reports whether a tool printed words; nil when no transcript can be asked.
	Printed func(words string) (bool, error)
}

// Apply changes j and returns messages about the changes. Errors: Error; j may be half changed then, and the
// caller must not store it.
func (n *Note) Apply(j *journal.Journal, w Writer) (said []string, err error) {
	if n.Mission != "" {
		j.OpenMission(n.Mission, n.Mission, w.Session, w.By, "")
		said = append(said, "mission")
	}
	if act := strings.TrimSpace(strings.Join(n.Words, " ")); n.Verb == "done" && act != "" {
		e := journal.Entry{Act: act, Result: strings.TrimSpace(n.Result),
			TS: w.TS, By: w.By}
		var note string
		e.Ctx, e.Verified, note = w.ctx(n.Ctx)
		j.AddDone(e)
		said = append(said, "done"+note)
	}
	if n.Wip.Given {
		j.SetWip(strings.TrimSpace(n.Wip.Value), w.By)
		if j.Wip != "" {
			said = append(said, "wip")
		} else {
			said = append(said, "wip cleared")
		}
	}
	if len(n.Plan) > 0 {
		j.SetPlan(n.Plan, w.By)
		if len(j.Plan) > 0 {
			said = append(said, fmt.Sprintf("plan (%d)", len(j.Plan)))
		} else {
			said = append(said, "plan cleared")
		}
	}
	if n.Close {
		if !j.Close("closed", "") {
			return nil, &Error{What: "mission: none is open in " + w.Path, Hint: "memento show"}
		}
		said = append(said, "mission closed")
	}
	return said, nil
}

// ctx checks the source of a context. A context with a type is "user: …", "tool: …" or "note: …". A context without a
// type becomes a note.
func (w Writer) ctx(words string) (ctx string, verified *bool, note string) {
	words = strings.TrimSpace(words)
	if words == "" {
		return "", nil, ""
	}
	kind, rest, ok := typed(words)
	switch {
	case !ok:
		return "note: " + words, nil, " (ctx kept as a note: it says neither user:, tool: nor note:)"
	case rest == "":
		return "", nil, " (ctx left out: it says nothing)"
	case kind == "note":
		return kind + ": " + rest, nil, ""
	}
	found, why := w.found(kind, rest)
	if why != "" {
		note = " (ctx marked unverified: " + why + ")"
	}
	return kind + ": " + rest, &found, note
}

// typed splits a context into type and words, and reports whether it knows the type.
func typed(ctx string) (kind, words string, ok bool) {
	kind, words, _ = strings.Cut(ctx, ":")
	kind, words = strings.ToLower(strings.TrimSpace(kind)), strings.TrimSpace(words)
	return kind, words, kind == "user" || kind == "tool" || kind == "note"
}

// found reports whether the transcript confirms words of a kind. why says what is wrong with words that were not found;
// it is "" for words that were found or could not be looked up.
func (w Writer) found(kind, words string) (found bool, why string) {
	switch {
	case kind == "user":
		if w.Heard(words) == "" {
			return false, "these words were not found in what the user typed"
		}
		return true, ""
	case kind == "tool" && w.Printed != nil && !strings.Contains(words, redact.Mark):
		found, err := w.Printed(strings.TrimSuffix(words, text.Ellipsis))
		if err == nil && !found {
			why = "these words were not found in what this session's tools printed"
		}
		return found && err == nil, why
	}
	return false, ""
}

// Part is a verb and the words of one entry that a subagent wrote.
type Part struct{ Verb, Words string }

// Parts returns the entries of the note, verb by verb, for a subagent's own record.
func (n *Note) Parts() []Part {
	var out []Part
	for _, p := range [...]Part{
		{"mission", n.Mission}, {"wip", n.Wip.Value}, {"plan", strings.Join(n.Plan, " | ")},
	} {
		if p.Words != "" {
			out = append(out, p)
		}
	}
	if words := strings.Join(n.Words, " "); n.Verb == "done" && words != "" {
		if n.Result != "" {
			words += " -> " + n.Result
		}
		if n.Ctx != "" {
			words += " | ctx: " + n.Ctx
		}
		out = append(out, Part{"done", words})
	}
	if n.Close {
		out = append(out, Part{"close", "close"})
	}
	return out
}
