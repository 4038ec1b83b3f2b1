// Package forget erases words, a mission or a whole project from everything memento keeps: journals, the log, words
// that wait, records, and files that were set aside. It lists the files, takes their locks, passes over them until it
// finds nothing, and returns what it found. The format of a file may not come in: only the package that writes the file
// knows where somebody's words are.
//
// A run first notes in erased.json what it erases, so that no transcript and no sync brings it back. Then it passes
// over the files that hold words; what is made of these is in the folder cache, which it empties. It replaces each file
// whole or not at all. When a run is cut off, the same run again does the rest.
package forget

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/withheld"
)

// Eraser erases a phrase, what is known to be forgotten, or else everything, from one or all projects. Settings and the
// withheld words stay.
type Eraser struct {
	Dir     string
	Chosen  func(lane string) bool    // selects the lanes, for journals and words that wait
	Records func(project string) bool // selects the projects, for records; nil for none
	Past    func(slug string) bool    // selects the projects, for the log; nil for what is of the lanes alone
	All     bool                      // also files of no lane

	Phrase string           // goes with every text that holds it; "" for another choice
	In     []string         // the places where Phrase stays forgotten, as for withheld.Erasure.In; nil for all
	Known  *withheld.Erased // goes, by its ids and phrases, when there is no Phrase; nil for everything

	Now  time.Time
	Wait time.Duration       // for each lock
	Dry  bool                // change nothing
	Said func(done, all int) // receives the number of files searched so far, and 0; nil for nobody

	words    words
	found    []log.Gone
	seen     map[log.Gone]bool
	sessions []string // that go whole
	changed  bool     // whether this pass changed a file
	done     int
}

const (
	maxOther = 64 << 20 // bytes of a file
	// unfinished is the age from which a temporary file belongs to a dead process.
	unfinished = 2 * time.Second
	// passes is the greatest number of passes. A hook that runs meanwhile may copy words into a file that is done.
	passes = 4
)

// isWhole reports whether everything goes.
func (e *Eraser) isWhole() bool { return e.Phrase == "" && e.Known == nil }

// Run erases, and returns the texts that it found, or the files when everything goes. The words of a text are the few
// before the erased ones, never these. Errors: withheld.ErrPhrase, safefile.ErrBusy, safefile.ErrRefused,
// safefile.ErrTooLarge, the disk's. After an error a part is erased, and the same run again goes on.
func (e *Eraser) Run() (found []log.Gone, err error) {
	e.found, e.seen, e.done = nil, map[log.Gone]bool{}, 0
	if err := e.chooseWords(); err != nil {
		return nil, err
	}
	dry := e.Dry
	e.Dry = true
	ids, err := e.learn()
	if err == nil {
		err = e.pass()
	}
	if e.Dry = dry; err != nil {
		return nil, err
	}
	if dry {
		return e.found, nil
	}
	isByPerson := e.Known == nil
	if !isByPerson && len(e.found) == 0 {
		return nil, nil
	}
	gone := withheld.Erasure{IDs: ids, Phrase: e.Phrase, In: e.In, Until: e.Now, ByPerson: isByPerson}
	if e.isWhole() {
		if err := e.withhold(&gone); err != nil {
			return nil, err
		}
	}
	if err := gone.Add(e.Dir, e.Wait); err != nil {
		return nil, err
	}
	if err := session.Clear(e.Dir, e.Wait); err != nil {
		return nil, err
	}
	for range passes {
		before := len(e.found)
		e.changed = Unfinished(e.Dir)
		if err := e.pass(); err != nil {
			return e.found, err
		}
		if !e.changed && len(e.found) == before {
			break
		}
	}
	if e.isWhole() && e.All {
		if err := e.dropLocks(); err != nil {
			return e.found, err
		}
	}
	return e.found, session.Clear(e.Dir, e.Wait) // a hook may have made some of it meanwhile
}

// learn looks for the prompts that go, and for the decisions about rules, and returns their ids. What was made of such
// a prompt goes by its id.
func (e *Eraser) learn() (ids []string, err error) {
	if e.Past == nil {
		return nil, nil
	}
	gone, err := log.Store{Dir: e.Dir, Wait: e.Wait}.Erase(log.Erasure{Forgotten: e.words, Chosen: e.Past, Dry: true})
	for _, g := range gone {
		if g.Kind == "rule" || g.Kind == "said" && !e.isWhole() {
			ids = append(ids, g.ID)
			e.words.ids[g.ID] = true
			e.words.said = append(e.words.said, withheld.Fold(g.Words))
		}
	}
	return ids, err
}

// pass erases from every file once. It sets changed when it changes one.
func (e *Eraser) pass() error {
	for _, step := range [...]func() error{e.eraseWaiting, e.eraseFiles, e.eraseRecords, e.erasePace, e.eraseLog} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// step counts a file that was searched.
func (e *Eraser) step() {
	if e.done++; e.Said != nil {
		e.Said(e.done, 0)
	}
}

// note adds what went from the file at path to the found texts. A prompt may stand in several places with a time to the
// second or finer: to the person that is one text.
func (e *Eraser) note(path string, gone ...log.Gone) {
	for _, g := range gone {
		key := log.Gone{Kind: g.Kind, Path: path, TS: g.TS[:min(len(g.TS), len("2006-01-02T15:04:05"))], Words: g.Words}
		if !e.seen[key] {
			e.seen[key] = true
			e.found = append(e.found, log.Gone{Kind: g.Kind, Path: path, TS: g.TS, Words: e.words.before(g.Words)})
		}
	}
}

// rewrite replaces the file at path by the result of erase, under lock unless that is "". It removes a file when
// nothing is left, and one that goes whole without reading it. It skips a file that is not memento's, which memento
// does not read either.
func (e *Eraser) rewrite(path, lock string, isWhole bool, erase func(data []byte) ([]byte, []log.Gone)) error {
	e.step()
	if !e.Dry && lock != "" {
		if err := safefile.Dir(filepath.Dir(lock)); err != nil {
			return err
		}
		unlock, err := safefile.Lock(lock, e.Wait)
		if err != nil {
			return err
		}
		defer unlock()
	}
	var left []byte
	gone := []log.Gone{{Kind: "file"}}
	if !isWhole {
		data, err := safefile.Read(path, maxOther)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, safefile.ErrRefused) {
			return nil
		}
		if err != nil {
			return err
		}
		if left, gone = erase(data); len(gone) == 0 || bytes.Equal(left, data) {
			return nil
		}
	}
	e.note(path, gone...)
	if e.Dry {
		return nil
	}
	e.changed = true
	if len(left) == 0 {
		return safefile.Remove(path)
	}
	return safefile.Replace(path, left, 0o600)
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
	folder := session.WaitingFolder(e.Dir)
	files, err := safefile.ListFolder(folder)
	for _, f := range files {
		if err != nil || safefile.Temporary(f.Name()) {
			continue
		}
		id, _, _ := strings.Cut(f.Name(), ".")
		err = e.rewrite(filepath.Join(folder, f.Name()), safefile.LockPath(e.Dir, id), false,
			func(data []byte) ([]byte, []log.Gone) { return session.EraseWaiting(data, e.Chosen, e.words) })
	}
	return err
}

// eraseFiles erases from the chosen lanes' journals, and removes files that were set aside and hold the words.
func (e *Eraser) eraseFiles() error {
	files, err := laneFiles(e.Dir, e.All, e.Chosen)
	if errors.Is(err, safefile.ErrRefused) && !e.isWhole() {
		err = nil // the archive is a link: what stands there is somebody else's
	}
	for _, f := range files {
		isOfLane := f.holds != project.NoLaneFile
		if err != nil || !isOfLane && (!e.isWhole() || slices.Contains(kept[:], filepath.Base(f.path))) {
			continue
		}
		err = e.rewrite(f.path, f.lock, e.isWhole(), func(data []byte) ([]byte, []log.Gone) {
			switch {
			case f.holds != project.AsideFile:
				return journal.Erase(e.words, data)
			case e.words.Loose(data):
				return nil, []log.Gone{{Kind: "set aside"}}
			}
			return data, nil
		})
	}
	return err
}

// eraseRecords erases from the records, and remembers the titles of those that go for their words.
func (e *Eraser) eraseRecords() error {
	paths, err := record.Files(e.Dir, e.Records, e.All)
	for _, path := range paths {
		if err != nil {
			break
		}
		var failed error
		err = e.rewrite(path, safefile.LockPath(e.Dir, "records"), e.isWhole(), func(data []byte) ([]byte, []log.Gone) {
			left, gone, title := record.Erase(e.words, path, data)
			if title != "" && !e.Dry {
				_, project, _ := naming.OfFile(filepath.Base(path))
				records := record.Store{Dir: e.Dir, Now: func() time.Time { return e.Now }}
				if failed = records.NoteRemoved(project, title, ""); failed != nil {
					return data, nil
				}
			}
			return left, gone
		})
		err = errors.Join(err, failed)
	}
	return err
}

// erasePace erases the reason why a sync failed.
func (e *Eraser) erasePace() error {
	if e.isWhole() {
		return nil
	}
	found, err := pace.Erase(e.Dir, e.words.Has, e.Dry)
	if found {
		e.note(pace.Path(e.Dir), log.Gone{Kind: "sync failure"})
		e.changed = e.changed || !e.Dry
	}
	return err
}

// eraseLog erases from the log of the chosen projects, or of the chosen lanes.
func (e *Eraser) eraseLog() error {
	store := log.Store{Dir: e.Dir, Wait: e.Wait}
	isOfLane := func(project, lane string) bool { return e.Chosen(history.LaneName(project, lane)) }
	var gone []log.Gone
	var err error
	switch {
	case e.isWhole():
		var paths []string
		paths, err = store.Forget(e.Dry, e.isForgotten, isOfLane)
		for _, path := range paths {
			gone = append(gone, log.Gone{Kind: "file", Path: path})
		}
	case e.Past != nil:
		gone, err = store.Erase(log.Erasure{Forgotten: e.words, Chosen: e.Past, Dry: e.Dry, File: e.step,
			OfJournal: func(project string, one *log.Entry) []log.Gone {
				if !isOfLane(project, one.Lane) {
					return nil
				}
				return journal.EraseEntry(e.words, one)
			}})
	}
	for _, g := range gone {
		e.note(g.Path, g)
	}
	e.changed = e.changed || !e.Dry && len(gone) > 0
	return err
}
