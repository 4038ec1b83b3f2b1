package exchange

import (
	"fmt"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/record"
)

// export reads the records of an export.
func (r *reader) export(at string, root gjson.Result, changed time.Time) {
	if v := root.Get("version"); v.Num != 1 {
		r.unread(at, fmt.Sprintf("it is an export of version %s; this memento reads version 1", v.Raw))
		return
	}
	n := 0
	root.Get("records").ForEach(func(_, v gjson.Result) bool {
		n++
		name := fmt.Sprintf("%s#%d", at, n)
		if n > maxFiles {
			r.unread(name, fmt.Sprintf("only %d records are read at a time: this one and those after it are not", maxFiles))
			return false
		}
		d := Draft{From: name, Layout: JSON}
		if err := readExported(&d, v); err != nil {
			r.unread(name, err.Error())
			return true
		}
		d.complete(changed, r.Now)
		r.out.Drafts = append(r.out.Drafts, d)
		return true
	})
}

// readExported reads one record of an export: the file in it, when there is one, else its fields with the body, or with
// the content when somebody wrote one by hand.
func readExported(d *Draft, v gjson.Result) error {
	if !v.IsObject() {
		return fmt.Errorf("it is not a JSON object")
	}
	d.own = true
	if file := v.Get("file"); file.Exists() {
		got, err := record.Decode(said(v.Get("id")), []byte(file.Str))
		if err != nil {
			return err
		}
		d.Record = *got
		d.Record.Exact = record.Sound(got.Bytes())
		if s := said(v.Get("status")); s != "" { // the place it stood in says it too
			d.Record.Status = s
		}
		return nil
	}
	r := &d.Record
	f := members(v)
	id := said(f.take("id"))
	if id != "" {
		var err error
		if r.Project, r.Slug, err = record.Split(id); err != nil {
			return err
		}
		f.take("project")
	} else {
		r.Project = said(f.take("project"))
	}
	r.Kind, r.Title, r.Status, r.State = said(f.take("kind")), said(f.take("title")), said(f.take("status")), said(f.take("state"))
	r.Session, r.Source, r.Branch = said(f.take("session")), said(f.take("source")), said(f.take("branch"))
	r.Tags, r.Files = list(f.take("tags")), list(f.take("files"))
	d.confidence(f)
	r.Created, r.Updated = when(said(f.take("created"))), when(said(f.take("updated")))
	f.take("changes").ForEach(func(_, c gjson.Result) bool {
		if c.IsObject() {
			r.Changes = append(r.Changes, record.Change{Date: said(c.Get("date")), Summary: said(c.Get("summary")), Field: said(c.Get("field")), Old: said(c.Get("old")), New: said(c.Get("new"))})
		}
		return true
	})
	kind, ok := record.KindNamed(r.Kind)
	if !ok {
		return fmt.Errorf("there is no kind %q", r.Kind)
	}
	content := members(f.take("content"))
	if body := f.take("body"); body.Type == gjson.String {
		r.Body = body.Str
	} else {
		for _, p := range kind.Sections {
			if v := content.take(p.Key()); p.List {
				d.list(p.Heading, list(v))
			} else {
				d.put(p.Heading, said(v))
			}
		}
		d.other("Other Content", content)
	}
	d.other("Other Fields", f)
	if id == "" || len(d.Notes) > 0 {
		return nil
	}
	if data, err := record.File(*r); err == nil { // the fields are all there is
		if got, err := record.Decode(id, data); err == nil && got.Problems() == nil && record.Sound(data) {
			d.Record, d.Record.Exact = *got, true
		}
	}
	return nil
}
