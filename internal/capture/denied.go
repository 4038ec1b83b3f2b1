package capture

import (
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/note"
	"github.com/mementohq/memento/internal/permit"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/work"
)

// maxSearch is the longest transcript that a hook searches for a tool's output, in bytes. A claim about a longer one
// stays unchecked: a hook has milliseconds.
const maxSearch = 16 << 20

// denied is a journal command of Claude's that the client denied, or that could not write.
type denied struct {
	from  int64 // where its line begins in the file
	ts    string
	after string // uuid of the prompt before it, "" when the part shows none before it
	note  *note.Note
}

// denials collects the denied commands of a part.
type denials struct {
	st     *session.Memory
	lost   []denied
	last   string // uuid of the newest prompt
	inTime func() bool
}

// add adds the denied commands of an entry. readTools, which forgets answered calls, has to come after it.
func (d *denials) add(e transcript.Entry) {
	for _, p := range e.Prompts {
		if p.UUID != "" {
			d.last = p.UUID
		}
	}
	for _, r := range e.Results {
		at := slices.IndexFunc(d.st.Work.Calls, func(c work.Call) bool {
			return c.ID == r.ID && transcript.Tool(c.Name).Runs()
		})
		if at < 0 {
			continue
		}
		c := d.st.Work.Calls[at]
		n := journalCommand(c)
		switch {
		case n == nil:
		case !r.Failed && r.Ran(transcript.Tool(c.Name)):
			d.overwrite(n)
		case r.Failed && wasDenied(r):
			d.lost = append(d.lost, denied{from: e.At, ts: e.TS, after: d.last, note: n})
		}
	}
}

// journalCommand returns the note that c writes if c is one simple journal command, by the rule that approves such
// commands; nil for any other call.
func journalCommand(c work.Call) *note.Note {
	if !strings.HasPrefix(strings.TrimLeft(c.Arg, " '\""), "memento") || len(c.Arg) >= maxArg ||
		transcript.Tool(c.Name) != transcript.Shell {
		return nil
	}
	// any path will do: nothing is run, and Claude calls memento by its plain name
	args, ok := permit.Command(c.Arg, "/memento")
	if !ok || !slices.Contains(note.Verbs(), args[0]) {
		return nil
	}
	n, err := note.Parse(args)
	if err != nil {
		return nil
	}
	return n
}

// overwrite removes from the denied commands what a later command of Claude's has set: the journal holds that.
func (d *denials) overwrite(later *note.Note) {
	d.lost = slices.DeleteFunc(d.lost, func(l denied) bool { return reflect.DeepEqual(l.note, later) })
	for _, l := range d.lost {
		if later.Wip.Given || later.Close {
			l.note.Wip = note.Text{}
		}
		if len(later.Plan) > 0 || later.Close {
			l.note.Plan = nil
		}
		if later.Mission != "" || later.Close {
			l.note.Mission = ""
		}
	}
}

// wasDenied reports whether the failed result r shows that the client denied a command without asking the person, or
// that the command could not write.
func wasDenied(r transcript.Result) bool {
	if r.Unasked() {
		return true
	}
	code, printed, _ := strings.Cut(r.Text(), "\n")
	switch code { // the Bash tool's words, measured on client 2.1.329
	case "Exit code 75": // another memento held the lock
		return true
	// the shell could not start memento: a new plugin's bin folder is on PATH from the next session on
	case "Exit code 126", "Exit code 127":
		return strings.Contains(printed, "memento")
	case "Exit code 1": // PowerShell has no exit code of its own for that; its words are from its documentation
		return diskError(printed) || strings.Contains(printed, "memento") &&
			text.ContainsOne(printed, "of a cmdlet", "CommandNotFoundException")
	}
	return false
}

// diskError reports whether memento's own message ends with the error of a sandbox or a disk.
func diskError(printed string) bool {
	for _, l := range strings.Split(printed, "\n") {
		message, ours := strings.CutPrefix(l, "memento: ")
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

// apply applies the denied commands behind the prompt with the uuid after, each once. said has the prompts that are not
// in the history yet.
func (d *denials) apply(store journal.Store, j *journal.Journal, after string, said []string) {
	if len(d.lost) == 0 {
		return
	}
	w := noteWriter(store, d.st, said, d.inTime)
	var left []denied
	for _, l := range d.lost {
		if l.after != after {
			left = append(left, l)
			continue
		}
		w.TS = l.ts
		whole := *j
		if _, err := l.note.Apply(j, w); err != nil {
			*j = whole // by hand it would be refused too
			continue
		}
		d.st.Prompts, d.st.Entry = 0, store.Now
	}
	d.lost = left
}

// applyRest applies the remaining commands: those behind a prompt that was left out.
func (d *denials) applyRest(store journal.Store, j *journal.Journal, said []string) {
	for len(d.lost) > 0 {
		d.apply(store, j, d.lost[0].after, said)
	}
}

// errLate says that the event has no time left to search the transcript.
var errLate = errors.New("no time to look for it")

// noteWriter returns Claude as the writer of notes, which are checked against prompts and outputs. said has the prompts
// that are not in the history yet. Without time left, words count as not found.
func noteWriter(store journal.Store, st *session.Memory, said []string, inTime func() bool) note.Writer {
	w := note.Writer{By: journal.ByClaude, Session: st.ID, Path: store.Lane.Journal()}
	heard := newHearing(store.Lane, said)
	w.Heard = func(words string) string {
		if !inTime() {
			return ""
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
