// Package record stores records: Markdown files with front matter that a person can read, edit, grep and commit. It
// knows the files, their folders and how they change. Not in this package: the kinds of records (schema), their names
// (naming), what is worth a record (suggest), which record answers a question (search), and who asks (cli, hook).
//
// Memento keeps the parts of a file that it does not understand, and never writes to a file that it cannot read.
package record

import (
	"cmp"
	"crypto/sha256"
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

// maxSummary is the greatest length of an entry of a record's history, in characters.
const maxSummary = 300

// ErrInvalid says that a record breaks a rule of its schema, or an update a rule of the lifecycle. Nothing was written.
var ErrInvalid = errors.New("not a valid record")

// Record is one file. The exported fields hold what the file says. Where a person left a field out, the kind is
// memento, the title is the first heading or the name, and the status is active.
type Record struct {
	ID, Project, Slug           string // from the file's name
	Kind, Title                 string
	Status, Stage               string
	Created, Updated            time.Time // zero when the file has none
	Tags, Files                 []string
	Confidence, Session, Source string
	Branch                      string   // the branch, or the first digits of the commit, when the record was made
	VersionOf                   string   // the slug of the record of which Merge kept this other version
	Shared                      string   // the sum of the repository's file that it went to, or came from last (see package shared)
	Changes                     []Change // oldest first
	Body                        string

	Path     string   // of the file
	Secrets  []string // the kinds of secrets that the last write took out
	KeepTime bool     // the next Update leaves the time of the update
	Sign     bool     // the next write notes a fingerprint of the body in the history; see Signed

	doc *markdown.Doc
	was *Record // the record as it was read
}

// Change is one entry of a record's history.
type Change struct{ Date, Summary, Field, Old, New string }

// When returns the time of the change, the zero time when its date cannot be read.
func (c Change) When() time.Time { return ParseTime(c.Date) }

// Hash returns a fingerprint of the file, for --if-match.
func (r *Record) Hash() string {
	return fingerprint(string(r.doc.Bytes()))
}

// Bytes returns the file as it was read or written last.
func (r *Record) Bytes() []byte { return r.doc.Bytes() }

// Decode reads the file of the record with this id; Problems checks it. Errors: *naming.Error, *markdown.FrontError.
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
		v, ok := d.Get(f.key)
		expected := `a value on its line, in quotes if it holds ": " or " #"`
		switch {
		case f.list != nil:
			*f.list, ok = d.List(f.key)
			expected = `a list like [a, b], or lines of "- a"`
		case f.time != nil:
			*f.time = ParseTime(v)
		default:
			*f.text = v
		}
		if !ok && d.Has(f.key) {
			return nil, &markdown.FrontError{Line: d.Line(f.key), Why: f.key + ": " + expected + " is expected"}
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
	r.fillIn()
	was := *r
	r.was = &was
	return r, nil
}

// fillIn sets the fields that a person who wrote the file by hand left out.
func (r *Record) fillIn() {
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

// kind returns r's kind, the zero Kind when the schema has no such kind.
func (r *Record) kind() schema.Kind {
	k, _ := schema.Named(r.Kind)
	return k
}

// field is a key of the front matter and a pointer to its value in a record: a text, a list or a time.
type field struct {
	key  string
	text *string
	list *[]string
	time *time.Time
}

// fields returns the keys of the front matter, without changes, and without id and project, which the file name has.
func (r *Record) fields() []field {
	return []field{
		{key: "kind", text: &r.Kind}, {key: "title", text: &r.Title}, {key: "status", text: &r.Status},
		{key: "stage", text: &r.Stage}, {key: "branch", text: &r.Branch}, {key: "confidence", text: &r.Confidence},
		{key: "session", text: &r.Session}, {key: "source", text: &r.Source}, {key: "version_of", text: &r.VersionOf},
		{key: "shared", text: &r.Shared},
		{key: "tags", list: &r.Tags}, {key: "files", list: &r.Files},
		{key: "created", time: &r.Created}, {key: "updated", time: &r.Updated},
	}
}

// equals reports whether f has the value of the same field of another record.
func (f field) equals(other field) bool {
	switch {
	case f.list != nil:
		return slices.Equal(*f.list, *other.list)
	case f.time != nil:
		return f.time.Equal(*other.time)
	}
	return *f.text == *other.text
}

// write sets the key in d to f's value.
func (f field) write(d *markdown.Doc) {
	switch {
	case f.list != nil:
		d.SetList(f.key, *f.list)
	case f.time != nil:
		d.Set(f.key, stamp(*f.time))
	default:
		d.Set(f.key, *f.text)
	}
}

// ParseTime reads a time as memento and other programs write it, or a day. It returns the zero time for anything else.
func ParseTime(s string) time.Time {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly, time.DateTime, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, strings.TrimSpace(s)); err == nil && t.Year() < 9999 {
			return t.UTC()
		}
	}
	return time.Time{}
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.999Z07:00") }

// Problems returns, in words for a person, each rule of the schema that the record breaks.
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
		add("stage: %q is no stage of %s: %s", r.Stage, k.One(), strings.Join(k.Stages, ", "))
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

// clean takes secrets and private words out of the record and what is new in its history, and puts values on one line.
func (r *Record) clean() {
	redacted := func(s string) string {
		s, kinds := redact.Text(s)
		r.Secrets = append(r.Secrets, kinds...)
		return s
	}
	// keepSpaces is set for the name of a file, and for a value that is as it was read.
	line := func(s string, keepSpaces bool) string {
		s = redacted(text.Private(s))
		made := text.OneLine(s)
		if keepSpaces && strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }), " ") == made {
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
			*f.text = line(*f.text, f.equals(read[i]))
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
	from := min(len(was.Changes), len(r.Changes))
	r.Changes = slices.Clone(r.Changes)
	for i := range r.Changes[from:] {
		c := &r.Changes[from+i]
		for _, s := range []*string{&c.Date, &c.Summary, &c.Field, &c.Old, &c.New} {
			*s, _ = text.Cut(line(*s, false), maxSummary)
		}
	}
	if r.was == nil || r.Body != r.was.Body {
		r.Body = text.Plain(text.Private(r.Body))
	}
	r.Body = redacted(r.Body)
}

// encode writes the fields that changed into the document.
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
		if !f.equals(read[i]) {
			f.write(r.doc)
		}
	}
	for _, c := range r.Changes[min(len(r.Changes), len(was.Changes)):] {
		r.doc.Add("changes", schema.MaxChanges, c.entry())
	}
	r.doc.SetBody(r.Body)
	r.Secrets = append(r.Secrets, r.doc.Redact()...)
	return checkSize(r.doc.Bytes())
}

// changeKeys are the keys of an entry of the history, in their order.
var changeKeys = [...]string{"date", "summary", "field", "old", "new"}

// entry returns the change as it stands in a file: its values by their keys, without empty ones but the summary's.
func (c Change) entry() (out [][2]string) {
	for i, v := range [...]string{c.Date, c.Summary, c.Field, c.Old, c.New} {
		if key := changeKeys[i]; v != "" || key == "summary" {
			out = append(out, [2]string{key, v})
		}
	}
	return out
}

// Encode returns the file of r, which was not read from one, without id and project, and without secrets and private
// words. secrets names the kinds of the secrets that it took out. Error: ErrInvalid for a file that is too large.
func (r Record) Encode() (data []byte, secrets []string, err error) {
	r.clean()
	if err := r.encode(); err != nil {
		return nil, nil, err
	}
	r.doc.Remove("id")
	r.doc.Remove("project")
	return r.doc.Bytes(), r.Secrets, nil
}

// checkSize returns ErrInvalid for a file that is too large.
func checkSize(file []byte) error {
	if len(file) > schema.MaxBytes {
		return fmt.Errorf("%w: %d bytes, at most %d", ErrInvalid, len(file), schema.MaxBytes)
	}
	return nil
}

// Signed reports whether nobody has changed the body since a write with Sign.
func (r *Record) Signed() bool {
	body := fingerprint(r.Body)
	return slices.ContainsFunc(r.Changes, func(c Change) bool { return c.Field == "body" && c.New == body })
}

// fingerprint returns a hash that recognises words without holding them.
func fingerprint(words string) string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(words)))[:16]
}

// noteWrite adds an entry for a write of the whole record.
func (r *Record) noteWrite(summary string, now time.Time) {
	c := Change{Summary: summary}
	if r.Sign {
		c.Field, c.New = "body", fingerprint(r.Body)
	}
	r.addChange(c, now)
}

// addChange adds an entry to the record's history. One without a time gets a later time than the entry before it: of
// two equal entries a file holds the last.
func (r *Record) addChange(c Change, now time.Time) {
	if last := r.lastChange(); len(r.Changes) > 0 && !now.Truncate(time.Millisecond).After(last) {
		now = last.Add(time.Millisecond)
	}
	c.Date = cmp.Or(c.Date, stamp(now))
	r.Changes = append(slices.Clone(r.Changes), c)
}

// short returns the beginning of s, for an error.
func short(s string) string { s, _ = text.Cut(s, 120); return s }
