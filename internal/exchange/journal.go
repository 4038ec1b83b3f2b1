package exchange

import (
	"cmp"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/schema"
)

// readJournal reads a user's journal: one JSON object of the mission in hand. What is assumed of its versions: up to
// 0.1 the work done is in completed (each with task, result, ctx, ts), the plan in upcoming, the work at hand in
// in_progress (task and progress, or text) with state and state_reason beside it; from 0.2 on these are done (with
// act), plan, and wip (text). A version may write a list of texts where another has objects, or one text in place of a
// list; the mission is a text, called task in files that have no mission. Names of both are read in one file. Times and
// project may be missing; "default" is no project.
func readJournal(d *Draft, root gjson.Result) error {
	f := fieldsOf(root)
	mission, subject, summary := f.extractText("mission", "task"), f.extractText("subject"), f.extractText("summary")
	progress := append(readDone(f.extract("completed")), readDone(f.extract("done"))...)
	wip := f.extractText("wip")
	for _, more := range []string{readWorkAtHand(f.extract("in_progress")), stateAndReason(f)} {
		if !strings.Contains(wip, more) {
			wip = joinNonEmpty(" — ", wip, more)
		}
	}
	plan := append(textsOf(f.extract("upcoming")), textsOf(f.extract("plan"))...)
	if mission == "" && progress == nil && wip == "" && plan == nil && summary == "" {
		return errEmpty
	}

	r := &d.Record
	r.Kind = "memento"
	r.Tags = []string{"journal"}
	d.setTitle(cmp.Or(mission, subject, "Journal "+d.From))
	d.addText("Context", mission)
	if subject != "" && subject != mission {
		d.addText("Context", "Subject: "+subject)
	}
	d.addList("Said", readQuotes(f.extract("said")))
	d.addText("Progress", summary)
	d.addList("Progress", progress)
	if wip != "" {
		d.addList("Progress", []string{"In progress: " + wip})
	}
	if failing := readFailure(f.extract("error")); failing != "" {
		d.addList("Progress", []string{"Failing: " + failing})
	}
	d.addList("Next Steps", plan)
	r.Files = textsOf(f.extract("files"))
	r.Session = f.extractText("session")
	r.Created = parseTime(f.extractText("mission_opened"))
	if closed := f.extract("mission_closed"); closed.Type == gjson.True || textOf(closed) != "" && textOf(closed) != "false" {
		r.Status = schema.Completed
		r.Updated = parseTime(textOf(closed))
	}
	for _, at := range doneTimes(root) {
		if at.After(r.Updated) {
			r.Updated = at
		}
		if r.Created.IsZero() || at.Before(r.Created) {
			r.Created = at
		}
	}
	// The project is the record's own, see journalProject; the rest is machinery.
	f.drop("project", "mission_ref", "mission_by", "summary_by", "wip_by", "plan_by", "seen", "acted", "applied")
	d.keepRest("Other Fields", f)
	return nil
}

// journalProject returns the project that a journal names, "" for none.
func journalProject(root gjson.Result) string {
	if p := textOf(root.Get("project")); p != "default" {
		return p
	}
	return ""
}

// readQuotes are the words of the user: a text, or an object with one.
func readQuotes(v gjson.Result) (out []string) {
	for _, e := range v.Array() {
		if e.IsObject() {
			e = e.Get("text")
		}
		if s := textOf(e); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// readFailure is the command that failed, and what it said.
func readFailure(v gjson.Result) string {
	if !v.IsObject() {
		return textOf(v)
	}
	return joinNonEmpty(" -> ", textOf(v.Get("cmd")), textOf(v.Get("line")))
}

// readDone are the things done: what, what came of it, and why it mattered.
func readDone(v gjson.Result) (out []string) {
	for _, e := range v.Array() {
		s := textOf(e)
		if e.IsObject() {
			f := fieldsOf(e)
			s = joinNonEmpty(" -> ", f.extractText("act", "task"), f.extractText("result"))
			if ctx := f.extractText("ctx"); ctx != "" {
				s = joinNonEmpty(" | ", s, "ctx: "+ctx)
			}
			f.drop("ts", "by", "ref", "check", "verified", "proof")
			s = joinNonEmpty(" | ", append([]string{s}, f.restAsText()...)...)
		}
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

func readWorkAtHand(v gjson.Result) string {
	if !v.IsObject() {
		return textOf(v)
	}
	f := fieldsOf(v)
	parts := []string{f.extractText("task"), f.extractText("progress"), stateAndReason(f)}
	return joinNonEmpty(" — ", append(parts, f.restAsText()...)...)
}

func stateAndReason(f *fields) string {
	return strings.Trim(f.extractText("state")+": "+f.extractText("state_reason"), ": ")
}

// doneTimes are when things were done.
func doneTimes(root gjson.Result) (out []time.Time) {
	for _, key := range []string{"completed", "done"} {
		for _, e := range root.Get(key).Array() {
			if t := parseTime(textOf(e.Get("ts"))); !t.IsZero() {
				out = append(out, t)
			}
		}
	}
	return out
}
