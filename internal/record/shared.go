package record

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/mementohq/memento/internal/markdown"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// ErrShared says that a record is a copy of a file in its repository, which alone changes the record.
var ErrShared = errors.New("it comes from the repository")

// ownOnly returns ErrShared for a copy of a repository's file.
func (r *Record) ownOnly() error {
	if r.Shared == "" {
		return nil
	}
	return fmt.Errorf("%s: %w", r.ID, ErrShared)
}

// Limits of what a repository's file may say in its front matter.
const (
	maxForeignTags  = 20
	maxForeignFiles = 50
	maxForeignPath  = 300 // characters
)

// Shareable reports whether records of this kind go into a repository: those that somebody saved for a project. What
// memento writes unasked, and what is about a person, does not.
func Shareable(k schema.Kind) bool { return k.Name != "" && !k.Unasked && !k.Personal && !k.Hidden }

// DecodeForeign reads a file that stands in a repository, which anybody may have written. It takes over what the record
// says, within limits, and nothing that says whose words these are. Errors: *markdown.FrontError; ErrInvalid for a file
// that is no record.
func DecodeForeign(project, name string, data []byte) (*Record, error) {
	id, err := naming.ID(project, naming.Shared(name))
	if err != nil {
		return nil, err
	}
	r, err := Decode(id, data)
	if err != nil {
		return nil, err
	}
	if !r.doc.Has("kind") || !Shareable(r.kind()) {
		return nil, fmt.Errorf("%w: it names no kind of record that is shared", ErrInvalid)
	}
	out := &Record{ID: r.ID, Project: r.Project, Slug: r.Slug, Kind: r.Kind, Status: r.Status, Stage: r.Stage,
		Created: r.Created, Updated: r.Updated, Body: r.Body}
	if out.Title, _ = text.Cut(text.Line(r.Title), schema.MaxTitle); out.Title == "" {
		return nil, fmt.Errorf("%w: it has no title", ErrInvalid)
	}
	if !slices.Contains(schema.Statuses(), out.Status) {
		out.Status = schema.Active
	}
	if !slices.Contains(r.kind().Stages, out.Stage) {
		out.Stage = ""
	}
	for _, tag := range r.Tags[:min(len(r.Tags), maxForeignTags)] {
		if tag, _ = text.Cut(text.Line(tag), schema.MaxTag); tag != "" {
			out.Tags = append(out.Tags, tag)
		}
	}
	for _, file := range r.Files[:min(len(r.Files), maxForeignFiles)] {
		if filepath.IsLocal(file) && text.Runes(file) <= maxForeignPath && text.Line(file) == file {
			out.Files = append(out.Files, file)
		}
	}
	return out, nil
}

// Portable returns the file of a record for other people: what the record says, without its project, session, branch
// and history, and without secrets and private words. The same record gives the same bytes. author is "" for none.
// secrets names the kinds of the secrets that it took out. Error: ErrInvalid.
func Portable(r Record, author string) (data []byte, secrets []string, err error) {
	r.doc, r.was, r.Secrets = markdown.New(), nil, nil
	r.Body = withoutControls(text.Private(r.Body))
	r.clean()
	for _, f := range r.fields() {
		switch f.key {
		case "session", "source", "branch", "shared":
		case "tags", "files":
			if len(*f.list) > 0 {
				f.write(r.doc)
			}
		default:
			if f.time != nil && !f.time.IsZero() || f.text != nil && *f.text != "" {
				f.write(r.doc)
			}
		}
	}
	if author = text.Line(redact.Clean(author)); author != "" {
		r.doc.Set("author", author)
	}
	r.doc.SetBody(r.Body)
	r.Secrets = append(r.Secrets, r.doc.Redact()...)
	if data = r.doc.Bytes(); len(data) > schema.MaxBytes {
		return nil, nil, fmt.Errorf("%w: %d bytes, at most %d", ErrInvalid, len(data), schema.MaxBytes)
	}
	return data, r.Secrets, nil
}

// Mirror writes r, a copy of a repository's file, in place of the record that has its id, and returns it. summary is
// the entry of its history, "" for none. It writes nothing when the record is as it should be. Errors: ErrInvalid when
// the id is of a record that is no such copy; *naming.Error, safefile's. The stored record is then unchanged.
func (s Store) Mirror(r Record, summary string) (*Record, error) {
	unlock, err := s.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	r.Project = s.CurrentName(r.Project)
	if r.ID, err = naming.ID(r.Project, r.Slug); err != nil {
		return nil, err
	}
	r.doc, r.was, r.Secrets, r.Exact = nil, nil, nil, false
	r.Body = withoutControls(text.Private(r.Body))
	r.clean()
	was := ""
	old, err := s.heal(r.ID)
	switch {
	case isNotFound(err):
	case isFront(err): // a copy that somebody damaged is made again
	case err != nil:
		return nil, err
	case old.Shared == "":
		return nil, fmt.Errorf("%w: %s is a record of its own", ErrInvalid, r.ID)
	default:
		was = old.Path
	}
	if summary != "" {
		r.addChange(Change{Summary: summary, Field: "status", New: r.Status}, s.Now())
	}
	if err := r.encode(); err != nil {
		return nil, err
	}
	if old != nil && bytes.Equal(old.Bytes(), r.doc.Bytes()) {
		return old, nil
	}
	r.doc = nil
	return s.write(&r, s.Path(r.ID, r.Status), was)
}

// Unshare deletes the copy of a repository's file, if there is one. Errors: safefile's.
func (s Store) Unshare(id string) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	switch r, err := s.heal(id); {
	case isNotFound(err):
		return nil
	case err != nil:
		return err
	case r.Shared == "":
		return fmt.Errorf("%w: %s is a record of its own", ErrInvalid, id)
	}
	return s.erase(id)
}
