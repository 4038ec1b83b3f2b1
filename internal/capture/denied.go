package capture

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/permit"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/work"
)

// maxSearch is the longest transcript, in bytes, that a hook searches for what a tool printed. In a longer one the
// claim stays unchecked: a hook has milliseconds.
const maxSearch = 16 << 20

// denied is a journal command of Claude's that the client did not run, or that could not write.
type denied struct {
	id, ts string
	after  string // uuid of what was typed before it; "" when this reading saw nothing typed before it
	note   *note.Note
}

// denials collects them while a transcript is read.
type denials struct {
	st     *session.Memory
	lost   []denied
	last   string
	inTime func() bool
}

// see looks at one entry, before its results are taken off the list of calls.
func (d *denials) see(e transcript.Entry) {
	for _, p := range e.Prompts {
		if p.UUID != "" {
			d.last = p.UUID
		}
	}
	for _, r := range e.Results {
		at := slices.IndexFunc(d.st.Work.Calls, func(c work.Call) bool { return c.ID == r.ID && shellTool(c.Name) })
		if at < 0 {
			continue
		}
		c := d.st.Work.Calls[at]
		n := journalCommand(c)
		switch {
		case n == nil:
		case !r.Failed && wasRun(c, r):
			d.ran(n)
		case r.Failed && undone(e.Raw(), r):
			d.lost = append(d.lost, denied{id: r.ID, ts: e.TS, after: d.last, note: n})
		}
	}
}

// journalCommand reads what c called as one simple command that writes into the journal, by the rule that approves one;
// nil is anything else.
func journalCommand(c work.Call) *note.Note {
	if !strings.HasPrefix(strings.TrimLeft(c.Arg, " '\"&"), "memento") || len(c.Arg) >= maxArg {
		return nil
	}
	command := permit.Command
	if c.Name == "PowerShell" {
		command = permit.PowerShell
	}
	// The name of this binary makes no difference: nothing is run, and Claude calls it by the plain one.
	args, ok := command(c.Arg, "/memento")
	if !ok || !slices.Contains(note.Verbs(), args[0]) {
		return nil
	}
	n, err := note.Parse(args)
	if err != nil {
		return nil
	}
	return n
}

// ran takes out of the commands that were lost what a later one of Claude's has set since: it is in the journal.
func (d *denials) ran(later *note.Note) {
	d.lost = slices.DeleteFunc(d.lost, func(l denied) bool { return reflect.DeepEqual(l.note, later) })
	for _, l := range d.lost {
		if later.Wip.Given || later.Verb == "close" {
			l.note.Wip = note.Text{}
		}
		if len(later.Plan) > 0 || later.Verb == "close" {
			l.note.Plan = nil
		}
		if later.Mission != "" || later.Verb == "close" {
			l.note.Mission = ""
		}
	}
}

// modes are the words, at the beginning of a result, with which the client itself denies a command: it had nobody to
// ask, or its mode forbids it. The first four were measured on client 2.1.329 (the default mode without an answer,
// dontAsk in either shell, plan), the rest stand in its binary. A rule of the person's and an answer in the dialog read
// otherwise: their no is a no.
var modes = [...]string{
	"This command requires approval",
	"Permission to use Bash has been denied because Claude Code is running in don't ask mode",
	"Permission to use PowerShell has been denied because Claude Code is running in don't ask mode",
	"Auto mode is unavailable",
	"Claude requested permissions to use Bash",
	"Claude requested permissions to use PowerShell",
	"Permission for this tool use was denied: it requires interactive approval",
	"Permission for this tool use was denied. It requires approval, and this session has no approval surface",
	"Permission for this action was denied by the Claude Code auto mode classifier",
	"Permission for this action has been denied. Reason: ",
}

// undone reports whether the failed result r in line shows that the command changed nothing although it was right: the
// client denied it without asking the person, or it could not write.
func undone(line gjson.Result, r transcript.Result) bool {
	words := r.Text()
	if strings.HasPrefix(line.Get("permissionDecision.source").Str, "user") {
		return false
	}
	for _, m := range modes {
		if strings.HasPrefix(words, m) {
			return true
		}
	}
	code, printed, _ := strings.Cut(words, "\n")
	switch code { // how the Bash tool reports a failure (measured on client 2.1.329)
	case "Exit code 75": // another memento kept the lock
		return true
	// the shell could not start it: a new plugin's bin folder is on PATH from the next session on
	case "Exit code 126", "Exit code 127":
		return strings.Contains(printed, "memento")
	case "Exit code 1":
		return diskError(printed) || notFound(printed)
	}
	return false
}

// notFound reports whether this is PowerShell's word that it knows no memento. It has no exit code of its own for that.
// Taken from its documentation, not measured.
func notFound(printed string) bool {
	if !strings.Contains(printed, "memento") {
		return false
	}
	return text.ContainsOne(printed, "is not recognized as a name of a cmdlet",
		"is not recognized as the name of a cmdlet", "CommandNotFoundException")
}

// diskError reports whether memento's own message ends with what a sandbox or a disk says to a write.
func diskError(printed string) bool {
	for _, l := range strings.Split(printed, "\n") {
		message, ours := strings.CutPrefix(l, "memento: ")
		if strings.HasPrefix(l, `{"version":1,"error":`) && gjson.Valid(l) {
			message, ours = gjson.Get(l, "error").Str, true
		}
		if !ours {
			continue
		}
		message = strings.ToLower(strings.TrimRight(message, ". \r"))
		for _, why := range [...]string{"read-only file system", "operation not permitted", "permission denied",
			"no space left on device", "disk quota exceeded", "input/output error", "access is denied"} {
			if strings.HasSuffix(message, why) {
				return true
			}
		}
	}
	return false
}

// apply makes the changes of the commands lost behind the prompt with uuid after, each once. said is what was typed
// since the history was written.
func (d *denials) apply(store journal.Store, j *journal.Journal, after string, said []string, past past) {
	if len(d.lost) == 0 {
		return
	}
	w := writer(store, d.st, said, d.inTime)
	var left []denied
	for _, l := range d.lost {
		if l.after != after {
			left = append(left, l)
			continue
		}
		if past.applied[l.id] || !j.Apply(l.id) {
			continue
		}
		w.TS = l.ts
		whole := *j
		if _, err := l.note.Apply(j, w); err != nil {
			*j = whole // it would be refused by name too
			continue
		}
		d.st.Prompts, d.st.Entry = 0, store.Now
	}
	d.lost = left
}

// rest applies what is left: behind something typed that this reading left out.
func (d *denials) rest(store journal.Store, j *journal.Journal, said []string, past past) {
	for len(d.lost) > 0 {
		d.apply(store, j, d.lost[0].after, said, past)
	}
}

// errLate is the reason when there is no time to look for what a tool printed.
var errLate = errors.New("no time to look for it")

// writer is Claude, with what is known of what was typed and printed; said is what was typed since the history was
// written. What there is no time to look for counts as not found.
func writer(store journal.Store, st *session.Memory, said []string, inTime func() bool) note.Writer {
	w := note.Writer{By: journal.ByClaude, Session: st.ID, Path: store.Lane.Journal()}
	heard := hearing(store.Lane, said)
	w.Heard = func(words string) (string, bool) {
		if !inTime() {
			return "", false
		}
		return heard(words)
	}
	if transcript.End(st.Transcript).Offset <= maxSearch {
		w.Printed = func(words string) (bool, error) {
			if !inTime() {
				return false, errLate
			}
			return transcript.Printed(st.Transcript, words)
		}
	}
	return w
}
