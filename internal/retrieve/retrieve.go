// Package retrieve finds the records that answer a question, and those that concern what was typed or begun, by an index that
// it keeps up to date with them. How a query is ranked is decided in search, what a record is in record; nothing here changes a
// record. The index is a cache: when it is missing, stale, damaged or cannot be written, the answers are the same, only slower.
package retrieve

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/search"
)

// Open returns the store of the records in dir, memento's folder, whose changes are indexed as they are made. That a change
// could not be indexed never fails it: the next look-up finds out and does it.
func Open(dir string, now func() time.Time, wait time.Duration) record.Store {
	s := record.Store{Dir: dir, Now: now, Wait: wait, Active: func(project, kind string) []string { return active(dir, project, kind) }}
	s.Titled = func(project, title string) []string { return titled(s, project, title) }
	s.Called = func(name string) string { return called(dir, name) }
	s.Changed = func(saved *record.Record, deleted string) {
		defer func() { _ = recover() }() // the record is written already
		if saved == nil {
			_ = search.Update(dir, wait, nil, []string{deleted})
			return
		}
		n, err := safefile.Stat(saved.Path)
		if err != nil || n.Size != int64(len(saved.Bytes())) { // somebody was faster: what stands there now is indexed at the next look-up
			return
		}
		_ = search.Update(dir, wait, []search.Doc{document(saved, stampOf(n, filepath.Base(filepath.Dir(saved.Path)) == record.Archive))}, nil)
	}
	return s
}

// Indexed reports whether there is an index in dir, in whatever state.
func Indexed(dir string) bool { return search.There(dir) }

// active names the active records of a kind in a project by the index; nil when there is none.
func active(dir, project, kind string) (ids []string) {
	x, err := search.Open(dir)
	if err != nil {
		return nil
	}
	defer x.Close()
	among := func(m search.Meta) bool {
		return m.Project == project && m.Kind == kind && m.Status == record.Active && !m.Broken
	}
	err = x.Each(search.Keep{Among: among}, func(m search.Meta) bool {
		ids = append(ids, m.ID)
		return true
	})
	if err != nil {
		return nil
	}
	return ids
}

// titled names the records of a project that have this title by the index, compared with the folder first: what was written unasked
// may not be in it yet. nil when that does not tell.
func titled(s record.Store, project, title string) []string {
	x, done, _, err := compare(s, reach{project: project, hook: true})
	if x == nil {
		return nil
	}
	defer x.Close()
	if err != nil || x.Len() == 0 || slices.ContainsFunc(done.Left, named) {
		return nil
	}
	ids, err := x.Keyed(project, record.TitleKey(title))
	if err != nil {
		return nil
	}
	return append([]string{}, ids...) // not nil: it is known that there is none
}

// called is what the project is called by now whose records went by name; name where it has it still, or nobody knows it.
func called(dir, name string) string {
	w := project.OpenWorkspace(dir)
	now := name
	for _, k := range w.Known {
		if record.Project(k.Slug) == name {
			return name
		}
		for _, was := range k.Called() {
			if record.Project(was) == name {
				now = record.Project(k.Slug)
			}
		}
	}
	return now
}

// stampOf is the state of a record's file. One in the archive has another: a file that a person moves there, or out of it, keeps its
// size, time and number, and becomes a record of another status.
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
			ID: r.ID, Title: r.Title, Tags: r.Tags, Kind: r.Kind, Project: r.Project, Status: r.Status, State: r.State, Updated: r.Updated.Unix(), Stamp: stamp,
		},
		Body: words(r), Key: record.TitleKey(r.Title),
	}
}

// words is the text of a record that a query is looked for in, besides its title and tags: its body, and the files it names.
func words(r *record.Record) string {
	if len(r.Files) == 0 {
		return r.Body
	}
	return strings.TrimRight(r.Body, "\n") + "\n\nFiles: " + strings.Join(r.Files, ", ") + "\n"
}
