package exchange

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
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

// lacks says which of the objects that such a file has are missing here, or are something else.
func lacks(what string, root gjson.Result, names ...string) error {
	var gone []string
	for _, name := range names {
		switch v := root.Get(name); {
		case !v.Exists():
			gone = append(gone, strconv.Quote(name))
		case !v.IsObject():
			return fmt.Errorf("%s: %q is no object", what, name)
		case len(members(v).keys) == 0 && name == "meta":
			return fmt.Errorf("%s: %q is empty", what, name)
		}
	}
	if gone == nil { // said twice, and differently
		return errors.New(what)
	}
	are := "is"
	if len(gone) > 1 {
		are = "are"
	}
	return fmt.Errorf("%s: %s %s missing", what, strings.Join(gone, " and "), are)
}

// unknown says of a JSON file of no layout what it lacks to be of the one that it looks like, or that its folder is for.
func unknown(folder string, root gjson.Result) error {
	of := func(all []category) bool {
		return slices.ContainsFunc(all, func(c category) bool { return c.folder == folder })
	}
	switch {
	case root.Get("meta").Exists(), of(envelopes()):
		return lacks("an envelope has meta and content", root, "meta", "content")
	case of(categories()):
		what := "a record of " + folder + "/ has category, title and content"
		if root.Get("content").IsObject() {
			return errors.New(what + `: "title" is missing`)
		}
		return lacks(what, root, "content")
	}
	return errors.New("no part of a layout that memento knows")
}

// readEnvelope reads a file with meta and content. folder is the one it stands in.
func readEnvelope(d *Draft, folder string, root gjson.Result) error {
	f := members(root)
	meta := members(f.take("meta"))
	content := f.take("content")
	if len(meta.keys) == 0 || !content.IsObject() {
		return lacks("an envelope has meta and content", root, "meta", "content")
	}
	name := said(meta.take("category"))
	var c category
	for _, e := range envelopes() {
		if e.name == name || name == "" && e.folder == folder {
			c = e
		}
	}
	if c.kind == "" && name == "" {
		return errors.New(`its meta has no "category": context or handoffs`)
	}
	if c.kind == "" {
		return fmt.Errorf("there is no category %q: context and handoffs are", name)
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
