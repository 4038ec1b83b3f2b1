// Package forget orders the steps in which words, an entry, a mission or a whole project are erased from everything
// memento keeps: journals, histories, states of sessions, records, suggestions, what was said of projects, and what
// was set aside. It knows which files there are, takes their locks, goes over them again, and notes what was found.
// What is in a file, and which of it are somebody's words, only the package knows that writes it.
//
// First what is to go is marked, so that no transcript brings it back; then the files that were made from others go
// before those they were made from, each replaced whole or not at all. A run that is cut off leaves nothing undone
// that the same run a second time does not do.
package forget

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/withheld"
)

// Found is one thing that was erased, or is to be.
type Found struct {
	Kind  string // said, done, mission, …; "unfinished write" and its like for a whole file
	Path  string // of the file it stood in
	TS    string // RFC 3339, "" where it has no time
	Words string // what stood before the words that were looked for, at most a few words; never those
}

// Eraser erases one thing from one or all projects.
type Eraser struct {
	Dir    string
	Chosen func(lane string) bool // whose files
	// Records says of which projects the records and suggestions are looked through; nil for none.
	Records func(project string) bool
	All     bool // files of no lane too
	What    *What
	Now     time.Time
	Wait    time.Duration // for each lock
	Dry     bool          // only look
	// Said, unless nil, is told how many files were looked through so far, again and again.
	Said func(done, all int)

	found     map[string]Found // by what and where, each once
	order     []string
	changed   bool // whether this pass changed a file
	done, all int
}

// step notes that n more files were looked through.
func (e *Eraser) step(n int) {
	if e.done += n; e.Said != nil {
		e.Said(e.done, max(e.done, e.all))
	}
}

// count counts what is looked through at each pass: histories twice, records three times, and transcripts.
func (e *Eraser) count() {
	if e.Said == nil {
		return
	}
	histories, _ := e.histories() // what cannot be listed is an error a moment later
	records, _ := record.Files(e.Dir, e.Records, e.All)
	sessions, _, _ := session.OfLanes(e.Dir, e.Chosen)
	e.done, e.all = 0, 2*len(histories)+3*len(records)+len(sessions)
}

const (
	maxState   = 8 << 20  // bytes of a session's state
	maxHistory = 1 << 40  // bytes of a history: as large as it got
	maxOther   = 64 << 20 // bytes of any other file
	maxLine    = 16 << 20 // bytes of a line of history
	// unfinished is how old a file must be that is being written before it is taken for a dead process's.
	unfinished = 2 * time.Second
	// passes is how often it looks for what a hook that ran meanwhile carried from a file not yet done to one that was.
	passes = 4
)

// testOnlyStop, when set, is asked before each step and may end the run there, as a kill would.
var testOnlyStop func(step string) error

func (e *Eraser) stop(step string) error {
	if testOnlyStop == nil {
		return nil
	}
	return testOnlyStop(step)
}

// Run erases and returns what was found, in the order it was. Errors: safefile.ErrBusy, safefile.ErrRefused,
// safefile.ErrTooLarge, or what the disk said: part is erased then, and the same again goes on.
func (e *Eraser) Run() ([]Found, error) {
	e.found, e.order = map[string]Found{}, nil
	e.count()
	if err := e.gather(); err != nil {
		return nil, err
	}
	if err := e.stop("marks"); err != nil {
		return nil, err
	}
	ids, words, err := e.marks()
	if err != nil {
		return nil, err
	}
	if !e.Dry && len(ids)+len(words) > 0 {
		if err := withheld.Mark(e.Dir, ids, words, e.Now, e.Wait); err != nil {
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
	return e.list(), nil
}

func (e *Eraser) list() (out []Found) {
	for _, k := range e.order {
		out = append(out, e.found[k])
	}
	return out
}

// note notes something that was found, once.
func (e *Eraser) note(kind, path, ts, words string) {
	f := Found{Kind: kind, Path: path, TS: ts, Words: e.What.before(words)}
	key := kind + "\n" + path + "\n" + ts + "\n" + words
	if _, known := e.found[key]; !known {
		e.found[key] = f
		e.order = append(e.order, key)
	}
}

// laneFiles lists the chosen lanes' files of one kind in a folder below Dir, each with its lane's lock, "" where it
// can have none. The histories of lanes that run beside another come first, since they were made from the other's.
func (e *Eraser) laneFiles(folder string, kind project.LaneFile) (out []laneFile, err error) {
	entries, err := safefile.ListFolder(filepath.Join(e.Dir, folder))
	if err != nil {
		return nil, err
	}
	for _, f := range entries {
		name, holds := project.OfLane(folder, f.Name())
		if holds != kind || f.IsDir() || safefile.Temporary(f.Name()) || !e.Chosen(name) {
			continue
		}
		at := laneFile{path: filepath.Join(e.Dir, folder, f.Name())}
		if lane, ok := project.LaneNamed(e.Dir, name); ok {
			at.lock = lane.Lock()
			if kind == project.DebugFile {
				at.lock += "-debug"
			}
		}
		out = append(out, at)
	}
	if kind == project.HistoryFile {
		beside := func(f laneFile) int { return strings.Count(filepath.Base(f.path), "~") }
		slices.SortStableFunc(out, func(a, b laneFile) int { return beside(b) - beside(a) })
	}
	return out, nil
}

type laneFile struct{ path, lock string }

func (e *Eraser) histories() ([]laneFile, error) { return e.laneFiles("history", project.HistoryFile) }
