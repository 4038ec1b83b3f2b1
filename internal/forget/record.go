package forget

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/search"
	"github.com/mementohq/memento/internal/text"
)

// erasure is what is to go out of records: of an entry only what was written unasked, since a record that was asked
// for is more than the entry it speaks of.
func (e *Eraser) erasure() record.Erasure {
	return record.Erasure{Has: e.What.quotes, Loose: e.What.Loose, Unasked: e.What.phrase == ""}
}

// eachRecord calls f with each of the records' files that holds what is to go, and what is left of it.
func (e *Eraser) eachRecord(f func(path string, erased record.Erased) error) error {
	paths, err := record.Files(e.Dir, e.Records, e.All)
	if err != nil {
		return err
	}
	for _, path := range paths {
		e.step(1)
		data, err := safefile.Read(path, maxOther)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, safefile.ErrRefused):
			continue // not ours: nothing of it is read either
		case err != nil:
			return err
		}
		if erased := e.erasure().EraseFile(path, data); erased.Gone != nil {
			if err := f(path, erased); err != nil {
				return err
			}
		}
	}
	return nil
}

// gatherRecords learns which records go whole, so that what speaks of them by name is known.
func (e *Eraser) gatherRecords() error {
	return e.eachRecord(func(path string, erased record.Erased) error {
		if id, project, _ := naming.OfFile(filepath.Base(path)); erased.Whole && project != "" {
			e.What.names = append(e.What.names, text.Fold(id))
			e.What.add(erased.Title)
		}
		return nil
	})
}

// eraseRecords takes what is to go out of the records that stay, and removes what was set aside of any.
func (e *Eraser) eraseRecords() error { return e.records(false) }

// removeRecords removes those whose name or title holds it. They go last: what speaks of them is known by them.
func (e *Eraser) removeRecords() error { return e.records(true) }

func (e *Eraser) records(whole bool) error {
	return e.eachRecord(func(path string, erased record.Erased) error {
		if erased.Whole != whole {
			return nil
		}
		if err := e.stop(path); err != nil {
			return err
		}
		return e.record(path, whole)
	})
}

// record does it to one file, as it is now, under the lock of all records.
func (e *Eraser) record(path string, whole bool) error {
	var failed error
	err := e.rewrite(path, e.lock("records"), maxOther, func(data []byte) []byte {
		erased := e.erasure().EraseFile(path, data)
		if erased.Whole != whole { // it was changed meanwhile: the next pass sees to it
			return data
		}
		if _, project, _ := naming.OfFile(filepath.Base(path)); erased.Title != "" && !e.Dry {
			store := record.Store{Dir: e.Dir, Now: func() time.Time { return e.Now }}
			if failed = store.Forbid(project, erased.Title); failed != nil {
				return data
			}
		}
		for _, g := range erased.Gone {
			e.note(erased.Kind, path, "", g.Words)
			if g.Part != "file" {
				e.What.add(g.Words)
			}
		}
		return erased.Left
	})
	return errors.Join(err, failed)
}

// eraseIndex removes the search index, which holds the words of records in forms of its own, unless there is nothing of
// them in it. It is made again from what is left.
func (e *Eraser) eraseIndex() error {
	if e.Dry || e.Records == nil || len(e.order) == 0 && e.What.phrase != "" && !e.inIndex() {
		return nil
	}
	return search.Erase(e.Dir, e.Wait)
}

// inIndex reports whether the index may hold the phrase of a record that is not there any more, or was changed since:
// in a title, a tag or a name, which it keeps as they are, or among its terms, where no record of today accounts for
// that. It forgets endings: "waits" accounts for "waiting".
func (e *Eraser) inIndex() bool {
	if search.AnyFile(e.Dir, e.What.Loose) {
		return true
	}
	if !search.MayHold(e.Dir, e.What.phrase) {
		return false
	}
	paths, _ := record.Files(e.Dir, func(string) bool { return true }, true)
	for _, path := range paths {
		if data, err := safefile.Read(path, maxOther); err == nil && search.Matches(string(data), e.What.phrase) {
			return false
		}
	}
	return true
}
