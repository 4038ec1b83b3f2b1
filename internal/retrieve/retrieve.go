// Package retrieve finds the records that answer a question, and those that concern a prompt or a session's start. It
// keeps the search index up to date with the records. It ranks no query, which search does, and changes no record. The
// index is a cache: when it is missing, stale, damaged or cannot be written, the answers are the same, only slower.
package retrieve

import (
	"strings"
	"time"

	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/search"
)

// Open returns the store of the records in dir, memento's folder. The store indexes each change at once. When that
// fails, the change still succeeds, and the next search indexes it.
func Open(dir string, now func() time.Time, wait time.Duration) record.Store {
	s := record.Store{Dir: dir, Now: now, Wait: wait}
	s.Index = index{s}
	return s
}

// index updates the search index of the records in store. store itself has no Index.
type index struct{ store record.Store }

func (x index) Saved(all ...*record.Record) {
	defer func() { _ = recover() }() // a panic must not fail a save that is done
	docs := make([]search.Doc, 0, len(all))
	for _, r := range all {
		at := stamp(x.store, r.ID)
		if at.Size == int64(len(r.Bytes())) { // else it changed again meanwhile, and the next search indexes it
			docs = append(docs, document(r, at))
		}
	}
	_ = search.Update(x.store.Dir, x.store.Wait, docs, nil)
}

func (x index) Deleted(id string) {
	defer func() { _ = recover() }() // a panic must not fail a removal that is done
	_ = search.Update(x.store.Dir, x.store.Wait, nil, []string{id})
}

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

// words returns the text of a record to index besides its title and tags: its body without labels, and the files it
// names.
func words(r *record.Record) string {
	body := r.Body
	if len(r.Files) == 0 {
		return body
	}
	return strings.TrimRight(body, "\n") + "\n\nFiles: " + strings.Join(r.Files, ", ") + "\n"
}
