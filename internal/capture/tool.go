package capture

import (
	"slices"
	"strconv"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/work"
)

// deed is one thing that a tool did. It is a fact, no judgement. One of done, file, plan and next is set, or none where
// only the log takes it.
type deed struct {
	ref  string // the call, or the address of a pull request
	done *journal.Entry
	file string // an edited file, relative to the project
	plan string // a plan that the user approved, whole
	next string // what the client's recap says comes next
	at   string // beside next: when it was written

	happened log.Entry // what the log takes; the zero Entry for nothing
	line     int       // the number of its line in the part, from 1
	from     int64     // where its line begins in the file
}

// applyDeeds brings the deeds up to a line into the journal and returns the others. It leaves out deeds from before the
// session had a mission of its own: they are no part of another session's mission.
func applyDeeds(j *journal.Journal, st *session.Memory, deeds []deed, line int) []deed {
	for len(deeds) > 0 && deeds[0].line <= line {
		d := deeds[0]
		deeds = deeds[1:]
		if j.Open() && j.Session != st.ID {
			continue
		}
		switch {
		case d.done != nil:
			e := *d.done
			e.By, e.Ref = journal.ByAuto, d.ref
			if e.Ctx != "" {
				verified := true // the context is a line of the output
				e.Verified = &verified
			}
			j.AddCaptured(e)
		case d.plan != "":
			j.Keep(log.Entry{Kind: "approved", Session: j.Session, Text: d.plan, Of: d.ref})
		case d.next != "":
			j.Next, j.NextAt = d.next, d.at
		case d.file != "":
			j.AddFile(d.file)
		}
	}
	return deeds
}

// applyOpenWork brings the work in hand, the plan and the failing command into the journal, unless Claude or the user
// has set them. Without a task in progress, the work in hand is the user's last request.
func applyOpenWork(j *journal.Journal, st *session.Memory) {
	if j.MissionClosed != "" || j.Session != st.ID {
		return
	}
	w := &st.Work
	doing, next := w.Open()
	wip := w.Asked
	if n := len(doing); n > 0 {
		wip = doing[n-1]
		next = append(doing[:n-1:n-1], next...)
	}
	if len(w.Tasks) == 0 {
		next = w.Steps
	}
	j.SetCaptured(wip, next, append(doing, next...))
	switch n := len(w.Failures); {
	case n > 0:
		f := w.Failures[n-1]
		j.Error = j.Error.With(f.Cmd, f.Line, f.TS)
		w.Erred = true
	case j.Error != nil && (w.Erred || Passed(st, j.Error.Cmd)):
		j.Error = nil
	}
}

// maxArg is how much of a call's argument is remembered until the call is answered, in bytes.
const maxArg = 16 << 10

// The longest path of a file and the longest address of a pull request that are taken in, in bytes. A longer one would
// push out the journal's other lines.
const (
	maxPath = 1 << 10
	maxURL  = 200
)

// readTools takes in the calls and results of an entry: it notes open work in w, and returns what was done. root is the
// project's top folder, "" for an unknown one. Where no turns are kept, r is nil.
func (r *Turns) readTools(w *work.Work, e transcript.Entry, root string) (out []deed) {
	for _, c := range e.Calls {
		if tool, arg := c.Tool(); tool != "" {
			if tool == transcript.SetsTasks || tool == transcript.MovesTask {
				arg, _ = redact.JSON(arg)
			} else { // redact sees more than is kept: the end of a secret may stand behind the cut
				arg = redact.Clean(arg[:min(len(arg), 4*maxArg)])
				arg = arg[:min(len(arg), maxArg)]
			}
			w.Call(work.Call{ID: c.ID, Name: string(tool), Arg: arg})
		}
	}
	for _, answer := range e.Results {
		if c, ok := w.Answered(answer.ID); ok && answer.Ran(transcript.Tool(c.Name)) {
			out = append(out, readAnswer(w, c, answer, e, root)...)
		}
	}
	if e.PR != "" && len(e.PR) <= maxURL {
		out = append(out, deed{ref: e.PR, done: &journal.Entry{Act: "pull request", Ctx: "tool: " + e.PR, TS: e.TS},
			happened: log.Entry{Kind: log.Committed, Text: e.PR}})
	}
	if next, _ := text.Cut(redact.Clean(transcript.NextStep(e.Recap)), journal.MaxWip); next != "" {
		out = append(out, deed{ref: e.UUID, next: next, at: e.TS})
	}
	for _, d := range out {
		if r != nil && d.happened.Kind != "" {
			r.add(e, d.happened)
		}
	}
	return out
}

// readAnswer takes in the answer of a call that was carried out.
func readAnswer(w *work.Work, c work.Call, r transcript.Result, e transcript.Entry, root string) []deed {
	switch transcript.Tool(c.Name) {
	case transcript.Shell, transcript.PowerShell:
		return readShell(w, c, r, e.TS, root)
	case transcript.Reads:
		if c.Arg != "" && len(c.Arg) <= maxPath {
			w.Touch(relative(c.Arg, root, e.Cwd()))
		}
	case transcript.Edits:
		if c.Arg != "" && len(c.Arg) <= maxPath {
			file := relative(c.Arg, root, e.Cwd())
			w.Touch(file)
			return []deed{{ref: c.ID, file: file, happened: log.Entry{Kind: log.Edited, Text: file}}}
		}
	case transcript.SetsTasks:
		return readTaskList(w, c)
	case transcript.AddsTask:
		if id := r.TaskID(); id != "" {
			words, _ := text.Cut(c.Arg, 2*journal.MaxPlan)
			w.SetTask(work.Task{ID: id, Text: words, Status: "pending"})
		}
	case transcript.MovesTask:
		return readTaskUpdate(w, c, e.TS)
	case transcript.EndsPlan:
		if plan := r.ApprovedPlan(); plan != "" {
			w.Steps = planSteps(plan)
			return []deed{{ref: c.ID, plan: plan}}
		}
	}
	return nil
}

// readTaskList takes in the whole task list that an older client wrote. A task that it newly calls completed was done.
func readTaskList(w *work.Work, c work.Call) (out []deed) {
	old := w.Tasks
	w.Tasks = slices.DeleteFunc(slices.Clone(old), func(t work.Task) bool { return t.ID == "" || t.IsInherited() })
	transcript.TasksIn(c.Arg, func(_, words, status string) {
		if len(w.Tasks) > work.MaxTasks {
			return
		}
		w.Tasks = append(w.Tasks, work.Task{Text: words, Status: status, Prompt: w.Prompts})
		before := slices.IndexFunc(old, func(o work.Task) bool { return o.ID == "" && o.Text == words })
		if status == "completed" && before >= 0 && old[before].Status != status {
			out = append(out, deed{ref: c.ID + "/" + strconv.Itoa(len(w.Tasks)), done: &journal.Entry{Act: words}})
		}
	})
	return out
}

// readTaskUpdate takes in a change of one task.
func readTaskUpdate(w *work.Work, c work.Call, ts string) (out []deed) {
	transcript.TasksIn(c.Arg, func(id, words, status string) {
		at := slices.IndexFunc(w.Tasks, func(t work.Task) bool { return t.ID == id })
		if id == "" || at < 0 {
			return
		}
		before := w.SetTask(work.Task{ID: id, Text: words, Status: status})
		if status == "completed" && before.Status != status {
			out = append(out, deed{ref: c.ID, done: &journal.Entry{Act: w.Tasks[at].Text, TS: ts}})
		}
	})
	return out
}

// Open returns the open work of the session st that its journal has no room for: the tasks, and a failure. The failure
// is the newest of a check where the journal's is of another command, and the other way round.
func Open(st *session.Memory) (tasks []string, failing []journal.Failure) {
	doing, next := st.Work.Open()
	all := st.Work.Failures
	for i := len(all) - 2; i >= 0; i-- {
		if f := all[i]; f.Check != all[len(all)-1].Check {
			failing = append(failing, journal.Failure{Cmd: f.Cmd, Line: f.Line, TS: f.TS})
			break
		}
	}
	return append(doing, next...), failing
}

// Passed reports whether the last command like cmd succeeded in the session st. Its last arguments may differ.
func Passed(st *session.Memory, cmd string) bool {
	key := keptCommand(cmd).key
	return key != "" && slices.Contains(st.Work.Passed, key)
}
