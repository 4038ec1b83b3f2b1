// Package record keeps what is worth keeping beyond a mission: Markdown files with front matter that a person can read,
// edit, grep and commit. It knows the file, where it stands and how it changes; what a record can be (schema) and what
// it is called (naming), what is worth one (suggest), which one answers a question (search) and who asks (cli, hook) is
// decided elsewhere.
//
// What memento does not understand in a file it does not touch, and a file it cannot read it never writes.
package record

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// maxSummary is how long an entry of a record's history may be, in characters.
const maxSummary = 300

// ErrInvalid is the reason when a record would break a rule of its schema, or an update one of its life; nothing was
// written.
var ErrInvalid = errors.New("not a valid record")

// Record is one file. Its exported fields are what the file says, mended where a person left something out: without a
// kind it is a memento, without a title its first heading or its name is, without a status it is active.
type Record struct {
	ID, Project, Slug           string // from the file's name
	Kind, Title                 string
	Status, Stage               string
	Created, Updated            time.Time // zero when the file does not say
	Tags, Files                 []string
	Confidence, Session, Source string
	Branch                      string   // that was checked out when it was made, or how a commit's id begins
	Changes                     []Change // oldest first
	Body                        string

	Path    string   // where it stands
	Secrets []string // kinds of secret that were left out when it was written
	Sign    bool     // its next writing notes a mark of the body in its history; see Signed
	Exact   bool     // Import writes its file byte for byte, unless a secret or something private has to be taken out

	doc *markdown.Doc
	was *Record // as it was read
}

// Change is one entry of a record's history.
type Change struct{ Date, Summary, Field, Old, New string }

// When is the time of the change, the zero time when its date is none.
func (c Change) When() time.Time { return parseTime(c.Date) }

// Hash names the content of the file, for --if-match.
func (r *Record) Hash() string {
	return fingerprint(string(r.doc.Bytes()))
}

// Bytes returns the file as it was read or written last.
func (r *Record) Bytes() []byte { return r.doc.Bytes() }

// Decode reads the file of the record with this id. Errors: *naming.Error, *markdown.FrontError. What the file says
// against the schema is no error here; see Problems.
func Decode(id string, data []byte) (*Record, error) {
	project, slug, err := naming.Split(id)
	if err != nil {
		return nil, err
	}
	d, err := markdown.Parse(data)
	if err != nil {
		return nil, err
	}
	r := &Record{ID: naming.Prefix(project) + slug, Project: project, Slug: slug, Body: d.Body, doc: d}
	for _, f := range r.fields() {
		f.key = f.keyIn(d)
		v, single := d.Get(f.key)
		switch {
		case f.list != nil:
			if list, ok := d.List(f.key); ok {
				*f.list = list
			}
		case f.time != nil:
			*f.time = parseTime(v)
		case single:
			*f.text = v
		case d.Has(f.key):
			return nil, &markdown.FrontError{Line: d.Line(f.key), Why: f.key + ": one value is expected, not a list"}
		}
	}
	maps, ok := d.Maps("changes")
	if !ok {
		const why = `changes: lines of "- {date: …, summary: …}" are expected`
		return nil, &markdown.FrontError{Line: d.Line("changes"), Why: why}
	}
	for _, m := range maps {
		r.Changes = append(r.Changes, Change{m["date"], m["summary"], m["field"], m["old"], m["new"]})
	}
	r.mend()
	was := *r
	r.was = &was
	return r, nil
}

// mend fills in what a person who wrote the file by hand left out.
func (r *Record) mend() {
	if r.Kind == "" {
		r.Kind = "memento"
	}
	if r.Status == "" {
		r.Status = schema.Active
	}
	if r.Title == "" {
		r.Title = strings.ReplaceAll(r.Slug, "-", " ")
		for l := range markdown.Lines(r.Body) {
			if l.Level == 1 && l.Heading != "" {
				r.Title = l.Heading
				break
			}
		}
	}
}

// kind is r's kind, the zero Kind when it names none.
func (r *Record) kind() schema.Kind {
	k, _ := schema.Named(r.Kind)
	return k
}

// field is a key of the front matter and what of a record it says: a text, a list or a time.
type field struct {
	key  string
	text *string
	list *[]string
	time *time.Time
}

// fields are the keys of the front matter, but for id and project, which the name says, and changes.
func (r *Record) fields() []field {
	return []field{
		{key: "kind", text: &r.Kind}, {key: "title", text: &r.Title}, {key: "status", text: &r.Status},
		{key: "state", text: &r.Stage}, {key: "branch", text: &r.Branch}, {key: "confidence", text: &r.Confidence},
		{key: "session", text: &r.Session}, {key: "source", text: &r.Source},
		{key: "tags", list: &r.Tags}, {key: "files", list: &r.Files},
		{key: "created", time: &r.Created}, {key: "updated", time: &r.Updated},
	}
}

// keyIn is the key under which f stands in d. A person may write stage for state, as the commands call it; where both
// stand, the one counts that earlier versions read.
func (f field) keyIn(d *markdown.Doc) string {
	if f.key == "state" && !d.Has("state") && d.Has("stage") {
		return "stage"
	}
	return f.key
}

// says reports whether f says what the same field of another record does.
func (f field) says(other field) bool {
	switch {
	case f.list != nil:
		return slices.Equal(*f.list, *other.list)
	case f.time != nil:
		return f.time.Equal(*other.time)
	}
	return *f.text == *other.text
}

// write sets the key in d.
func (f field) write(d *markdown.Doc) {
	f.key = f.keyIn(d)
	switch {
	case f.list != nil:
		d.SetList(f.key, *f.list)
	case f.time != nil:
		d.Set(f.key, stamp(*f.time))
	default:
		d.Set(f.key, *f.text)
	}
}

// parseTime reads a time as memento writes it, or a day; the zero time when it is neither.
func parseTime(s string) time.Time {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly, time.DateTime} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999Z07:00") }

// Problems says what of the record is against the schema, in words for a person; nil when nothing is.
func (r *Record) Problems() (out []string) {
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	k, ok := schema.Named(r.Kind)
	switch {
	case !ok:
		add("kind: %q is none: %s", r.Kind, strings.Join(schema.Names(), ", "))
	case k.Personal && r.Project != naming.User:
		add("kind: %s is the user's, not a project's", k.One())
	}
	if ok && r.Stage != "" && k.Stages != nil && !slices.Contains(k.Stages, r.Stage) {
		add("state: %q is none of %s: %s", r.Stage, k.One(), strings.Join(k.Stages, ", "))
	}
	if !slices.Contains(schema.Statuses(), r.Status) {
		add("status: %q is none: %s", r.Status, strings.Join(schema.Statuses(), ", "))
	}
	if n := utf8.RuneCountInString(r.Title); n > schema.MaxTitle {
		add("title: %d characters, at most %d", n, schema.MaxTitle)
	} else if n == 0 {
		add("title: it is empty")
	}
	if len(r.Tags) == 0 {
		add("tags: at least one is needed")
	}
	for _, t := range r.Tags {
		if n := utf8.RuneCountInString(t); n > schema.MaxTag || n == 0 {
			add("tags: %q has %d characters, 1 to %d are allowed", short(t), n, schema.MaxTag)
		}
	}
	if c, err := strconv.ParseFloat(r.Confidence, 64); r.Confidence != "" && (err != nil || !(c >= 0 && c <= 1)) {
		add("confidence: a number from 0 to 1 is expected, not %q", short(r.Confidence))
	}
	for _, f := range r.fields() {
		if f.time != nil && f.time.IsZero() {
			add("%s: a time like 2026-03-14T09:26:53Z is expected", f.key)
		}
	}
	return out
}

// clean makes what was set fit to be stored: without secrets and what the user marked private, a header's values on one
// line.
func (r *Record) clean() {
	take := func(s string) string {
		s, kinds := redact.Text(s)
		r.Secrets = append(r.Secrets, kinds...)
		return s
	}
	// exact says that spaces count: in the name of a file, and in what is as it was read.
	line := func(s string, exact bool) string {
		s = take(text.Private(s))
		made := text.Line(s)
		if exact && strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }), " ") == made {
			return s
		}
		return made
	}
	was := r.was
	if was == nil {
		was = &Record{}
	}
	read := was.fields()
	for i, f := range r.fields() {
		switch {
		case f.text != nil:
			*f.text = line(*f.text, f.says(read[i]))
		case f.list != nil:
			var out []string
			for _, v := range *f.list {
				v = line(v, f.key == "files" || slices.Contains(*read[i].list, v))
				if v != "" && !slices.Contains(out, v) {
					out = append(out, v)
				}
			}
			*f.list = out
		}
	}
	if r.was == nil || r.Body != r.was.Body {
		r.Body = printed(text.Private(r.Body))
	}
	r.Body = take(r.Body)
}

// printed returns a body without the control characters that a terminal would obey. Line ends and tabs stay.
func printed(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && r != '\r' && (r < ' ' || r >= 0x7f && r < 0xa0) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// encode writes the fields into the document: only those that are not what the file says already.
func (r *Record) encode() error {
	was := r.was
	if was == nil {
		was = &Record{}
		r.doc = markdown.New()
		r.doc.Set("id", r.ID)
		r.doc.Set("project", r.Project)
	}
	read := was.fields()
	for i, f := range r.fields() {
		if !f.says(read[i]) {
			f.write(r.doc)
		}
	}
	for _, c := range r.Changes[min(len(r.Changes), len(was.Changes)):] {
		var entry [][2]string
		for _, kv := range [][2]string{
			{"date", c.Date}, {"summary", c.Summary}, {"field", c.Field}, {"old", c.Old}, {"new", c.New},
		} {
			if kv[1] != "" || kv[0] == "summary" {
				entry = append(entry, kv)
			}
		}
		r.doc.Add("changes", entry, schema.MaxChanges)
	}
	r.doc.SetBody(r.Body)
	r.Secrets = append(r.Secrets, r.doc.Redact()...)
	if n := len(r.doc.Bytes()); n > schema.MaxBytes {
		return fmt.Errorf("%w: %d bytes, at most %d", ErrInvalid, n, schema.MaxBytes)
	}
	return nil
}

// Signed reports whether the body is, to the letter, one that was written with Sign: nobody has changed it since.
func (r *Record) Signed() bool {
	body := fingerprint(r.Body)
	return slices.ContainsFunc(r.Changes, func(c Change) bool { return c.Field == "body" && c.New == body })
}

// fingerprint tells words apart, and cannot be read back.
func fingerprint(words string) string {
	h := sha256.Sum256([]byte(words))
	return hex.EncodeToString(h[:8])
}

// wrote is note for a writing of the whole record.
func (r *Record) wrote(summary string, now time.Time) {
	c := Change{Summary: summary}
	if r.Sign {
		c.Field, c.New = "body", fingerprint(r.Body)
	}
	r.note(c, now)
}

// note adds an entry to the record's history.
func (r *Record) note(c Change, now time.Time) {
	c.Date = stamp(now)
	c.Summary, _ = text.Cut(text.Line(redact.Clean(text.Private(c.Summary))), maxSummary)
	c.Old, _ = text.Cut(text.Line(redact.Clean(c.Old)), maxSummary)
	c.New, _ = text.Cut(text.Line(redact.Clean(c.New)), maxSummary)
	r.Changes = append(slices.Clone(r.Changes), c)
}

// short is the beginning of what a file says, for an error.
func short(s string) string { s, _ = text.Cut(s, 120); return s }
