package exchange

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// Draft is the record that a file will become.
type Draft struct {
	From   string // the file, relative to the imported path
	Layout string
	Record record.Record
	Notes  []string // what the import changed, for a person

	own bool // memento's own: every field is as it says, and every byte
}

func (d *Draft) addNote(format string, args ...any) {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
}

// kind returns the draft's kind.
func (d *Draft) kind() schema.Kind {
	k, _ := schema.Named(d.Record.Kind)
	return k
}

// setTitle sets the title: one line, cut to what fits. A title that was cut stands whole in the body.
func (d *Draft) setTitle(s string) {
	s = text.OneLine(s)
	short, cut := text.Cut(s, schema.MaxTitle)
	if d.Record.Title = short; cut {
		d.addNote("the title was cut to %d characters; it stands whole in the body", schema.MaxTitle)
		d.addText("Title", s)
	}
}

// setFields moves the fields in names from f to the record. A value that does not fit stays in f.
func (d *Draft) setFields(f *fields, names []pair) {
	for _, n := range names {
		if v := f.extract(n.theirs); !d.setField(n.ours, v) {
			f.add(n.theirs, v)
		}
	}
}

// setField sets one part of the record. to names a field of a record or the heading of a section; "" drops v. It
// reports false for a value that does not fit.
func (d *Draft) setField(to string, v gjson.Result) bool {
	r := &d.Record
	switch s := textOf(v); to {
	case "":
	case "created":
		r.Created = parseTime(s)
	case "updated":
		r.Updated = parseTime(s)
	case "session":
		r.Session = s
	case "files":
		r.Files = textsOf(v)
	case "tag":
		d.addTag(strings.ToLower(s))
	case "tags":
		for _, t := range textsOf(v) {
			d.addTag(t)
		}
	case "state":
		d.setStage(s)
	case "confidence":
		fits := v.Type == gjson.Number && v.Num >= 0 && v.Num <= 1
		if fits {
			r.Confidence = v.Raw
		}
		return fits || v.Type == gjson.Null
	default:
		return d.setSection(to, v)
	}
	return true
}

// setSection adds v to the section called heading, in the form that the kind wants. It reports false for a word that
// the kind does not allow there.
func (d *Draft) setSection(heading string, v gjson.Result) bool {
	part, _ := d.kind().Part(heading)
	switch word := strings.ToLower(strings.TrimSpace(textOf(v))); {
	case part.List && heading == "Alternatives" && v.IsArray():
		d.addList(heading, readAlternatives(v))
	case part.List:
		d.addList(heading, textsOf(v))
	case part.Values == nil:
		d.addText(heading, textOf(v))
	case word == "" || slices.Contains(part.Values, word):
		d.addText(heading, word)
	default:
		return false
	}
	return true
}

// addText adds text to the section called heading. Text with headings in it is quoted, as it would end the section.
func (d *Draft) addText(heading, s string) {
	if s = strings.Trim(s, "\r\n"); strings.TrimSpace(s) == "" {
		return
	}
	body, err := markdown.AppendSection(d.Record.Body, heading, s)
	if err != nil {
		d.addNote("%s is quoted: it holds headings", strings.ToLower(heading))
		quoted := "> " + strings.ReplaceAll(s, "\n", "\n> ")
		// the body ends in an open code fence: put the section before it
		if body, err = markdown.AppendSection(d.Record.Body, heading, quoted); err != nil {
			body = "## " + heading + "\n\n" + quoted + "\n\n" + d.Record.Body
		}
	}
	if !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	d.Record.Body = body
}

// addList adds items to the section called heading. It indents the further lines of an item, so that none is a heading.
func (d *Draft) addList(heading string, items []string) {
	deep := make([]string, len(items))
	for i, it := range items {
		if deep[i] = strings.TrimSpace(it); deep[i] == strings.TrimRight(it, " \t\r\n") {
			deep[i] = strings.ReplaceAll(deep[i], "\n", "\n    ")
		} else if deep[i] != "" { // the white space at the start of code counts
			deep[i] = strings.TrimRight(it, " \t\r\n")
		}
	}
	d.addText(heading, markdown.List(deep))
}

// addTag adds a tag, cut to what fits.
func (d *Draft) addTag(s string) {
	if s = text.OneLine(s); s == "" {
		return
	}
	short, cut := text.Cut(s, schema.MaxTag)
	if cut {
		d.addNote("a tag was cut to %d characters: %s", schema.MaxTag, s)
	}
	if !slices.Contains(d.Record.Tags, short) {
		d.Record.Tags = append(d.Record.Tags, short)
	}
}

// stageInPages returns memento's stage for the state that a page of this kind has.
func stageInPages(kind, theirs string) string {
	switch kind + " " + theirs {
	case "decision decided":
		return "accepted"
	case "decision pending":
		return "proposed"
	case "initiative in_progress":
		return "active"
	case "initiative completed", "initiative complete":
		return "done"
	case "initiative cancelled":
		return "dropped"
	case "initiative not_started", "initiative pending":
		return "planned"
	}
	return theirs
}

// setStage sets the stage to memento's word for s. An unknown word stays in the body.
func (d *Draft) setStage(s string) {
	s = strings.TrimSpace(s)
	ours := strings.ReplaceAll(strings.ToLower(s), " ", "_")
	if d.Layout == Folders {
		ours = stageInPages(d.Record.Kind, ours)
	}
	switch states := d.kind().Stages; {
	case s == "":
	case states == nil:
		d.Record.Stage = text.OneLine(s)
	case slices.Contains(states, ours):
		d.Record.Stage = ours
	default:
		d.addNote("%q is no stage of the kind %s; it stands in the body", text.OneLine(s), d.Record.Kind)
		d.addText("State", s)
	}
}

// keepRest adds the fields that are left to the section called heading, as JSON.
func (d *Draft) keepRest(heading string, f *fields) {
	var keys []string
	for key := range f.rest() {
		keys = append(keys, key)
	}
	if keys != nil {
		d.addNote("kept under %s as they are: %s", heading, strings.Join(keys, ", "))
		d.addText(heading, fenced("json", f.restAsJSON()))
	}
}

// fillDefaults sets what a record needs and the file did not say. changed is the time of the file's last change.
func (d *Draft) fillDefaults(changed, now time.Time) {
	r := &d.Record
	if r.Exact {
		return
	}
	if changed.After(now) || changed.IsZero() {
		changed = now
	}
	changed = changed.UTC().Truncate(time.Second)
	if r.Created.IsZero() {
		if r.Created = r.Updated; r.Created.IsZero() {
			r.Created = changed
			d.addNote("created: the time of the file")
		}
	}
	if r.Updated.Before(r.Created) {
		r.Updated = r.Created
	}
	if r.Status == "" {
		r.Status = schema.Active
	}
	if len(r.Tags) == 0 {
		r.Tags = []string{"imported"}
	}
	if d.own {
		return
	}
	if r.Source == "" {
		r.Source = "import: " + d.From
	}
	if len(r.Changes) == 0 {
		r.Changes = []record.Change{{Date: r.Created.Format(time.RFC3339), Summary: "imported from " + d.From}}
	}
}

// parseTime reads a time in one of the forms that the layouts use. It returns the zero time for other text.
func parseTime(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateTime,
		"2006-01-02 15:04",
		time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= 1970 && t.Year() < 9999 {
			return t.UTC()
		}
	}
	return time.Time{}
}
