package shared

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// Limits of what a repository's file may say in its front matter.
const (
	maxTags = 20
	maxRefs = 50  // files that a record names
	maxRef  = 300 // characters
)

// shareable reports whether records of this kind go into a repository: those that somebody saved for a project. What
// memento writes unasked, and what is about a person, does not.
func shareable(k schema.Kind) bool { return k.Name != "" && !k.Unasked && !k.Personal && !k.Hidden }

// decode reads a file that stands in a repository, which anybody may have written. It takes over what the record says,
// within limits, and nothing that says whose words these are. It fails for what is no record that a repository carries.
func decode(project, name string, data []byte) (*record.Record, error) {
	id, err := naming.ID(project, naming.Shared(name))
	if err != nil {
		return nil, err
	}
	d, err := markdown.Parse(data)
	if err != nil {
		return nil, err
	}
	r, err := record.Decode(id, data)
	if err != nil {
		return nil, err
	}
	kind, _ := schema.Named(r.Kind)
	out := &record.Record{ID: r.ID, Project: r.Project, Slug: r.Slug, Kind: r.Kind, Status: r.Status, Stage: r.Stage,
		Created: r.Created, Updated: r.Updated, Body: r.Body}
	out.Title, _ = text.Cut(text.OneLine(r.Title), schema.MaxTitle)
	if !d.Has("kind") || !shareable(kind) || out.Title == "" { // Decode makes a memento of any Markdown
		return nil, errors.New("it is no record")
	}
	if !slices.Contains(schema.Statuses(), out.Status) {
		out.Status = schema.Active
	}
	if !slices.Contains(kind.Stages, out.Stage) {
		out.Stage = ""
	}
	for _, tag := range r.Tags[:min(len(r.Tags), maxTags)] {
		if tag, _ = text.Cut(text.OneLine(tag), schema.MaxTag); tag != "" {
			out.Tags = append(out.Tags, tag)
		}
	}
	for _, file := range r.Files[:min(len(r.Files), maxRefs)] {
		if filepath.IsLocal(file) && text.Runes(file) <= maxRef && text.OneLine(file) == file {
			out.Files = append(out.Files, file)
		}
	}
	return out, nil
}

// Encode returns the file of a record for other people: what the record says, without its project, session, branch and
// history, and without secrets and private words. The same record gives the same bytes. secrets names
// the kinds of the secrets that it took out. Error: record.ErrInvalid for a file that is too large.
func Encode(r record.Record) (data []byte, secrets []string, err error) {
	d := markdown.New()
	clean := func(s string) string {
		s, kinds := redact.Text(text.Private(s))
		secrets = append(secrets, kinds...)
		return s
	}
	for _, f := range [...]struct{ key, value string }{
		{"kind", r.Kind}, {"title", r.Title}, {"status", r.Status}, {"stage", r.Stage}, {"confidence", r.Confidence},
		{"created", text.Moment(r.Created)}, {"updated", text.Moment(r.Updated)},
	} {
		if v := text.OneLine(clean(f.value)); v != "" {
			d.Set(f.key, v)
		}
	}
	for _, f := range [...]struct {
		key  string
		list []string
	}{{"tags", r.Tags}, {"files", r.Files}} {
		var list []string
		for _, v := range f.list {
			if v = text.OneLine(clean(v)); v != "" {
				list = append(list, v)
			}
		}
		if list != nil {
			d.SetList(f.key, list)
		}
	}
	d.SetBody(clean(text.Plain(r.Body)))
	secrets = append(secrets, d.Redact()...) // two harmless values may be a secret side by side
	if data = d.Bytes(); len(data) > schema.MaxBytes {
		return nil, nil, fmt.Errorf("%w: %d bytes, at most %d", record.ErrInvalid, len(data), schema.MaxBytes)
	}
	return data, secrets, nil
}
