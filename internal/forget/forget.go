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
	"errors"
	"path/filepath"
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
	held    bool             // whether a record or a turn held the words
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
func (e *Eraser) Run() ([]Found, error) {
	e.found, e.order, e.held, e.done = map[string]Found{}, nil, false, 0
	if err := e.gather(); err != nil {
		return nil, err
	}
	ids, err := e.erasedSources()
	if err != nil {
		return nil, err
	}
	if !e.Dry {
		gone := withheld.Erasure{IDs: ids, Phrase: e.What.words, In: e.In,
			ByPerson: e.What.known == nil}
		if err := gone.Add(e.Dir, e.Wait); err != nil {
			return nil, err
		}
	}
	// When a run is killed, the same run again finds nothing by which it knows that the cache holds the words. A
	// person's run always empties it.
	clears := !e.Dry && (e.What.known == nil || e.held)
	if clears {
		if err := session.Clear(e.Dir, e.Wait); err != nil {
			return nil, err
		}
	}
	for range passes {
		before := len(e.order)
		if err := e.pass(); err != nil {
			return e.list(), err
		}
		if e.Dry || !e.changed && len(e.order) == before {
			break
		}
	}
	if clears || !e.Dry && len(e.order) > 0 {
		return e.list(), session.Clear(e.Dir, e.Wait) // a hook may have made some of it meanwhile
	}
	return e.list(), nil
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

// eachFile calls f with each file of the chosen lanes: a journal, what is noted for debugging, each with its lane's
// lock ("" for none), and what was set aside, to which belongs what the archive holds besides records.
func (e *Eraser) eachFile(f func(path, lock string, holds project.LaneFile) error) error {
	for _, folder := range [...]string{"", naming.Archive} {
		entries, err := safefile.ListFolder(filepath.Join(e.Dir, folder))
		if folder != "" && errors.Is(err, safefile.ErrRefused) {
			continue
		}
		if err != nil {
			return err
		}
		for _, one := range entries {
			name, holds := project.OfLane("", one.Name())
			if folder != "" {
				name, _, _ = strings.Cut(one.Name(), ".json")
				holds = project.AsideFile
			}
			_, _, isRecord := naming.OfFile(one.Name())
			chosen := e.All || e.Chosen(name)
			if isRecord || one.IsDir() || safefile.Temporary(one.Name()) || holds == project.NoLaneFile || !chosen {
				continue
			}
			lock := ""
			if lane, ok := project.LaneNamed(e.Dir, name); ok && holds == project.JournalFile {
				lock = lane.Lock()
			} else if ok && holds == project.DebugFile {
				lock = lane.Lock() + "-debug"
			}
			if err := f(filepath.Join(e.Dir, folder, one.Name()), lock, holds); err != nil {
				return err
			}
		}
	}
	return nil
}
