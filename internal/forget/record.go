package forget

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/removal"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// erasure returns the Erasure for records.
func (e *Eraser) erasure() record.Erasure {
	return record.Erasure{Has: e.What.quotes, Loose: e.What.Loose}
}

// eraseRecords erases from the records that stay, and removes files that were set aside.
func (e *Eraser) eraseRecords() error { return e.records(false) }

// removeRecords removes the records whose name or title holds the words. They go last, since a second run needs
// them to find their names elsewhere.
func (e *Eraser) removeRecords() error { return e.records(true) }

// records erases from the records that go whole, or from the others.
func (e *Eraser) records(whole bool) error {
	paths, err := record.Files(e.Dir, e.Records, e.All)
	if err != nil {
		return err
	}
	for _, path := range paths {
		e.step()
		data, err := safefile.Read(path, maxOther)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, safefile.ErrRefused):
			continue // memento does not read a file that is not its own
		case err != nil:
			return err
		}
		if erased := e.erasure().EraseFile(path, data); erased.Gone == nil || erased.Whole != whole {
			continue
		}
		if err := e.record(path, whole); err != nil {
			return err
		}
	}
	return nil
}

// record erases from one record's file under the lock of all records.
func (e *Eraser) record(path string, whole bool) error {
	var failed error
	err := e.rewrite(path, safefile.LockPath(e.Dir, "records"), func(data []byte) []byte {
		erased := e.erasure().EraseFile(path, data)
		if erased.Whole != whole { // it changed meanwhile, and the next pass erases from it
			return data
		}
		id, project, _ := naming.OfFile(filepath.Base(path))
		if whole && project != "" {
			e.What.names = append(e.What.names, text.Fold(id))
		}
		if erased.Title != "" && !e.Dry {
			removed := removal.List{Dir: e.Dir, Now: func() time.Time { return e.Now }}
			if failed = removed.Add(project, erased.Title, ""); failed != nil {
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
