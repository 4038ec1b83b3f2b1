package exchange

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/record"
)

// readJournal reads a user's journal: one JSON object of the mission in hand. What is assumed of its versions: up to 0.1 the
// work done is in completed (each with task, result, ctx, ts), the plan in upcoming, the work at hand in in_progress (task and
// progress, or text) with state and state_reason beside it; from 0.2 on these are done (with act), plan, and wip (text). A version
// may write a list of texts where another has objects, or one text in place of a list; the mission is a text, called task in
// files that have no mission. Names of both are read in one file. Times and project may be missing; "default" is no project.
func readJournal(d *Draft, root gjson.Result) error {
	f := members(root)
	mission := said(f.take("mission", "task"))
	progress := entries(f.take("completed"))
	progress = append(progress, entries(f.take("done"))...)
	wip := said(f.take("wip"))
	if working := inProgress(f.take("in_progress")); working != "" && !strings.Contains(wip, working) {
		wip = strings.TrimPrefix(wip+" — "+working, " — ")
	}
	state, reason := said(f.take("state")), said(f.take("state_reason"))
	if state = strings.TrimSuffix(state+": "+reason, ": "); strings.Trim(state, ": ") != "" && !strings.Contains(wip, state) {
		wip = strings.TrimPrefix(wip+" — "+state, " — ")
	}
	plan := list(f.take("upcoming"))
	plan = append(plan, list(f.take("plan"))...)
	summary := said(f.take("summary"))
	if mission == "" && progress == nil && wip == "" && plan == nil && summary == "" {
		return errEmpty
	}

	r := &d.Record
	r.Kind = "memento"
	r.Tags = []string{"journal"}
	subject := said(f.take("subject"))
	switch {
	case mission != "":
		d.title(mission)
	case subject != "":
		d.title(subject)
	default:
		d.title("Journal " + d.From)
	}
	d.put("Context", mission)
	if subject != "" && subject != mission {
		d.put("Context", "Subject: "+subject)
	}
	d.said(f)
	d.put("Progress", summary)
	d.list("Progress", progress)
	if wip != "" {
		d.list("Progress", []string{"In progress: " + wip})
	}
	if e := f.take("error"); said(e) != "" {
		d.list("Progress", []string{"Failing: " + strings.Trim(said(e.Get("cmd"))+" -> "+said(e.Get("line")), "-> ")})
		if !e.IsObject() {
			d.list("Progress", []string{"Failing: " + said(e)})
		}
	}
	d.list("Next Steps", plan)
	r.Files = list(f.take("files"))
	r.Session = said(f.take("session"))
	r.Created = when(said(f.take("mission_opened")))
	closed := f.take("mission_closed")
	if closed.Type == gjson.True || said(closed) != "" && said(closed) != "false" {
		r.Status = record.Completed
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
	f.take("project") // the record's own, see journalProject
	for _, machinery := range []string{"mission_ref", "mission_by", "summary_by", "wip_by", "plan_by", "seen", "acted", "applied"} {
		f.take(machinery)
	}
	d.other("Other Fields", f)
	return nil
}

// said keeps the words of the user that the journal quotes.
func (d *Draft) said(f *fields) {
	v := f.take("said")
	var quotes []string
	v.ForEach(func(_, e gjson.Result) bool {
		s := said(e)
		if e.IsObject() {
			s = said(e.Get("text"))
		}
		if s != "" {
			quotes = append(quotes, s)
		}
		return v.IsArray()
	})
	d.list("Said", quotes)
}

// journalProject returns the project that a journal names, "" for none.
func journalProject(root gjson.Result) string {
	if p := said(root.Get("project")); p != "default" {
		return p
	}
	return ""
}

// entries are the things done: what, what came of it, and why it mattered.
func entries(v gjson.Result) (out []string) {
	one := func(e gjson.Result) {
		if !e.IsObject() {
			if s := said(e); s != "" {
				out = append(out, s)
			}
			return
		}
		f := members(e)
		s := said(f.take("act", "task"))
		if result := said(f.take("result")); result != "" {
			s = strings.TrimPrefix(s+" -> "+result, " -> ")
		}
		if ctx := said(f.take("ctx")); ctx != "" {
			s += " | ctx: " + ctx
		}
		for _, machinery := range []string{"ts", "by", "ref", "check", "verified", "proof"} {
			f.take(machinery)
		}
		for _, k := range f.keys {
			if v, ok := f.values[k]; ok && said(v) != "" {
				s += " | " + k + ": " + said(v)
			}
		}
		if s = strings.TrimPrefix(s, " | "); s != "" {
			out = append(out, s)
		}
	}
	if !v.IsArray() {
		one(v)
		return out
	}
	v.ForEach(func(_, e gjson.Result) bool { one(e); return true })
	return out
}

func inProgress(v gjson.Result) string {
	if !v.IsObject() {
		return said(v)
	}
	f := members(v)
	parts := []string{}
	for _, s := range []string{said(f.take("task")), said(f.take("progress")), strings.Trim(said(f.take("state"))+": "+said(f.take("state_reason")), ": ")} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	for _, k := range f.keys {
		if v, ok := f.values[k]; ok && said(v) != "" {
			parts = append(parts, k+": "+said(v))
		}
	}
	return strings.Join(parts, " — ")
}

// times are when things were done.
func times(root gjson.Result) (out []time.Time) {
	for _, key := range []string{"completed", "done"} {
		root.Get(key).ForEach(func(_, e gjson.Result) bool {
			if t := when(said(e.Get("ts"))); !t.IsZero() {
				out = append(out, t)
			}
			return true
		})
	}
	return out
}
