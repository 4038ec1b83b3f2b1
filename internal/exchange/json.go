package exchange

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
)

// readJSON makes drafts of a JSON file, by the layout that its members show. d has the kind of its folder, if any.
func (r *reader) readJSON(d Draft, content string) ([]Draft, error) {
	if jsonx.TooDeep(content, maxDepth) >= 0 {
		return nil, errors.New("its JSON is nested too deep")
	}
	root := gjson.Parse(content)
	if !gjson.Valid(content) || !root.IsObject() {
		return nil, errors.New("it is no valid JSON object")
	}
	switch {
	case root.Get("records").IsArray():
		return r.readExport(d.From, root)
	case root.Get("content").IsObject():
		return []Draft{d}, readDocument(&d, root)
	case d.Record.Kind == "" && (root.Get("mission").Exists() || root.Get("summary").Exists()):
		return []Draft{d}, readJournal(&d, root)
	}
	return nil, errors.New("no JSON that memento knows: it takes journals, its own exports, and objects with content " +
		"and either meta or a category")
}

// readDocument reads a record of a category: JSON with a content, and with common fields beside it or in meta.
func readDocument(d *Draft, root gjson.Result) error {
	if category := cmp.Or(root.Get("meta.category").String(), root.Get("category").String()); category != "" {
		d.Record.Kind = categories[category]
	}
	if d.Record.Kind == "" {
		return errors.New("there is no such category")
	}
	id := root.Get("id").String()
	if root.Get("meta").IsObject() { // other envelopes refer to the file's name
		id = stem(d.From)
	}
	if naming.CheckSlug(id) == nil {
		d.Record.Slug = id
	}
	d.readLifecycle(root)
	d.fill(membersOf(root))
	d.setTitle(strings.ReplaceAll(cmp.Or(id, stem(d.From)), "-", " "))
	return nil
}

// membersOf returns the values of an object, and in place of the objects that hold more of them their values.
func membersOf(v gjson.Result) (out []value) {
	v.ForEach(func(key, v gjson.Result) bool {
		switch name := key.String(); name {
		case "id", "category", "schema_version", "times_updated", "record_status", "changes",
			"retired_at", "retired_reason", "archived_at", "archived_reason":
		case "meta", "content", "examples":
			if v.IsObject() {
				out = append(out, membersOf(v)...)
				break
			}
			fallthrough
		default:
			out = append(out, value{name, v})
		}
		return true
	})
	return out
}

// readLifecycle sets the record's status and history.
func (d *Draft) readLifecycle(root gjson.Result) {
	r := &d.Record
	r.Status = root.Get("record_status").String()
	for _, e := range root.Get("changes").Array() {
		member := func(name string) string { return textOf(e.Get(name)) }
		r.Changes = append(r.Changes, record.Change{Date: member("date"), Summary: member("summary"),
			Field: member("field"), Old: member("old_value"), New: member("new_value")})
	}
	for _, s := range []string{schema.Retired, schema.Archived} {
		if at, why := root.Get(s+"_at").String(), root.Get(s+"_reason").String(); at != "" || why != "" {
			r.Changes = append(r.Changes, record.Change{Date: at, Summary: cmp.Or(why, s), Field: "status",
				Old: schema.Active, New: s})
		}
	}
	r.Changes = r.Changes[max(0, len(r.Changes)-schema.MaxChanges):]
}

// readJournal reads a journal: one JSON object with the mission in hand, by the names of any version. It names what is
// not finished (wip, in_progress, state) under Other, so that nobody takes it for done.
func readJournal(d *Draft, root gjson.Result) error {
	if textOf(root.Get("mission"))+textOf(root.Get("summary")) == "" {
		return errEmpty
	}
	if key := root.Get("project").String(); key != "" && key != "default" {
		d.Record.Project = naming.Project(key)
	}
	d.Record.Kind, d.Record.Tags = "memento", []string{"journal"}
	d.setTitle(cmp.Or(root.Get("mission").String(), root.Get("summary").String()))
	d.Record.Slug = naming.Slug(d.Record.Title)
	if root.Get("mission_closed").String() != "" && root.Get("mission_closed").Type != gjson.False {
		d.Record.Status = schema.Completed
	}
	d.fill(slices.DeleteFunc(membersOf(root), func(v value) bool { return v.name == "project" }))
	return nil
}

// readExport makes a draft of each record of an export of memento's. It lists a record that it cannot read.
func (r *reader) readExport(at string, root gjson.Result) (out []Draft, err error) {
	if v := root.Get("version"); v.Num != 1 {
		return nil, fmt.Errorf("it is an export of version %s; this memento reads version 1", cmp.Or(v.Raw, "none"))
	}
	for i, v := range root.Get("records").Array() {
		d := Draft{From: fmt.Sprintf("%s#%d", at, i+1), own: true}
		got, err := record.Decode(v.Get("id").String(), []byte(v.Get("file").String()))
		if err != nil {
			r.noteUnread(d.From, err)
			continue
		}
		d.Record = *got
		d.Record.Status = cmp.Or(v.Get("status").String(), got.Status) // the file's folder counts for the status too
		out = append(out, d)
	}
	return out, nil
}
