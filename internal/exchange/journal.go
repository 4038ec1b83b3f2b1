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
	f := members(root)
	mission, subject, summary := f.takeText("mission", "task"), f.takeText("subject"), f.takeText("summary")
	progress := append(entries(f.take("completed")), entries(f.take("done"))...)
	wip := f.takeText("wip")
	for _, more := range []string{workAtHand(f.take("in_progress")), stateAndReason(f)} {
		if !strings.Contains(wip, more) {
			wip = joined(" — ", wip, more)
		}
	}
	plan := append(list(f.take("upcoming")), list(f.take("plan"))...)
	if mission == "" && progress == nil && wip == "" && plan == nil && summary == "" {
		return errEmpty
	}

	r := &d.Record
	r.Kind = "memento"
	r.Tags = []string{"journal"}
	d.title(cmp.Or(mission, subject, "Journal "+d.From))
	d.put("Context", mission)
	if subject != "" && subject != mission {
		d.put("Context", "Subject: "+subject)
	}
	d.list("Said", quotes(f.take("said")))
	d.put("Progress", summary)
	d.list("Progress", progress)
	if wip != "" {
		d.list("Progress", []string{"In progress: " + wip})
	}
	if failing := failure(f.take("error")); failing != "" {
		d.list("Progress", []string{"Failing: " + failing})
	}
	d.list("Next Steps", plan)
	r.Files = list(f.take("files"))
	r.Session = f.takeText("session")
	r.Created = when(f.takeText("mission_opened"))
	if closed := f.take("mission_closed"); closed.Type == gjson.True || said(closed) != "" && said(closed) != "false" {
		r.Status = schema.Completed
		r.Updated = when(said(closed))
	}
	for _, at := range times(root) {
		if at.After(r.Updated) {
			r.Updated = at
		}
		if r.Created.IsZero() || at.Before(r.Created) {
			r.Created = at
		}
	}
	// The project is the record's own, see journalProject; the rest is machinery.
	f.drop("project", "mission_ref", "mission_by", "summary_by", "wip_by", "plan_by", "seen", "acted", "applied")
	d.other("Other Fields", f)
	return nil
}

// journalProject returns the project that a journal names, "" for none.
func journalProject(root gjson.Result) string {
	if p := said(root.Get("project")); p != "default" {
		return p
	}
	return ""
}

// quotes are the words of the user: a text, or an object with one.
func quotes(v gjson.Result) (out []string) {
	for _, e := range v.Array() {
		if e.IsObject() {
			e = e.Get("text")
		}
		if s := said(e); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// failure is the command that failed, and what it said.
func failure(v gjson.Result) string {
	if !v.IsObject() {
		return said(v)
	}
	return joined(" -> ", said(v.Get("cmd")), said(v.Get("line")))
}

// entries are the things done: what, what came of it, and why it mattered.
func entries(v gjson.Result) (out []string) {
	for _, e := range v.Array() {
		s := said(e)
		if e.IsObject() {
			f := members(e)
			s = joined(" -> ", f.takeText("act", "task"), f.takeText("result"))
			if ctx := f.takeText("ctx"); ctx != "" {
				s = joined(" | ", s, "ctx: "+ctx)
			}
			f.drop("ts", "by", "ref", "check", "verified", "proof")
			s = joined(" | ", append([]string{s}, f.words()...)...)
		}
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

func workAtHand(v gjson.Result) string {
	if !v.IsObject() {
		return said(v)
	}
	f := members(v)
	parts := []string{f.takeText("task"), f.takeText("progress"), stateAndReason(f)}
	return joined(" — ", append(parts, f.words()...)...)
}

func stateAndReason(f *fields) string {
	return strings.Trim(f.takeText("state")+": "+f.takeText("state_reason"), ": ")
}

// times are when things were done.
func times(root gjson.Result) (out []time.Time) {
	for _, key := range []string{"completed", "done"} {
		for _, e := range root.Get(key).Array() {
			if t := when(said(e.Get("ts"))); !t.IsZero() {
				out = append(out, t)
			}
		}
	}
	return out
}
