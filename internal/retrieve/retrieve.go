// Package retrieve finds the records that answer a question, and those that concern a prompt or a session's start. It
// keeps the search index up to date with the records. It ranks no query, which search does, and changes no record. The
// index is a cache: when it is missing, stale, damaged or cannot be written, the answers are the same, only slower.
package retrieve

import (
	"strings"

	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/search"
)

// document returns the document to index for a record.
func document(r *record.Record, stamp safefile.Stamp) search.Doc {
	return search.Doc{
		Meta: search.Meta{
			ID: r.ID, Title: r.Title, Tags: r.Tags, Kind: r.Kind, Project: r.Project, Status: r.Status, Stage: r.Stage,
			Updated: r.Updated.Unix(), Stamp: stamp,
		},
		Body: words(r),
	}
}

// words returns the text of a record to index besides its title and tags: its body and the files that it names.
func words(r *record.Record) string {
	body := r.Body
	if len(r.Files) == 0 {
		return body
	}
	return strings.TrimRight(body, "\n") + "\n\nFiles: " + strings.Join(r.Files, ", ") + "\n"
}
