package exchange

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// The formats of exports.
const (
	Markdown = "markdown"
	JSON     = "json"
	Envelope = "envelope"
)

// Formats lists the formats of exports, for help and errors.
func Formats() []string { return []string{Markdown, JSON, Envelope} }

// File is a file to write. Path is relative to the folder of the export.
type File struct {
	Path string
	Data []byte
}

// MarkdownFiles returns the records' own files; completed and archived ones are in naming.Archive.
func MarkdownFiles(records []*record.Record) (out []File) {
	for _, r := range records {
		name := r.ID + ".md"
		if r.Status == schema.Completed || r.Status == schema.Archived {
			name = naming.Archive + "/" + name
		}
		out = append(out, File{name, r.Bytes()})
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
		b.WriteString(text.Plain(string(r.Bytes())))
		if !bytes.HasSuffix(b.Bytes(), []byte("\n")) {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// EncodeRecords returns an export in JSON: the whole file of each record, and beside it its fields for scripts.
func EncodeRecords(records []*record.Record) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	b.WriteString(`{"version":1,"records":[` + "\n")
	for i, r := range records {
		if i > 0 {
			b.WriteByte(',')
		}
		f := r.Fields()
		f["file"] = string(r.Bytes())
		if err := e.Encode(f); err != nil {
			return nil, err
		}
	}
	b.WriteString("]}\n")
	return b.Bytes(), nil
}

// EnvelopeKinds lists the kinds that have an envelope.
func EnvelopeKinds() []string { return []string{"context", "handoff"} }

// EnvelopeFile returns the envelope of a context or a handoff. For other kinds it returns an error.
func EnvelopeFile(r *record.Record) (File, error) {
	if !slices.Contains(EnvelopeKinds(), r.Kind) {
		return File{}, fmt.Errorf("only a context or a handoff has an envelope, and this is of the kind %s", r.Kind)
	}
	kind, _ := schema.Named(r.Kind)
	content, rest := kind.Content(r.Body), r.Body
	for _, p := range kind.Sections {
		if _, ok := content[p.Key()]; p.List && !ok {
			content[p.Key()] = []string{}
		}
		rest = markdown.RemoveSection(rest, p.Heading)
	}
	if strings.TrimSpace(rest) != "" {
		content["body"] = rest
	}
	folder, name := "context", r.Slug
	switch day := r.Created.Format("2006-01-02"); {
	case r.Kind == "handoff":
		folder = "handoffs"
		content["context_references"] = content["references"]
		delete(content, "references")
	case !strings.HasPrefix(name, day):
		name = day + "-" + name
	}
	meta := map[string]string{"created": r.Created.UTC().Format("2006-01-02T15:04:05Z"), "category": folder,
		"summary": r.Title}
	if r.Session != "" {
		meta["session_id"] = r.Session
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(map[string]any{"meta": meta, "content": content})
	return File{folder + "/" + name + ".json", b.Bytes()}, err
}

// IndexHeader is the first line of the list that RenderIndex makes. A file without it was not written by memento.
const IndexHeader = "<!-- written by memento export --index: what is changed here is lost at the next -->"

// RenderIndex returns the list of records for a team: titles, no bodies. The same records make the same bytes, in any
// order.
func RenderIndex(project string, records []*record.Record) []byte {
	kinds := schema.Names()
	records = slices.Clone(records)
	slices.SortFunc(records, func(a, b *record.Record) int {
		return cmp.Or(slices.Index(kinds, a.Kind)-slices.Index(kinds, b.Kind), cmp.Compare(a.Title, b.Title),
			cmp.Compare(a.ID, b.ID))
	})
	cell := func(s string) string { return markdown.Escape(text.Line(s)) }
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
			updated = r.Updated.UTC().Format(time.DateOnly)
		}
		title := cell(r.Title)
		if schema.Over(r.Stage) {
			title += " (" + cell(r.Stage) + ")"
		}
		tags := slices.Sorted(slices.Values(r.Tags))
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cell(r.Kind), title, updated, cell(strings.Join(tags, ", ")))
	}
	return b.Bytes()
}
