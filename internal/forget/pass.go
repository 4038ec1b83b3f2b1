package forget

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
)

// steps returns what a pass does. The sources come last: while they stand, a run after one that was killed finds what
// was made from them.
func (e *Eraser) steps() [6]func() error {
	return [...]func() error{e.eraseWaiting, e.eraseFiles, e.eraseRecords, e.erasePace, e.eraseLog, e.removeRecords}
}

// pass erases from every file once. It sets changed when it changes one.
func (e *Eraser) pass() error {
	e.changed = !e.Dry && Unfinished(e.Dir)
	for _, step := range e.steps() {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// rewrite replaces the file at path by the result of erase, under lock unless that is "". It removes a file when
// nothing is left.
func (e *Eraser) rewrite(path, lock string, erase func(data []byte) (left []byte)) error {
	if !e.Dry {
		unlock, err := hold(lock, e.Wait)
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

// Unfinished removes the temporary files of killed processes below memento's folder, which nobody reads, and reports
// whether there were any. It waits until a file is old enough.
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

// eraseWaiting erases from the prompts that wait for a transcript.
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
		err := e.rewriteOurs(path, safefile.LockPath(e.Dir, id), func(data []byte) []byte { return erase(path, data) })
		if err != nil {
			return err
		}
	}
	return nil
}

// eraseFiles erases from the chosen lanes' journals, and removes files that were set aside and hold the
// words.
func (e *Eraser) eraseFiles() error {
	files, err := laneFiles(e.Dir, e.All, e.Chosen)
	if errors.Is(err, safefile.ErrRefused) { // the archive is a link: what stands there is somebody else's
		err = nil
	}
	for _, f := range files {
		if err != nil || f.holds == project.NoLaneFile {
			continue
		}
		err = e.rewriteOurs(f.path, f.lock, func(data []byte) []byte {
			if f.holds == project.AsideFile && e.What.Loose(data) {
				e.note("set aside", f.path, "", "")
				return nil
			} else if f.holds == project.AsideFile {
				return data
			}
			left, gone := journal.Erase(e.What.kept, data)
			for _, g := range gone {
				e.note(g.Kind, f.path, g.TS, g.Words)
			}
			return left
		})
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
	if e.Past == nil {
		return nil
	}
	gone, err := log.Store{Dir: e.Dir, Wait: e.Wait}.Erase(log.Erasure{Chosen: e.Past, Has: e.What.Has,
		Source: e.What.kept.IsSource, Loose: e.What.Loose, Whole: e.erased.HasTurn, Dry: e.Dry, File: e.step,
		Left: func(project string, one log.Entry) ([]log.Entry, []log.Gone) {
			if !e.Chosen(history.LaneName(project, one.Lane)) {
				return []log.Entry{one}, nil
			}
			return e.What.kept.Entry(one)
		}})
	for _, g := range gone {
		if g.ID != "" { // the owner of what left a journal knows which words went
			e.What.add(g.Words)
		}
		if g.Kind == "said" {
			e.What.kept.Sources[g.ID] = true
		}
		e.note(g.Kind, g.Path, g.TS, g.Words)
	}
	e.changed = e.changed || !e.Dry && len(gone) > 0
	return err
}
