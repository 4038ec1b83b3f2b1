package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/sjson"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// Envelope is a format of exports, beside Markdown and JSON.
const Envelope = "envelope"

// Formats lists the formats of exports, for help and errors.
func Formats() []string { return []string{Markdown, JSON, Envelope} }

// File is a file to write. Path is relative to the folder of the export.
type File struct {
	Path string
	Data []byte
	ID   string
}

// MarkdownFiles returns the records' own files; completed and archived ones are in naming.Archive.
func MarkdownFiles(records []*record.Record) (out []File) {
	for _, r := range records {
		name := r.ID + ".md"
		if r.Status == schema.Completed || r.Status == schema.Archived {
			name = naming.Archive + "/" + name
		}
		out = append(out, File{name, r.Bytes(), r.ID})
	}
	return out
}

// MarkdownStream returns one text to read: the record as it is, or several, each below a line with its id.
func MarkdownStream(records []*record.Record) []byte {
	var b bytes.Buffer
	for i, r := range records {
		if len(records) > 1 {
			if i > 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "<!-- %s -->\n\n", r.ID)
		}
		b.WriteString(printable(string(r.Bytes())))
		if !bytes.HasSuffix(b.Bytes(), []byte("\n")) {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// printable returns s without the control characters that a terminal obeys.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && r != '\r' && (r < ' ' || r >= 0x7f && r < 0xa0) {
			return -1
		}
		return r
	}, s)
}

// EncodeRecords returns an export in JSON: the fields and the body of each record. If these do not make every byte of
// the record's file again, or the record breaks a rule of its kind, the export holds the file too.
func EncodeRecords(records []*record.Record) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"version":1,"records":[`)
	for i, r := range records {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		f := r.Fields()
		f["body"] = r.Body
		one, err := encode(f)
		if err != nil {
			return nil, err
		}
		if !remakes(one, r) {
			f["file"] = string(r.Bytes())
			if one, err = encode(f); err != nil {
				return nil, err
			}
		}
		b.Write(one)
	}
	b.WriteString("\n]}\n")
	return b.Bytes(), nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// remakes reports whether the JSON of a record makes its file again, byte for byte.
func remakes(one []byte, r *record.Record) bool {
	root, err := parseObject(one)
	if err != nil {
		return false
	}
	var d Draft
	if readExported(&d, root) != nil {
		return false
	}
	made, err := record.File(d.Record)
	return err == nil && d.Record.Exact && bytes.Equal(made, r.Bytes())
}

// EnvelopeKinds lists the kinds that have an envelope.
func EnvelopeKinds() (names []string) {
	for _, s := range shapes() {
		if s.layout == Envelopes {
			names = append(names, s.kind)
		}
	}
	return names
}

// EnvelopeFile returns the envelope of a context or a handoff. lost names the parts of the record that an envelope
// cannot hold. For other kinds it returns an error.
func EnvelopeFile(r *record.Record) (f File, lost []string, err error) {
	all := shapes()
	i := slices.IndexFunc(all, func(s shape) bool { return s.layout == Envelopes && s.kind == r.Kind })
	if i < 0 {
		return f, nil, fmt.Errorf("only a context or a handoff has an envelope, and this is of the kind %s", r.Kind)
	}
	c := all[i]
	kind, _ := schema.Named(r.Kind)
	doc := []byte("{}")
	add := func(at string, v any) {
		data, e := encode(v)
		if e == nil {
			doc, e = sjson.SetRawBytes(doc, at, data) // keeps the order of members
		}
		err = cmp.Or(err, e)
	}
	add("meta.created", r.Created.UTC().Format("2006-01-02T15:04:05Z"))
	add("meta.category", c.category)
	add("meta.summary", r.Title)
	if r.Session != "" {
		add("meta.session_id", r.Session)
	}
	add("content", struct{}{})
	ours := kind.Content(r.Body)
	for _, part := range kind.Sections {
		switch v, ok := ours[part.Key()]; {
		case ok:
			add("content."+c.member(part), v)
		case part.List && c.kind == "handoff":
			add("content."+c.member(part), []string{})
		}
	}
	if isOutside(r.Body, kind) {
		add("content.body", r.Body) // the whole body: text outside the sections would be lost
	}
	var indented bytes.Buffer
	if err = cmp.Or(err, json.Indent(&indented, doc, "", "  ")); err != nil {
		return f, nil, err
	}
	indented.WriteByte('\n')
	name := r.Slug
	if day := r.Created.Format("2006-01-02"); c.category == "context" && !strings.HasPrefix(name, day) {
		name = day + "-" + name
	}
	lost = namesOf(
		trait{"changes", len(r.Changes) > 1}, trait{"confidence", r.Confidence != ""}, trait{"files", len(r.Files) > 0},
		trait{"project", r.Project != ""}, trait{"state", r.Stage != ""}, trait{"status", r.Status != schema.Active},
		trait{"tags", len(r.Tags) > 0},
	)
	return File{c.folder + "/" + name + ".json", indented.Bytes(), r.ID}, lost, nil
}

// isOutside reports whether a body has text outside the sections of its kind.
func isOutside(body string, kind schema.Kind) bool {
	sections := markdown.Sections(body)
	lead := body
	if len(sections) > 0 {
		lead = body[:sections[0].Start]
	}
	if strings.TrimSpace(lead) != "" {
		return true
	}
	for _, s := range sections {
		if _, known := kind.Part(s.Heading); !known && strings.TrimSpace(body[s.Text:s.End]) != "" {
			return true
		}
	}
	return false
}

// IndexHeader is the first line of the list that RenderIndex makes. A file without it was not written by memento.
const IndexHeader = "<!-- written by memento export --index: what is changed here is lost at the next -->"

// RenderIndex returns the list of records for a team: titles, no bodies. The same records make the same bytes, in any
// order.
func RenderIndex(project string, records []*record.Record) []byte {
	records = slices.Clone(records)
	slices.SortFunc(records, func(a, b *record.Record) int {
		if c := kindOrder(a.Kind) - kindOrder(b.Kind); c != 0 {
			return c
		}
		if c := strings.Compare(a.Title, b.Title); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n\n# Records of %s\n\n", IndexHeader, cell(project))
	if len(records) == 0 {
		b.WriteString("There are none.\n")
		return b.Bytes()
	}
	b.WriteString("| Kind | Title | Updated | Tags |\n| --- | --- | --- | --- |\n")
	for _, r := range records {
		updated := ""
		if !r.Updated.IsZero() {
			updated = r.Updated.UTC().Format("2006-01-02")
		}
		tags := slices.Clone(r.Tags)
		slices.Sort(tags)
		title := cell(r.Title)
		if schema.Over(r.Stage) {
			title += " (" + cell(r.Stage) + ")"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(r.Kind), title, updated, cell(strings.Join(tags, ", ")))
	}
	return b.Bytes()
}

func kindOrder(name string) int {
	return slices.IndexFunc(schema.Kinds, func(k schema.Kind) bool { return k.Name == name })
}

// cell returns s as plain text for a cell of a Markdown table: no link, no markup, no mention, no end of the cell.
func cell(s string) string {
	var b strings.Builder
	s = text.Line(s)
	for i, r := range s {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		// characters that make a link without markup
		case r == '@', r == ':' && strings.HasPrefix(s[i:], "://"), r == '.' && i >= 3 &&
			strings.EqualFold(s[i-3:i], "www"):
			fmt.Fprintf(&b, "&#%d;", r)
		case strings.ContainsRune("\\`*_{}[]()#+!|>~$", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
