package exchange

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/jsonx"
	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
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

// ErrNoFolder: a file is in the place of a folder.
var ErrNoFolder = errors.New("it is a file, and a folder is expected")

// File is a file to write. Path is relative to the folder of the export.
type File struct {
	Path string
	Data []byte
}

// MarkdownFiles returns the records' own files; completed and archived ones are in naming.Archive.
func MarkdownFiles(records []*record.Record) (out []File) {
	for _, r := range records {
		out = append(out, File{filepath.ToSlash(record.Store{}.Path(r.ID, r.Status)), r.Bytes()})
	}
	return out
}

// MarkdownStream returns one text to read: the record as it is, or several, each below a line with its id.
func MarkdownStream(records []*record.Record) []byte {
	var parts []string
	for _, r := range records {
		part := strings.TrimSuffix(text.Plain(string(r.Bytes())), "\n") + "\n"
		if len(records) > 1 {
			part = "<!-- " + r.ID + " -->\n\n" + part
		}
		parts = append(parts, part)
	}
	return []byte(strings.Join(parts, "\n"))
}

// EncodeRecords returns an export in JSON: the whole file of each record, and beside it its fields for scripts.
func EncodeRecords(records []*record.Record) ([]byte, error) {
	var lines []string
	for _, r := range records {
		f := r.Fields()
		f["file"] = string(r.Bytes())
		line, err := jsonx.Marshal(f)
		if err != nil {
			return nil, err
		}
		lines = append(lines, string(line))
	}
	return []byte(`{"version":1,"records":[` + "\n" + strings.Join(lines, ",\n") + "\n]}\n"), nil
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
	switch day := r.Created.Format(time.DateOnly); {
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
	data, err := jsonx.Marshal(map[string]any{"meta": meta, "content": content})
	return File{folder + "/" + name + ".json", jsonx.Layout(data)}, err
}

// Write writes files into dir. It overwrites no file. It returns the paths that it wrote and the files that existed
// before. It ends at the first error; files written until then stay.
func Write(dir string, files []File) (wrote []string, left []Omission, err error) {
	for _, f := range files {
		at := filepath.Join(dir, filepath.FromSlash(f.Path))
		err := openFolder(dir)
		if err == nil {
			err = openFolder(filepath.Dir(at))
		}
		if err == nil {
			err = safefile.Create(at, f.Data, 0o600)
		}
		switch {
		case err == nil:
			wrote = append(wrote, at)
		case errors.Is(err, fs.ErrExist):
			left = append(left, Omission{Path: at, Why: "it is there already, and stays"})
		default:
			return wrote, left, err
		}
	}
	return wrote, left, nil
}

// openFolder makes a folder to write into, unless it exists.
func openFolder(dir string) error {
	err := safefile.Folder(dir)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%s: %w", dir, ErrNoFolder)
	}
	return err
}
