// Package retrieve finds the records that answer a question, and those that concern what was typed or begun, by an
// index that it keeps up to date with them. How a query is ranked is decided in search, what a record is in record;
// nothing here changes a record. The index is a cache: when it is missing, stale, damaged or cannot be written, the
// answers are the same, only slower.
package retrieve

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/search"
)

// Open returns the store of the records in dir, memento's folder, whose changes are indexed as they are made. That a
// change could not be indexed never fails it: the next look-up finds out and does it.
func Open(dir string, now func() time.Time, wait time.Duration) record.Store {
	s := record.Store{Dir: dir, Now: now, Wait: wait}
	s.Index = index{s}
	return s
}

// index keeps the search index of the records in store, which has none itself.
type index struct{ store record.Store }

func (x index) Saved(r *record.Record) {
	defer func() { _ = recover() }() // the record is written already
	n, err := safefile.Stat(r.Path)
	if err != nil || n.Size != int64(len(r.Bytes())) { // somebody was faster: the next look-up indexes it
		return
	}
	archived := filepath.Base(filepath.Dir(r.Path)) == record.Archive
	_ = search.Update(x.store.Dir, x.store.Wait, []search.Doc{document(r, stampOf(n, archived))}, nil)
}

func (x index) Deleted(id string) {
	defer func() { _ = recover() }() // the record is gone already
	_ = search.Update(x.store.Dir, x.store.Wait, nil, []string{id})
}

// Indexed reports whether there is an index in dir, in whatever state.
func Indexed(dir string) bool { return search.Exists(dir) }

// Active names the active records of a kind in a project by the index.
func (x index) Active(project, kind string) (ids []string, known bool) {
	all, err := search.Open(x.store.Dir)
	if err != nil {
		return nil, false
	}
	defer all.Close()
	among := func(m search.Meta) bool {
		return m.Project == project && m.Kind == kind && m.Status == schema.Active && !m.Broken
	}
	err = all.Each(search.Keep{Among: among}, func(m search.Meta) bool {
		ids = append(ids, m.ID)
		return true
	})
	return ids, err == nil && ids != nil // what is written unasked may not be in it yet
}

// Titled names the records of a project that have this title by the index, compared with the folder first: what was
// written unasked may not be in it yet.
func (x index) Titled(project, title string) (ids []string, known bool) {
	all, done, _, err := compare(x.store, reach{project: project, hook: true})
	if all == nil {
		return nil, false
	}
	defer all.Close()
	if err != nil || all.Len() == 0 || slices.ContainsFunc(done.Left, named) {
		return nil, false
	}
	ids, err = all.Keyed(project, naming.TitleKey(title))
	return ids, err == nil
}

// stampOf is the state of a record's file. One in the archive has another: a file that a person moves there, or out of
// it, keeps its size, time and number, and becomes a record of another status.
func stampOf(n safefile.Name, archived bool) search.Stamp {
	s := search.Stamp{Size: n.Size, Time: n.Time, Number: n.Number}
	if archived {
		if s.Time++; s.Number != 0 {
			s.Number = ^s.Number
		}
	}
	return s
}

// document is a record as it is indexed.
func document(r *record.Record, stamp search.Stamp) search.Doc {
	return search.Doc{
		Meta: search.Meta{
			ID: r.ID, Title: r.Title, Tags: r.Tags, Kind: r.Kind, Project: r.Project, Status: r.Status, State: r.Stage,
			Updated: r.Updated.Unix(), Stamp: stamp,
		},
		Body: words(r), Key: naming.TitleKey(r.Title),
	}
}

// words is the text of a record that a query is looked for in, besides its title and tags: its body, and the files it
// names.
func words(r *record.Record) string {
	if len(r.Files) == 0 {
		return r.Body
	}
	return strings.TrimRight(r.Body, "\n") + "\n\nFiles: " + strings.Join(r.Files, ", ") + "\n"
}
