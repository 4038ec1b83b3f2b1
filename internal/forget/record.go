package forget

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/removal"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/shared"
	"github.com/mementohq/memento/internal/text"
)

// erasure returns the Erasure for records.
func (e *Eraser) erasure() record.Erasure {
	return record.Erasure{Has: e.What.quotes, Loose: e.What.Loose}
}

// eachRecord calls f with each record's file that holds the words, and with the rest of the file.
func (e *Eraser) eachRecord(f func(path string, erased record.Erased) error) error {
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
		if erased := e.erasure().EraseFile(path, data); erased.Gone != nil {
			if err := f(path, erased); err != nil {
				return err
			}
		}
	}
	return nil
}

// gatherRecords notes the names and titles of the records that go whole, so that the passes find them in other files.
func (e *Eraser) gatherRecords() error {
	return e.eachRecord(func(path string, erased record.Erased) error {
		e.held = true
		if id, project, _ := naming.OfFile(filepath.Base(path)); erased.Whole && project != "" {
			e.What.names = append(e.What.names, text.Fold(id))
			e.What.add(erased.Title)
		}
		return nil
	})
}

// eraseTrust takes away the trust in each version of a repository's files but those whose copies hold no such words.
// Another branch may have a version with the words, and only the person may bring it back.
func (e *Eraser) eraseTrust() error {
	if e.Records == nil {
		return nil
	}
	paths, err := record.Files(e.Dir, e.Records, e.All)
	if err != nil {
		return err
	}
	keep := map[string]bool{}
	for _, path := range paths {
		id, _, _ := naming.OfFile(filepath.Base(path))
		_, slug, _ := naming.Cut(id)
		if !strings.HasPrefix(slug, naming.SharedPrefix) {
			continue
		}
		data, err := record.ReadFile(path)
		if err != nil {
			continue
		}
		if r, err := record.Decode(id, data); err == nil && r.Shared != "" && !e.What.Loose(data) {
			keep[r.Shared] = true
		}
	}
	changed, err := shared.Keep(e.Dir, e.Records, keep, e.Dry, e.Wait)
	e.changed = e.changed || changed && !e.Dry
	return err
}

// eraseRecords erases from the records that stay, and removes files that were set aside.
func (e *Eraser) eraseRecords() error {
	if err := e.removeForgotten(); err != nil {
		return err
	}
	return e.records(false)
}

// removeRecords removes the records whose name or title holds the words. They go last, since gatherRecords of a second
// run needs them to find their names elsewhere.
func (e *Eraser) removeRecords() error { return e.records(true) }

// records erases from the records that go whole, or from the others.
func (e *Eraser) records(whole bool) error {
	return e.eachRecord(func(path string, erased record.Erased) error {
		if erased.Whole != whole {
			return nil
		}
		return e.record(path, whole)
	})
}

// removeForgotten removes the records that were forgotten whole, with their project.
func (e *Eraser) removeForgotten() error {
	if e.What.known == nil {
		return nil
	}
	paths, err := record.Files(e.Dir, e.Records, e.All)
	if err != nil {
		return err
	}
	for _, path := range paths {
		if err := e.rewriteOurs(path, e.lock("records"), func(data []byte) []byte {
			if slug, created := bornOf(path, data); !e.What.known.HasRecord(slug, created) {
				return data
			}
			e.note("record", path, "", "")
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// bornOf returns the slug of a record's file and the time at which it was created, zero for none.
func bornOf(path string, file []byte) (slug string, created time.Time) {
	id, project, _ := naming.OfFile(filepath.Base(path))
	r, err := record.Decode(id, file)
	if err != nil || project == "" {
		return "", time.Time{}
	}
	return r.Slug, r.Created
}

// record erases from one record's file under the lock of all records.
func (e *Eraser) record(path string, whole bool) error {
	var failed error
	err := e.rewrite(path, e.lock("records"), func(data []byte) []byte {
		erased := e.erasure().EraseFile(path, data)
		if erased.Whole != whole { // it changed meanwhile, and the next pass erases from it
			return data
		}
		if _, project, _ := naming.OfFile(filepath.Base(path)); erased.Title != "" && !e.Dry {
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
