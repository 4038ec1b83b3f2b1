// Package forget orders the steps that erase words, an entry, a mission or a whole project from everything memento
// keeps: journals, the log, session memories, records, the workspace, and files that were set aside.
// It lists the files, takes their locks, passes over them until it finds nothing, and notes what it found. The format
// of a file may not come in: only the package that writes the file knows where somebody's words are.
//
// A run first adds the words to withheld, so that no transcript brings them back. Then it passes over the files that
// hold words; what is made of these is in the folder cache, which it empties. It replaces each file whole or not at
// all. When a run is cut off, the same run again does the rest.
package forget

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/withheld"
)

// Found is one thing that Run erased, or would erase.
type Found struct {
	Kind  string `json:"kind"`  // said, done, mission, …; for a whole file "unfinished write" and the like
	Path  string `json:"path"`  // of the file
	TS    string `json:"ts"`    // RFC 3339, "" for none
	Words string `json:"words"` // the few words before the erased ones; never the erased ones
}

// Eraser erases one What from one or all projects.
type Eraser struct {
	Dir    string
	Chosen func(lane string) bool // selects the lanes
	// Records selects the projects whose records Run searches; nil for none.
	Records func(project string) bool
	// Past selects the projects whose turns Run searches, by their slugs; nil for none.
	Past func(slug string) bool
	All  bool // also files of no lane
	What *What
	Now  time.Time
	Wait time.Duration // for each lock
	Dry  bool          // change nothing
	// In lists the places where a phrase stays forgotten, as for withheld.Erasure.In; nil for all.
	In []string
	// Said, unless nil, receives the number of files searched so far, and 0.
	Said func(done, all int)

	erased  *withheld.Erased // what was erased before
	found   map[string]Found // by kind, path, time and words
	order   []string         // the keys of found
	changed bool             // whether this pass changed a file
	done    int
}

// step counts a file that was searched.
func (e *Eraser) step() {
	if e.done++; e.Said != nil {
		e.Said(e.done, 0)
	}
}

const (
	maxOther = 64 << 20 // bytes of a file
	// unfinished is the age from which a temporary file belongs to a dead process.
	unfinished = 2 * time.Second
	// passes is the greatest number of passes. A hook that runs meanwhile may copy words into a file that is done.
	passes = 4
)

// Run erases e.What and returns the texts that it found, in the order in which it found them. Errors:
// safefile.ErrBusy, safefile.ErrRefused, safefile.ErrTooLarge, the disk's. After an error a part is erased, and the
// same run again goes on.
func (e *Eraser) Run() (found []Found, err error) {
	if e.erased, err = withheld.LoadErased(e.Dir); err != nil {
		return nil, err
	}
	e.What.kept.ErasedBefore, e.done = e.erased.HasID, 0
	isHeld, err := e.learn()
	if err == nil && e.Dry {
		err = e.pass()
	}
	if err != nil || e.Dry {
		return e.list(), err
	}
	ids, err := e.erasedSources()
	if err != nil {
		return nil, err
	}
	byPerson := e.What.known == nil
	gone := withheld.Erasure{IDs: ids, Phrase: e.What.words, In: e.In, ByPerson: byPerson}
	if err := gone.Add(e.Dir, e.Wait); err != nil {
		return nil, err
	}
	// When a run is killed, the same run again finds nothing by which it knows that the cache holds the words. A
	// person's run always empties it.
	if byPerson || isHeld {
		if err := session.Clear(e.Dir, e.Wait); err != nil {
			return nil, err
		}
	}
	for range passes {
		before := len(e.order)
		if err := e.pass(); err != nil {
			return e.list(), err
		}
		if !e.changed && len(e.order) == before {
			break
		}
	}
	if byPerson || isHeld || len(e.order) > 0 {
		return e.list(), session.Clear(e.Dir, e.Wait) // a hook may have made some of it meanwhile
	}
	return nil, nil
}

// learn looks for the words without a change, so that the passes recognise what was made from the prompts, calls and
// records that hold them. It looks at these first. It reports whether anything holds the words.
func (e *Eraser) learn() (isHeld bool, err error) {
	defer func(dry bool) { e.Dry, e.found, e.order = dry, map[string]Found{}, nil }(e.Dry)
	e.Dry, e.found, e.order = true, map[string]Found{}, nil
	steps := e.steps()
	for _, step := range slices.Backward(steps[:]) {
		if err := step(); err != nil {
			return false, err
		}
	}
	return len(e.order) > 0, nil
}

func (e *Eraser) list() (out []Found) {
	for _, k := range e.order {
		out = append(out, e.found[k])
	}
	return out
}

// note adds f to the found texts, unless it is among them. A session's file has a prompt as typed and as said, with a
// time to the second or finer: to the person that is one text.
func (e *Eraser) note(kind, path, ts, words string) {
	f := Found{Kind: kind, Path: path, TS: ts, Words: e.What.before(words)}
	key := kind + "\n" + path + "\n" + ts[:min(len(ts), len("2006-01-02T15:04:05"))] + "\n" + words
	if _, known := e.found[key]; !known {
		e.found[key] = f
		e.order = append(e.order, key)
	}
}

// laneFile is a file of a lane, with the lock for its changes, "" for none.
type laneFile struct {
	path, lock string
	holds      project.LaneFile
}

// laneFiles lists the files of the chosen lanes in memento's folder, with all also those of no lane: journals,
// and what was set aside, to which belongs what the archive holds besides records. Errors: safefile's, beside what it
// lists before.
func laneFiles(dir string, all bool, chosen func(lane string) bool) (out []laneFile, err error) {
	for _, folder := range [...]string{"", naming.Archive} {
		entries, err := safefile.ListFolder(filepath.Join(dir, folder))
		if err != nil {
			return out, err
		}
		for _, one := range entries {
			name, holds := project.OfLane("", one.Name())
			if folder != "" {
				name, _, _ = strings.Cut(one.Name(), ".json")
				holds = project.AsideFile
			}
			_, _, isRecord := naming.OfFile(one.Name())
			isOfLane := holds != project.NoLaneFile && chosen(name)
			if isRecord || one.IsDir() || safefile.Temporary(one.Name()) || !all && !isOfLane {
				continue
			}
			f := laneFile{path: filepath.Join(dir, folder, one.Name()), holds: holds}
			if lane, ok := project.LaneNamed(dir, name); ok && holds == project.JournalFile {
				f.lock = lane.Lock()
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// remove removes the file under its lock, so that no hook writes it back meanwhile.
func (f laneFile) remove(wait time.Duration) error {
	unlock, err := hold(f.lock, wait)
	if err != nil {
		return err
	}
	defer unlock()
	return safefile.Remove(f.path)
}

// hold takes the lock with this path, or none for "".
func hold(lock string, wait time.Duration) (unlock func(), err error) {
	if lock == "" {
		return func() {}, nil
	}
	if err := safefile.Dir(filepath.Dir(lock)); err != nil {
		return nil, err
	}
	return safefile.Lock(lock, wait)
}
