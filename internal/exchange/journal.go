package exchange

import (
	"cmp"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/schema"
)

// readJournal reads a journal: one JSON object with the mission in hand. Versions up to 0.1 call the work done
// completed (each entry with task, result, ctx, ts), the plan upcoming, and the work in hand in_progress (an object
// with task and progress, or text), with state and state_reason beside it. Version 0.2 and later call them done (with
// act), plan and wip. A list may hold texts or objects; one text may stand for a list. The mission is a text, called
// task in files without mission. One file may use both sets of names. Times and the project may be missing; the project
// "default" is none.
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
	if closed := textOf(f.extract("mission_closed")); closed != "" && closed != "false" {
		r.Status = schema.Completed
		r.Updated = parseTime(closed)
	}
	for _, at := range doneTimes(root) {
		if at.After(r.Updated) {
			r.Updated = at
		}
		if r.Created.IsZero() || at.Before(r.Created) {
			r.Created = at
		}
	}
	// journalProject has read the project. The record needs none of the others.
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

// readQuotes returns the user's words: texts, or objects with a text.
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

// readFailure returns the command that failed and its output.
func readFailure(v gjson.Result) string {
	if !v.IsObject() {
		return textOf(v)
	}
	return joinNonEmpty(" -> ", textOf(v.Get("cmd")), textOf(v.Get("line")))
}

// readDone returns the work done: each act with its result and context.
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

// doneTimes returns the times of the work done.
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
