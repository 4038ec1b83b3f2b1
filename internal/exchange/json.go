package exchange

import (
	"cmp"
	"errors"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
)

// readDocument reads a record of JSON: an object with a content, and with common fields beside it or in meta.
func readDocument(d *Draft, file string) error {
	if jsonx.TooDeep(file, maxDepth) >= 0 {
		return errors.New("its JSON is nested too deep")
	}
	root := gjson.Parse(file)
	if !gjson.Valid(file) || !root.Get("content").IsObject() {
		return errors.New("it is no JSON object with a content")
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
