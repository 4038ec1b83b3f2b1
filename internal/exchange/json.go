package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// parseObject reads data that holds one JSON object.
func parseObject(data []byte) (gjson.Result, error) {
	if jsonx.TooDeep(data, maxDepth) >= 0 {
		return gjson.Result{}, errors.New("its JSON is nested too deep")
	}
	if !gjson.ValidBytes(data) {
		return gjson.Result{}, errors.New("it is not valid JSON")
	}
	root := gjson.ParseBytes(data)
	if !root.IsObject() {
		return root, errors.New("it is not a JSON object")
	}
	return root, nil
}

// fields are named values. Readers extract them one by one; the rest stays in the record's body.
type fields struct {
	keys   []string // in the order of the file
	values map[string]gjson.Result
}

// fieldsOf returns the members of an object. If a key is there twice, the last value counts, as for the program that
// wrote it.
func fieldsOf(v gjson.Result) *fields {
	f := &fields{values: map[string]gjson.Result{}}
	if v.IsObject() {
		v.ForEach(func(k, v gjson.Result) bool {
			f.add(k.String(), v)
			return true
		})
	}
	return f
}

// add sets a field, or puts back one that was extracted. A value that does not exist sets nothing.
func (f *fields) add(key string, v gjson.Result) {
	if !v.Exists() {
		return
	}
	if !slices.Contains(f.keys, key) {
		f.keys = append(f.keys, key)
	}
	f.values[key] = v
}

// extract returns the value of a field and removes the field.
func (f *fields) extract(name string) gjson.Result {
	v := f.values[name]
	delete(f.values, name)
	return v
}

// extractText extracts the first of these fields that has text, and the empty ones before it.
func (f *fields) extractText(names ...string) string {
	for _, name := range names {
		if s := textOf(f.extract(name)); s != "" {
			return s
		}
	}
	return ""
}

// drop removes fields that a record does not need.
func (f *fields) drop(names ...string) {
	for _, name := range names {
		delete(f.values, name)
	}
}

// rest yields the fields that no reader has extracted and that have text.
func (f *fields) rest() iter.Seq2[string, string] {
	return func(yield func(key, s string) bool) {
		for _, k := range f.keys {
			if s := textOf(f.values[k]); s != "" && !yield(k, s) {
				return
			}
		}
	}
}

// restAsText returns the rest as "key: text" items.
func (f *fields) restAsText() (out []string) {
	for key, s := range f.rest() {
		out = append(out, key+": "+s)
	}
	return out
}

// restAsJSON returns the rest as indented JSON.
func (f *fields) restAsJSON() string {
	out := []byte("{")
	for key := range f.rest() {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(gjson.AppendJSONString(out, key), ':'), f.values[key].Raw...)
	}
	out = append(out, '}')
	var indented bytes.Buffer
	if json.Indent(&indented, out, "", "  ") != nil {
		return string(out)
	}
	return indented.String()
}

// textOf returns a value as text: a string as it is, an object or a list as the text of its values, and "" for null and
// for blank text.
func textOf(v gjson.Result) string {
	switch {
	case v.Type == gjson.Null, v.Type == gjson.String && strings.TrimSpace(v.Str) == "":
		return ""
	case v.Type == gjson.String:
		return v.Str
	case v.IsArray():
		return strings.Join(textsOf(v), "; ")
	case v.IsObject():
		return strings.Join(fieldsOf(v).restAsText(), "; ")
	}
	return v.Raw
}

// textsOf returns the text of each item of a list, without empty ones. Any other value is a list of one item.
func textsOf(v gjson.Result) (out []string) {
	all := []gjson.Result{v}
	if v.IsArray() {
		all = v.Array()
	}
	for _, e := range all {
		if s := textOf(e); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// joinNonEmpty joins the parts that are not empty.
func joinNonEmpty(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

// fenced returns s as a fenced code block.
func fenced(info, s string) string { return text.Fenced(info, strings.TrimRight(s, "\n")) }

// stem is a file's name without its ending.
func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// detectJSON returns the layout of a JSON file, by its members. folder is the memory's folder of the file, "" for none.
func detectJSON(folder string, root gjson.Result) string {
	has := func(names ...string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return root.Get(name).Exists() })
	}
	switch {
	case root.Get("records").IsArray() && has("version"):
		return JSON
	case root.Get("meta").IsObject() && has("content"):
		return Envelopes
	case root.Get("content").IsObject() && (has("category", "schema_version") || folder != "" && has("title", "id")):
		return Categories
	case folder == "" && has("mission", "done", "completed", "in_progress", "wip", "upcoming", "plan"):
		return Journal
	}
	return ""
}

// readCategory reads a file with common fields and a category's content.
func readCategory(d *Draft, folder string, root gjson.Result) error {
	f := fieldsOf(root)
	name := f.extractText("category")
	c, ok := shapeOf(Categories, name, folder)
	content := f.extract("content")
	id := f.extractText("id")
	title := cmp.Or(f.extractText("title"), strings.ReplaceAll(id, "-", " "))
	switch {
	case !ok && name == "":
		return errors.New("it has no category")
	case !ok:
		return fmt.Errorf("there is no category %q", name)
	case !content.IsObject():
		return errors.New("it has no content")
	case strings.TrimSpace(title) == "":
		return errors.New("it has neither title nor id")
	}
	d.Record.Kind = c.kind
	if naming.CheckSlug(id) == nil {
		d.Record.Slug = id
	} else if id != "" {
		d.addNote("its id %q is not valid here; the record is named after its title", id)
	}
	d.setTitle(title)
	d.setFields(f, c.fields)
	d.setContent(c, content)
	d.setLifecycle(f)
	d.keepRest("Other Fields", f)
	return nil
}

// readEnvelope reads a file with meta and content.
func readEnvelope(d *Draft, folder string, root gjson.Result) error {
	f := fieldsOf(root)
	meta, content := fieldsOf(f.extract("meta")), f.extract("content")
	if len(meta.keys) == 0 || !content.IsObject() {
		return errNoEnvelope
	}
	name := meta.extractText("category")
	c, ok := shapeOf(Envelopes, name, folder)
	switch {
	case !ok && name == "":
		return errors.New(`its meta has no "category": context or handoffs`)
	case !ok:
		return fmt.Errorf("there is no category %q: context and handoffs are", name)
	}
	d.Record.Kind = c.kind
	file := stem(d.From)
	d.setTitle(cmp.Or(meta.extractText("summary"), strings.ReplaceAll(file, "-", " ")))
	if naming.CheckSlug(file) == nil { // {date}-{summary} or {task-id}: other files refer to this name
		d.Record.Slug = file
	}
	d.setFields(meta, c.fields)
	d.setContent(c, content)
	for key := range meta.rest() {
		f.add(key, meta.values[key])
	}
	d.keepRest("Other Fields", f)
	return nil
}

// errNoEnvelope: the file is no envelope.
var errNoEnvelope = errors.New("an envelope has meta and content, and both are JSON objects")

// explainUnknown says what a JSON file of no layout lacks, by the folder it is in.
func explainUnknown(folder string, root gjson.Result) error {
	switch {
	case root.Get("meta").Exists(), holds(folder, Envelopes):
		return errNoEnvelope
	case holds(folder, Categories):
		return fmt.Errorf("a record of %s/ has category, title and content, and content is a JSON object", folder)
	}
	return errors.New("no part of a layout that memento knows")
}

// setContent moves the content of a JSON file into the sections of the draft's kind.
func (d *Draft) setContent(c shape, v gjson.Result) {
	f, kind := fieldsOf(v), d.kind()
	examples := fieldsOf(gjson.Result{})
	switch {
	case c.kind == "constraint":
		d.setActive(f)
	case c.kind == "preference" && f.values["examples"].IsObject():
		examples = fieldsOf(f.extract("examples"))
		f.add("prefer", examples.extract("prefer"))
		f.add("avoid", examples.extract("avoid"))
	case c.kind != "" && kind.Stages != nil:
		d.setStage(f.extractText("status"))
	}
	for _, part := range kind.Sections {
		name := c.member(part)
		if v := f.extract(name); !d.setSection(part.Heading, v) {
			f.add(name, v)
		}
	}
	d.keepRest("Other Examples", examples)
	d.keepRest("Other Content", f)
}

// setActive sets the stage of a constraint, which the layout writes as true or false.
func (d *Draft) setActive(f *fields) {
	switch v := f.extract("active"); v.Type {
	case gjson.True:
		d.Record.Stage = "active"
	case gjson.False:
		d.Record.Stage = "lifted"
	default:
		f.add("active", v)
	}
}

// readAlternatives returns each option with the reason why it was rejected.
func readAlternatives(v gjson.Result) (out []string) {
	for _, e := range v.Array() {
		if !e.IsObject() {
			out = append(out, textOf(e))
			continue
		}
		f := fieldsOf(e)
		s := joinNonEmpty(": ", f.extractText("option"), f.extractText("rejected_reason"))
		out = append(out, joinNonEmpty("; ", append([]string{s}, f.restAsText()...)...))
	}
	return out
}

// setLifecycle sets the record's status and changes.
func (d *Draft) setLifecycle(f *fields) {
	r := &d.Record
	r.Status = schema.Active
	switch status := f.extractText("record_status"); status {
	case "", schema.Active:
	case schema.Retired, schema.Archived:
		r.Status = status
	default:
		d.addNote("%q is no status; the record is active", status)
		d.addText("Status", status)
	}
	if changes := f.extract("changes"); changes.IsArray() {
		r.Changes = readChanges(changes, "old_value", "new_value")
	} else {
		f.add("changes", changes)
	}
	if over := len(r.Changes) - schema.MaxChanges; over > 0 {
		r.Changes = r.Changes[over:]
		d.addNote("of its changes the newest %d are kept, %d are not", schema.MaxChanges, over)
	}
	for _, s := range []string{schema.Retired, schema.Archived} {
		at, why := f.extractText(s+"_at"), f.extractText(s+"_reason")
		if at == "" && why == "" {
			continue
		}
		c := record.Change{Date: at, Summary: cmp.Or(why, s)}
		if s == r.Status {
			c.Field, c.Old, c.New = "status", schema.Active, s
		}
		if len(r.Changes) == schema.MaxChanges {
			r.Changes = r.Changes[1:]
			d.addNote("its oldest change is left out, in favour of the reason why it was %s", s)
		}
		r.Changes = append(r.Changes, c)
	}
}

// readChanges reads the entries of a history. old and new are its names for the two values.
func readChanges(v gjson.Result, old, new string) (out []record.Change) {
	for _, e := range v.Array() {
		c := record.Change{Summary: textOf(e)}
		if e.IsObject() {
			member := func(name string) string { return textOf(e.Get(name)) }
			c = record.Change{Date: member("date"), Summary: member("summary"), Field: member("field"),
				Old: member(old), New: member(new)}
		}
		out = append(out, c)
	}
	return out
}

// readExport makes a draft of each record of an export. It passes a record that it cannot read to unread.
func readExport(at string, root gjson.Result, unread func(name, why string)) (out []Draft, err error) {
	if v := root.Get("version"); v.Num != 1 {
		return nil, fmt.Errorf("it is an export of version %s; this memento reads version 1", v.Raw)
	}
	for i, v := range root.Get("records").Array() {
		d := Draft{From: fmt.Sprintf("%s#%d", at, i+1), Layout: JSON}
		if i == maxFiles {
			unread(d.From, fmt.Sprintf("only %d records are read at a time: this one and those after it are not",
				maxFiles))
			break
		}
		if err := readExported(&d, v); err != nil {
			unread(d.From, err.Error())
			continue
		}
		out = append(out, d)
	}
	return out, nil
}

// readExported reads one record of an export: from the file in it, or else from its fields and its body. An export that
// a person wrote may have content in place of a body.
func readExported(d *Draft, v gjson.Result) error {
	if !v.IsObject() {
		return errors.New("it is not a JSON object")
	}
	d.own = true
	f := fieldsOf(v)
	id := f.extractText("id")
	if file := v.Get("file"); file.Exists() {
		got, err := record.Decode(id, []byte(file.Str))
		if err != nil {
			return err
		}
		d.Record = *got
		d.Record.Exact = record.Sound(got.Bytes())
		if s := f.extractText("status"); s != "" { // the file's folder counts for the status too
			d.Record.Status = s
		}
		return nil
	}
	r := &d.Record
	r.Project = f.extractText("project")
	if id != "" {
		var err error
		if r.Project, r.Slug, err = naming.Split(id); err != nil {
			return err
		}
	}
	r.Kind, r.Title = f.extractText("kind"), f.extractText("title")
	r.Status, r.Stage = f.extractText("status"), f.extractText("stage", "state")
	r.Session, r.Source, r.Branch = f.extractText("session"), f.extractText("source"), f.extractText("branch")
	r.Tags, r.Files = textsOf(f.extract("tags")), textsOf(f.extract("files"))
	d.setFields(f, []pair{{"confidence", "confidence"}, {"created", "created"}, {"updated", "updated"}})
	r.Changes = readChanges(f.extract("changes"), "old", "new")
	if _, ok := schema.Named(r.Kind); !ok {
		return fmt.Errorf("there is no kind %q", r.Kind)
	}
	content := f.extract("content")
	if body := f.extract("body"); body.Type == gjson.String {
		r.Body = body.Str
	} else {
		d.setContent(shape{}, content)
	}
	d.keepRest("Other Fields", f)
	if id == "" || len(d.Notes) > 0 {
		return nil
	}
	if data, err := record.File(*r); err == nil { // does the record hold nothing but these fields?
		if got, err := record.Decode(id, data); err == nil && got.Problems() == nil && record.Sound(data) {
			d.Record, d.Record.Exact = *got, true
		}
	}
	return nil
}
