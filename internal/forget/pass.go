package forget

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
)

// pass erases from every file once. It sets changed when it changes one.
func (e *Eraser) pass() error {
	e.changed = false
	for _, erase := range [...]func() error{e.removeUnfinished, e.eraseWaiting, e.eraseFiles, e.eraseTrust,
		e.eraseRecords, e.erasePace, e.dropOthers, e.eraseLog, e.removeRecords} {
		if err := erase(); err != nil {
			return err
		}
	}
	return nil
}

// rewrite replaces the file at path by the result of erase, under lock unless that is "". It removes a file when
// nothing is left.
func (e *Eraser) rewrite(path, lock string, erase func(data []byte) (left []byte)) error {
	if lock != "" && !e.Dry {
		if err := safefile.Dir(filepath.Dir(lock)); err != nil {
			return err
		}
		unlock, err := safefile.Lock(lock, e.Wait)
		if err != nil {
			return err
		}
		defer unlock()
	}
	data, err := safefile.Read(path, maxOther)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	left := erase(data)
	switch {
	case bytes.Equal(left, data):
		return nil
	case e.Dry:
	case len(left) == 0:
		err = safefile.Remove(path)
	default:
		err = safefile.Replace(path, left, 0o600)
	}
	e.changed = e.changed || err == nil
	return err
}

// rewriteOurs is rewrite that skips a file that is not memento's. Memento does not read such a file either.
func (e *Eraser) rewriteOurs(path, lock string, erase func(data []byte) (left []byte)) error {
	err := e.rewrite(path, lock, erase)
	if errors.Is(err, safefile.ErrRefused) {
		return nil
	}
	return err
}

// whole returns a function for rewrite that removes the whole file when it holds the words.
func (e *Eraser) whole(kind, path string) func([]byte) []byte {
	return func(data []byte) []byte {
		if !e.What.Loose(data) {
			return data
		}
		e.note(kind, path, "", "")
		return nil
	}
}

// removeUnfinished removes the temporary files of killed processes: nobody reads them, and they may hold the words.
func (e *Eraser) removeUnfinished() error {
	if !e.Dry && Unfinished(e.Dir) {
		e.changed = true
	}
	return nil
}

// Unfinished removes the temporary files of killed processes below memento's folder, and reports whether there were
// any. It waits until a file is old enough.
func Unfinished(dir string) (any bool) {
	repo, _ := pace.History(dir)
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return nil // who erases there reports it
		}
		if d.IsDir() && path == repo {
			return fs.SkipDir
		}
		for safefile.Temporary(d.Name()) && d.Type().IsRegular() {
			info, err := os.Lstat(path)
			if err != nil {
				break
			}
			if age := time.Since(info.ModTime()); age >= unfinished || age < 0 {
				any = safefile.Remove(path) == nil || any
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		return nil
	})
	return any
}

// eraseWaiting erases from the prompts and the reports that wait for a transcript or a record.
func (e *Eraser) eraseWaiting() error {
	return e.eachWaiting(func(path string, data []byte) []byte {
		left, found := session.EraseWaiting(data, e.Chosen, e.What.Has, e.What.Loose)
		for _, words := range found {
			e.What.add(words)
			e.note("said", path, "", words)
		}
		return left
	})
}

// eachWaiting calls erase with each file that waits, under its session's lock.
func (e *Eraser) eachWaiting(erase func(path string, data []byte) []byte) error {
	folder := session.WaitingFolder(e.Dir)
	files, err := safefile.ListFolder(folder)
	if err != nil {
		return err
	}
	for _, f := range files {
		path := filepath.Join(folder, f.Name())
		id, _, _ := strings.Cut(f.Name(), ".")
		if safefile.Temporary(f.Name()) {
			continue
		}
		if err := e.rewriteOurs(path, e.lock(id), func(data []byte) []byte { return erase(path, data) }); err != nil {
			return err
		}
	}
	return nil
}

// eraseFiles erases from the chosen lanes' journals and debug files, and removes files that were set aside and hold the
// words.
func (e *Eraser) eraseFiles() error {
	return e.eachFile(func(path, lock string, holds project.LaneFile) error {
		if holds == project.AsideFile {
			return e.rewriteOurs(path, "", e.whole("set aside", path))
		}
		return e.rewriteOurs(path, lock, func(data []byte) []byte {
			left, gone := journal.Erase(e.What.kept, holds, data)
			for _, g := range gone {
				e.note(g.Kind, path, g.TS, g.Words)
			}
			return left
		})
	})
}

// dropOthers removes what the last sync knew of other machines, where that holds the words: the next one brings it
// again.
func (e *Eraser) dropOthers() error {
	if e.Past == nil {
		return nil
	}
	gone, err := pace.DropOthers(e.Dir, func(slug string, data []byte) bool {
		return e.Past(slug) && e.What.Loose(data)
	}, e.Dry)
	for _, path := range gone {
		e.note("mission elsewhere", path, "", "")
		e.changed = e.changed || !e.Dry
	}
	return err
}

// erasePace erases the reason why a sync failed.
func (e *Eraser) erasePace() error {
	has := func(s string) bool { return s != "" && e.What.quotes(s) }
	found, err := pace.Erase(e.Dir, has, e.Dry)
	if found {
		e.note("sync failure", pace.Path(e.Dir), "", "")
		e.changed = e.changed || !e.Dry
	}
	return err
}

// eraseLog erases from the log of the chosen projects.
func (e *Eraser) eraseLog() error {
	gone, err := e.logged(e.Dry)
	for _, g := range gone {
		if g.ID != "" { // the owner of what left a journal knows which words went
			e.What.add(g.Words)
		}
		e.note(g.Kind, g.Path, g.TS, g.Words)
	}
	e.changed = e.changed || !e.Dry && len(gone) > 0
	return err
}

// lock returns the path of the lock for changes of the file called name in memento's folder.
func (e *Eraser) lock(name string) string { return safefile.LockPath(e.Dir, name) }
