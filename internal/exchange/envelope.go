package exchange

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/record"
)

// envelopes are the categories of files with meta and content, and where their content goes.
func envelopes() []category {
	return []category{
		{name: "context", folder: "context", kind: "context", content: []mapping{{"pending", "Pending"}, {"decisions", "Decisions"}, {"notes", "Notes"}}},
		{name: "handoffs", folder: "handoffs", kind: "handoff", content: []mapping{{"task", "Task"}, {"progress", "Progress"}, {"completed", "Completed"}, {"pending", "Pending"},
			{"blockers", "Blockers"}, {"next_steps", "Next Steps"}, {"context_references", "References"}}},
	}
}

// readEnvelope reads a file with meta and content. folder is the one it stands in.
func readEnvelope(d *Draft, folder string, root gjson.Result) error {
	f := members(root)
	meta := members(f.take("meta"))
	content := f.take("content")
	if len(meta.keys) == 0 || !content.IsObject() {
		return errors.New("it has no meta, or no content")
	}
	name := said(meta.take("category"))
	var c category
	for _, e := range envelopes() {
		if e.name == name || name == "" && e.folder == folder {
			c = e
		}
	}
	if c.kind == "" {
		return fmt.Errorf("there is no category %q", name)
	}
	r := &d.Record
	r.Kind = c.kind
	file := strings.TrimSuffix(path.Base(d.From), path.Ext(d.From))
	title := said(meta.take("summary"))
	if title == "" {
		title = strings.ReplaceAll(file, "-", " ")
	}
	d.title(title)
	if record.CheckSlug(file) == nil { // {date}-{summary} or {task-id}: what others refer to
		r.Slug = file
	}
	r.Created = when(said(meta.take("created")))
	r.Session = said(meta.take("session_id"))
	d.content(c, content)
	for _, k := range meta.keys {
		if v, ok := meta.values[k]; ok {
			f.values[k] = v
			f.keys = append(f.keys, k)
		}
	}
	d.other("Other Fields", f)
	return nil
}
