package exchange

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// Draft is the record that a file will become.
type Draft struct {
	From   string // the file, relative to the imported path
	Record record.Record

	own bool // memento's own: every field is as it says
}

// other is the section for values that have no place of their own.
const other = "Other"

// value is a value by its name in a layout.
type value struct {
	name string
	gjson.Result
}

// ours maps names of the layouts to memento's name for the field or the section: for one kind, or for every kind.
func ours() map[string]string {
	return map[string]string{
		"category": "tags", "date": "created", "analyzed": "created", "created_at": "created", "updated_at": "updated",
		"last_updated": "updated", "session_id": "session", "related_files": "files", "reason_deferred": "why_deferred",
		"acceptance_criteria": "acceptance", "context_references": "references", "alternatives_considered": "alternatives",
		"issues_found": "issues", "overview": "context",

		"memento mission": "context", "memento done": "progress", "memento completed": "progress",
		"memento summary": "progress", "memento plan": "next_steps", "memento upcoming": "next_steps",
		"memento mission_opened": "created", "memento mission_closed": "updated",

		"decision decided": "accepted", "decision pending": "proposed",
		"constraint true": "active", "constraint false": "lifted",
	}
}

// nameOf returns memento's name for a name in a layout, or for a stage.
func (d *Draft) nameOf(theirs string) string {
	key := strings.ReplaceAll(strings.ToLower(theirs), " ", "_")
	names := ours()
	return cmp.Or(names[d.Record.Kind+" "+key], names[key], key)
}

func (d *Draft) kind() schema.Kind {
	k, _ := schema.Named(d.Record.Kind)
	return k
}

// fill gives each value its place: a field of the record, the section of its name, or the section Other.
func (d *Draft) fill(all []value) {
	var rest []string
	for _, v := range all {
		if s := textOf(v.Result); s != "" && !d.setSection(v) && !d.setField(v) {
			rest = append(rest, v.name+": "+s)
		}
	}
	d.addText(other, markdown.List(rest))
}

// setSection adds a value to the section of its name, and reports false when none has that name or takes the value.
func (d *Draft) setSection(v value) bool {
	part, ok := d.kind().Part(d.nameOf(v.name))
	s := textOf(v.Result)
	switch {
	case !ok:
		return false
	case part.Values != nil:
		if s = strings.ToLower(s); !slices.Contains(part.Values, s) {
			return false
		}
	case part.List || v.IsArray():
		s = markdown.List(textsOf(v.Result))
	}
	d.addText(part.Heading, s)
	return true
}

// setField sets the field of a value's name. It reports false if there is none, or the field cannot hold the value.
func (d *Draft) setField(v value) bool {
	r, s := &d.Record, textOf(v.Result)
	switch d.nameOf(v.name) {
	case "title", "summary":
		return d.setTitle(s)
	case "created":
		r.Created = record.ParseTime(s)
		return !r.Created.IsZero()
	case "updated":
		r.Updated = record.ParseTime(s)
		return !r.Updated.IsZero()
	case "session":
		r.Session = s
	case "files":
		r.Files = textsOf(v.Result)
	case "tags":
		for _, t := range textsOf(v.Result) {
			t, _ = text.Cut(text.OneLine(t), schema.MaxTag)
			r.Tags = append(r.Tags, t)
		}
	case "confidence":
		if v.Type != gjson.Number || v.Num < 0 || v.Num > 1 {
			return false
		}
		r.Confidence = v.Raw
	case "status", "active":
		return d.setStage(s)
	default:
		return false
	}
	return true
}

// setTitle sets the title, unless the draft has one. It reports false for a title that it had to cut.
func (d *Draft) setTitle(s string) bool {
	if s = text.OneLine(s); d.Record.Title != "" || s == "" {
		return d.Record.Title == s
	}
	cut := false
	d.Record.Title, cut = text.Cut(s, schema.MaxTitle)
	return !cut
}

// setStage sets the stage, and reports false for a word that is no stage of the kind.
func (d *Draft) setStage(s string) bool {
	stage := d.nameOf(s)
	if k := d.kind(); k.Stages != nil && !slices.Contains(k.Stages, stage) {
		return false
	}
	d.Record.Stage = text.OneLine(stage)
	return true
}

// addText adds text to the section called heading. Text with headings in it is quoted, as it would end the section.
func (d *Draft) addText(heading, s string) {
	if s = strings.Trim(s, "\r\n"); strings.TrimSpace(s) == "" {
		return
	}
	body, err := markdown.AppendSection(d.Record.Body, heading, s)
	if err != nil {
		body, _ = markdown.AppendSection(d.Record.Body, heading, "> "+strings.ReplaceAll(s, "\n", "\n> "))
	}
	d.Record.Body = strings.TrimRight(body, "\n") + "\n"
}

// textOf returns a value as text: a string as it is, a list as its items, an object as its values with their names.
func textOf(v gjson.Result) string {
	switch {
	case v.Type == gjson.Null, v.Type == gjson.String && strings.TrimSpace(v.Str) == "":
		return ""
	case v.Type == gjson.String:
		return v.Str
	case v.IsArray():
		return strings.Join(textsOf(v), "; ")
	case !v.IsObject():
		return v.Raw
	}
	var members []string
	v.ForEach(func(key, v gjson.Result) bool {
		if s := textOf(v); s != "" {
			members = append(members, key.Str+": "+s)
		}
		return true
	})
	return strings.Join(members, "; ")
}

// textsOf returns the text of each item of a list, without empty ones. Any other value is a list of one item.
func textsOf(v gjson.Result) (out []string) {
	for _, e := range v.Array() {
		if s := textOf(e); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// fillDefaults sets what a record needs and the file did not say. changed is the time of the file's last change.
func (d *Draft) fillDefaults(changed, now time.Time) {
	r := &d.Record
	if d.own {
		return
	}
	if changed.After(now) {
		changed = now
	}
	for _, t := range []time.Time{r.Updated, changed.UTC().Truncate(time.Second)} {
		if r.Created.IsZero() {
			r.Created = t
		}
	}
	if r.Updated.Before(r.Created) {
		r.Updated = r.Created
	}
	r.Status = cmp.Or(r.Status, schema.Active)
	if r.Slug == "" {
		r.Slug = naming.Slug(stem(d.From))
	}
	if len(r.Tags) == 0 {
		r.Tags = []string{"imported"}
	}
	r.Source = cmp.Or(r.Source, "import: "+d.From)
	if r.Changes == nil {
		r.Changes = []record.Change{{Date: r.Created.Format(time.RFC3339), Summary: "imported from " + d.From}}
	}
}
