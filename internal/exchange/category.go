package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/record"
)

// mapping is how a member of theirs becomes a section of ours.
type mapping struct{ theirs, ours string }

// category is a kind of theirs: which of ours it is, and where its content goes.
type category struct {
	name, folder, kind string
	state              string // the member that is our state
	content            []mapping
}

// categories are a table in a function, so that no hook pays for it.
func categories() []category {
	m := func(pairs ...string) (out []mapping) {
		for i := 0; i+1 < len(pairs); i += 2 {
			out = append(out, mapping{pairs[i], pairs[i+1]})
		}
		return out
	}
	return []category{
		{"session_summary", "sessions", "session", "", m("goal", "Goal", "outcome", "Outcome", "completed", "Completed", "in_progress", "In Progress", "blockers", "Blockers",
			"next_actions", "Next Actions", "key_changes", "Key Changes")},
		{"decision", "decisions", "decision", "status", m("context", "Context", "decision", "Decision", "alternatives", "Alternatives", "rationale", "Rationale", "consequences", "Consequences")},
		{"runbook", "runbooks", "runbook", "", m("trigger", "Trigger", "symptoms", "Symptoms", "steps", "Steps", "verification", "Verification", "root_cause", "Root Cause", "environment", "Environment")},
		{"constraint", "constraints", "constraint", "", m("kind", "Kind", "rule", "Rule", "impact", "Impact", "workarounds", "Workarounds", "severity", "Severity", "expires", "Expires")},
		{"tech_debt", "tech-debt", "debt", "status", m("description", "Description", "priority", "Priority", "reason_deferred", "Why Deferred", "impact", "Impact", "suggested_fix", "Suggested Fix",
			"acceptance_criteria", "Acceptance")},
		{"preference", "preferences", "preference", "", m("topic", "Topic", "value", "Value", "reason", "Reason", "strength", "Strength")},
	}
}

// readCategory reads a file with the common fields and a category's content. folder is the one it stands in: it says the
// category when the file does not.
func readCategory(d *Draft, folder string, root gjson.Result) error {
	f := members(root)
	name := said(f.take("category"))
	all := categories()
	i := slices.IndexFunc(all, func(c category) bool { return c.name == name || name == "" && c.folder == folder })
	if i < 0 {
		if name == "" {
			return errors.New("it has no category")
		}
		return fmt.Errorf("there is no category %q", name)
	}
	c := all[i]
	r := &d.Record
	r.Kind = c.kind
	content := f.take("content")
	if !content.IsObject() {
		return errors.New("it has no content")
	}

	id := said(f.take("id"))
	title := said(f.take("title"))
	if title == "" {
		title = strings.ReplaceAll(id, "-", " ")
	}
	if strings.TrimSpace(title) == "" {
		return errors.New("it has neither title nor id")
	}
	if record.CheckSlug(id) == nil {
		r.Slug = id
	} else if id != "" {
		note(d, "its id %q is no name here: it is named after its title", id)
	}
	d.title(title)
	r.Created, r.Updated = when(said(f.take("created_at"))), when(said(f.take("updated_at")))
	for _, t := range list(f.take("tags")) {
		d.tag(t)
	}
	r.Files = list(f.take("related_files"))
	d.confidence(f)
	d.content(c, content)
	d.lifecycle(f)
	f.take("schema_version") // the schema is ours, and changes are counted
	f.take("times_updated")
	d.other("Other Fields", f)
	return nil
}

func (d *Draft) confidence(f *fields) {
	v := f.take("confidence")
	switch {
	case !v.Exists() || v.Type == gjson.Null:
	case v.Type == gjson.Number && v.Num >= 0 && v.Num <= 1:
		d.Record.Confidence = v.Raw
	default:
		f.values["confidence"] = v
	}
}

// content puts the content of a category into our sections.
func (d *Draft) content(c category, content gjson.Result) {
	f := members(content)
	kind, _ := record.KindNamed(c.kind)
	if c.state != "" {
		d.state(said(f.take(c.state)))
	}
	for _, m := range c.content {
		v := f.take(m.theirs)
		part, _ := kind.Part(m.ours)
		switch word := strings.ToLower(strings.TrimSpace(said(v))); {
		case m.theirs == "alternatives" && v.IsArray():
			d.list(m.ours, alternatives(v))
		case part.List:
			d.list(m.ours, list(v))
		case part.Values != nil && word != "" && !slices.Contains(part.Values, word):
			f.values[m.theirs] = v // no value of ours: it stays as it is
		case part.Values != nil:
			d.put(m.ours, word)
		default:
			d.put(m.ours, said(v))
		}
	}
	switch c.kind {
	case "constraint":
		switch v := f.take("active"); v.Type {
		case gjson.True:
			d.Record.State = "active"
		case gjson.False:
			d.Record.State = "lifted"
		default:
			if v.Exists() {
				f.values["active"] = v
			}
		}
	case "preference":
		e := members(f.take("examples"))
		d.list("Prefer", list(e.take("prefer")))
		d.list("Avoid", list(e.take("avoid")))
		d.other("Other Examples", e)
	}
	d.other("Other Content", f)
}

// alternatives are options, each with why it was rejected.
func alternatives(v gjson.Result) (out []string) {
	v.ForEach(func(_, e gjson.Result) bool {
		if !e.IsObject() {
			out = append(out, said(e))
			return true
		}
		f := members(e)
		s := said(f.take("option"))
		if why := said(f.take("rejected_reason")); why != "" {
			s = strings.TrimPrefix(s+": "+why, ": ")
		}
		for _, k := range f.keys {
			if v, ok := f.values[k]; ok && said(v) != "" {
				s = strings.TrimPrefix(s+"; "+k+": "+said(v), "; ")
			}
		}
		out = append(out, s)
		return true
	})
	return out
}

// lifecycle takes over a record's status and history.
func (d *Draft) lifecycle(f *fields) {
	r := &d.Record
	status := said(f.take("record_status"))
	switch status {
	case "", record.Active:
		r.Status = record.Active
	case record.Retired, record.Archived:
		r.Status = status
	default:
		note(d, "%q is no status: it is taken for active", status)
		r.Status = record.Active
		d.put("Status", status)
	}
	changes := f.take("changes")
	if !changes.IsArray() && said(changes) != "" {
		f.values["changes"] = changes
	}
	dropped := 0
	changes.ForEach(func(_, e gjson.Result) bool {
		if !changes.IsArray() {
			return false
		}
		c := record.Change{Date: said(e.Get("date")), Summary: said(e.Get("summary")), Field: said(e.Get("field")), Old: said(e.Get("old_value")), New: said(e.Get("new_value"))}
		if !e.IsObject() {
			c.Summary = said(e)
		}
		if r.Changes = append(r.Changes, c); len(r.Changes) > record.MaxChanges {
			r.Changes = r.Changes[1:]
			dropped++
		}
		return true
	})
	if dropped > 0 {
		note(d, "of its changes the newest %d are kept, %d are not", record.MaxChanges, dropped)
	}
	for _, s := range []string{record.Retired, record.Archived} {
		at, why := said(f.take(s+"_at")), said(f.take(s+"_reason"))
		if at == "" && why == "" {
			continue
		}
		if why == "" {
			why = s
		}
		c := record.Change{Date: at, Summary: why}
		if s == r.Status {
			c.Field, c.Old, c.New = "status", record.Active, s
		}
		if len(r.Changes) == record.MaxChanges {
			r.Changes = r.Changes[1:]
			note(d, "its oldest change made room for why it was %s", s)
		}
		r.Changes = append(r.Changes, c)
	}
}

// readSettings lists which of their settings have one of ours.
func readSettings(root gjson.Result) (out []Left) {
	add := func(theirs, ours string) {
		if v := root.Get(theirs); v.Exists() && v.Type != gjson.JSON && len(v.Raw) < 500 {
			out = append(out, Left{theirs + " = " + v.Raw, ours + " " + v.Raw})
		}
	}
	for _, c := range categories() {
		for _, m := range []mapping{{"enabled", "enabled"}, {"auto_capture", "auto_capture"}, {"retention_days", "retention_days"}, {"max_retained", "max"}, {"description", "description"}} {
			add("categories."+c.name+"."+m.theirs, "memento config kinds."+c.kind+"."+m.ours)
		}
		add("triage.thresholds."+c.name, "memento config kinds."+c.kind+".threshold")
	}
	add("retrieval.max_inject", "memento config max_inject")
	add("delete.grace_period_days", "memento config grace_days")
	add("delete.archive_retired", "memento config archive_retired")
	return out
}
