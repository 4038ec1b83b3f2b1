package shared

import (
	"errors"
	"path/filepath"
	"slices"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
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
	return record.Record{Kind: r.Kind, Title: r.Title, Status: r.Status, Stage: r.Stage, Confidence: r.Confidence,
		Created: r.Created, Updated: r.Updated, Tags: r.Tags, Files: r.Files, Body: r.Body}.Encode()
}
