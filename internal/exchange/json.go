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
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// object reads a file of one JSON object.
func object(data []byte) (gjson.Result, error) {
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

// fields are named values that are taken one by one: what nobody took is left.
type fields struct {
	keys   []string // as they are written
	values map[string]gjson.Result
}

// members reads an object; of one that says a key twice, the last counts, as for those who wrote it.
func members(v gjson.Result) *fields {
	f := &fields{values: map[string]gjson.Result{}}
	if v.IsObject() {
		v.ForEach(func(k, v gjson.Result) bool {
			f.add(k.String(), v)
			return true
		})
	}
	return f
}

// add gives a field its value, or puts one back that was taken.
func (f *fields) add(key string, v gjson.Result) {
	if !slices.Contains(f.keys, key) {
		f.keys = append(f.keys, key)
	}
	if f.values[key] = v; !v.Exists() {
		delete(f.values, key)
	}
}

// take returns the field called by the first of these names that is there.
func (f *fields) take(names ...string) (out gjson.Result) {
	for _, name := range names {
		v, ok := f.values[name]
		switch {
		case !ok:
		case said(out) == "":
			out = v
			delete(f.values, name)
		case said(v) == "": // two names for one thing; were both used, the second is left
			delete(f.values, name)
		}
	}
	return out
}

func (f *fields) takeText(names ...string) string { return said(f.take(names...)) }

// drop takes fields that nobody needs.
func (f *fields) drop(names ...string) {
	for _, name := range names {
		delete(f.values, name)
	}
}

// left goes through what nobody took, and that says something.
func (f *fields) left() iter.Seq2[string, string] {
	return func(yield func(key, s string) bool) {
		for _, k := range f.keys {
			if s := said(f.values[k]); s != "" && !yield(k, s) {
				return
			}
		}
	}
}

// words is what is left, in words.
func (f *fields) words() (out []string) {
	for key, s := range f.left() {
		out = append(out, key+": "+s)
	}
	return out
}

// raw is what is left, as JSON for reading.
func (f *fields) raw() string {
	out := []byte("{")
	for key := range f.left() {
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

// said returns a value as text: a string itself, an object or a list as its values in words, null and what is empty as
// "".
func said(v gjson.Result) string {
	switch {
	case v.Type == gjson.Null, v.Type == gjson.String && strings.TrimSpace(v.Str) == "":
		return ""
	case v.Type == gjson.String:
		return v.Str
	case v.IsArray():
		return strings.Join(list(v), "; ")
	case v.IsObject():
		return strings.Join(members(v).words(), "; ")
	}
	return v.Raw
}

// list returns the items of a list that say something; a value that is none is its only item.
func list(v gjson.Result) (out []string) {
	all := []gjson.Result{v}
	if v.IsArray() {
		all = v.Array()
	}
	for _, e := range all {
		if s := said(e); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// joined joins those of the parts that say something.
func joined(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

// fenced returns s as fenced code, whatever it holds.
func fenced(info, s string) string { return text.Fenced(info, strings.TrimRight(s, "\n")) }

// stem is a file's name without its ending.
func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// jsonLayout tells by what a file holds whose it is. folder is the one of a memory's that it stands in, "" for none.
func jsonLayout(folder string, root gjson.Result) string {
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

// readCategory reads a file with the common fields and a category's content.
func readCategory(d *Draft, folder string, root gjson.Result) error {
	f := members(root)
	name := f.takeText("category")
	c, ok := shapeOf(Categories, name, folder)
	content := f.take("content")
	id := f.takeText("id")
	title := cmp.Or(f.takeText("title"), strings.ReplaceAll(id, "-", " "))
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
		d.note("its id %q is no name here: it is named after its title", id)
	}
	d.title(title)
	d.fill(f, c.fields)
	d.content(c, content)
	d.lifecycle(f)
	d.other("Other Fields", f)
	return nil
}

// readEnvelope reads a file with meta and content.
func readEnvelope(d *Draft, folder string, root gjson.Result) error {
	f := members(root)
	meta, content := members(f.take("meta")), f.take("content")
	if len(meta.keys) == 0 || !content.IsObject() {
		return lacks("an envelope has meta and content", root, "meta", "content")
	}
	name := meta.takeText("category")
	c, ok := shapeOf(Envelopes, name, folder)
	switch {
	case !ok && name == "":
		return errors.New(`its meta has no "category": context or handoffs`)
	case !ok:
		return fmt.Errorf("there is no category %q: context and handoffs are", name)
	}
	d.Record.Kind = c.kind
	file := stem(d.From)
	d.title(cmp.Or(meta.takeText("summary"), strings.ReplaceAll(file, "-", " ")))
	if naming.CheckSlug(file) == nil { // {date}-{summary} or {task-id}: what others refer to
		d.Record.Slug = file
	}
	d.fill(meta, c.fields)
	d.content(c, content)
	for key := range meta.left() {
		f.add(key, meta.values[key])
	}
	d.other("Other Fields", f)
	return nil
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
	switch len(gone) {
	case 0: // said twice, and differently
		return errors.New(what)
	case 1:
		return fmt.Errorf("%s: %s is missing", what, gone[0])
	}
	return fmt.Errorf("%s: %s are missing", what, strings.Join(gone, " and "))
}

// unknown says of a JSON file of no layout what it lacks to be of the one that it looks like, or that its folder is
// for.
func unknown(folder string, root gjson.Result) error {
	switch {
	case root.Get("meta").Exists(), holds(folder, Envelopes):
		return lacks("an envelope has meta and content", root, "meta", "content")
	case holds(folder, Categories):
		what := "a record of " + folder + "/ has category, title and content"
		if root.Get("content").IsObject() {
			return errors.New(what + `: "title" is missing`)
		}
		return lacks(what, root, "content")
	}
	return errors.New("no part of a layout that memento knows")
}

// content puts the content of a JSON file into the sections of its kind.
func (d *Draft) content(c shape, v gjson.Result) {
	f, kind := members(v), d.kind()
	examples := members(gjson.Result{})
	switch {
	case c.kind == "constraint":
		d.active(f)
	case c.kind == "preference" && f.values["examples"].IsObject():
		examples = members(f.take("examples"))
		f.add("prefer", examples.take("prefer"))
		f.add("avoid", examples.take("avoid"))
	case c.kind != "" && kind.Stages != nil:
		d.state(f.takeText("status"))
	}
	for _, part := range kind.Sections {
		name := c.member(part)
		if v := f.take(name); !d.section(part.Heading, v) {
			f.add(name, v)
		}
	}
	d.other("Other Examples", examples)
	d.other("Other Content", f)
}

// active takes the state of a constraint, which is true or false there.
func (d *Draft) active(f *fields) {
	switch v := f.take("active"); v.Type {
	case gjson.True:
		d.Record.Stage = "active"
	case gjson.False:
		d.Record.Stage = "lifted"
	default:
		f.add("active", v)
	}
}

// alternatives are options, each with why it was rejected.
func alternatives(v gjson.Result) (out []string) {
	for _, e := range v.Array() {
		if !e.IsObject() {
			out = append(out, said(e))
			continue
		}
		f := members(e)
		s := joined(": ", f.takeText("option"), f.takeText("rejected_reason"))
		out = append(out, joined("; ", append([]string{s}, f.words()...)...))
	}
	return out
}

// lifecycle takes over a record's status and history.
func (d *Draft) lifecycle(f *fields) {
	r := &d.Record
	r.Status = schema.Active
	switch status := f.takeText("record_status"); status {
	case "", schema.Active:
	case schema.Retired, schema.Archived:
		r.Status = status
	default:
		d.note("%q is no status: it is taken for active", status)
		d.put("Status", status)
	}
	if changes := f.take("changes"); changes.IsArray() {
		r.Changes = changesOf(changes, "old_value", "new_value")
	} else {
		f.add("changes", changes)
	}
	if over := len(r.Changes) - schema.MaxChanges; over > 0 {
		r.Changes = r.Changes[over:]
		d.note("of its changes the newest %d are kept, %d are not", schema.MaxChanges, over)
	}
	for _, s := range []string{schema.Retired, schema.Archived} {
		at, why := f.takeText(s+"_at"), f.takeText(s+"_reason")
		if at == "" && why == "" {
			continue
		}
		c := record.Change{Date: at, Summary: cmp.Or(why, s)}
		if s == r.Status {
			c.Field, c.Old, c.New = "status", schema.Active, s
		}
		if len(r.Changes) == schema.MaxChanges {
			r.Changes = r.Changes[1:]
			d.note("its oldest change made room for why it was %s", s)
		}
		r.Changes = append(r.Changes, c)
	}
}

// changesOf reads the entries of a history, in which old and new are called so.
func changesOf(v gjson.Result, old, new string) (out []record.Change) {
	for _, e := range v.Array() {
		c := record.Change{Summary: said(e)}
		if e.IsObject() {
			c = record.Change{Date: said(e.Get("date")), Summary: said(e.Get("summary")), Field: said(e.Get("field")),
				Old: said(e.Get(old)), New: said(e.Get(new))}
		}
		out = append(out, c)
	}
	return out
}

// readExport reads the records of an export. One that cannot be read goes to unread, with why.
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

// readExported reads one record of an export: the file in it, when there is one, else its fields with the body, or with
// the content when somebody wrote one by hand.
func readExported(d *Draft, v gjson.Result) error {
	if !v.IsObject() {
		return errors.New("it is not a JSON object")
	}
	d.own = true
	f := members(v)
	id := f.takeText("id")
	if file := v.Get("file"); file.Exists() {
		got, err := record.Decode(id, []byte(file.Str))
		if err != nil {
			return err
		}
		d.Record = *got
		d.Record.Exact = record.Sound(got.Bytes())
		if s := f.takeText("status"); s != "" { // the place it stood in says it too
			d.Record.Status = s
		}
		return nil
	}
	r := &d.Record
	r.Project = f.takeText("project")
	if id != "" {
		var err error
		if r.Project, r.Slug, err = naming.Split(id); err != nil {
			return err
		}
	}
	r.Kind, r.Title, r.Status, r.Stage = f.takeText("kind"), f.takeText("title"), f.takeText("status"),
		f.takeText("state")
	r.Session, r.Source, r.Branch = f.takeText("session"), f.takeText("source"), f.takeText("branch")
	r.Tags, r.Files = list(f.take("tags")), list(f.take("files"))
	d.fill(f, []pair{{"confidence", "confidence"}, {"created", "created"}, {"updated", "updated"}})
	r.Changes = changesOf(f.take("changes"), "old", "new")
	if _, ok := schema.Named(r.Kind); !ok {
		return fmt.Errorf("there is no kind %q", r.Kind)
	}
	content := f.take("content")
	if body := f.take("body"); body.Type == gjson.String {
		r.Body = body.Str
	} else {
		d.content(shape{}, content)
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

// readSettings lists which of their settings have one of ours.
func readSettings(root gjson.Result) (out []Left) {
	add := func(theirs, ours string) {
		if v := root.Get(theirs); v.Exists() && v.Type != gjson.JSON && len(v.Raw) < 500 {
			out = append(out, Left{theirs + " = " + v.Raw, "memento config " + ours + " " + v.Raw})
		}
	}
	for _, s := range shapes() {
		if s.layout != Categories {
			continue
		}
		for _, m := range []pair{{"enabled", "enabled"}, {"auto_capture", "auto_capture"},
			{"retention_days", "retention_days"},
			{"max_retained", "max"}, {"description", "description"}} {
			add("categories."+s.category+"."+m.theirs, "kinds."+s.kind+"."+m.ours)
		}
		add("triage.thresholds."+s.category, "kinds."+s.kind+".threshold")
	}
	add("retrieval.max_inject", "max_inject")
	add("delete.grace_period_days", "grace_days")
	add("delete.archive_retired", "archive_retired")
	return out
}
