// Package forget erases words, an entry or a mission from everything memento keeps: journals, histories, states of
// sessions, records, suggestions, what was said of projects, and what was set aside. Of whole projects the command erases
// the files by itself; what it has to know of them for that is here.
//
// First what is to go is marked, so that no transcript brings it back; then the files that were made from others go
// before those they were made from, each replaced whole or not at all. A run that is cut off leaves nothing undone that
// the same run a second time does not do.
package forget

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/search"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/suggest"
	"github.com/mementohq/memento/internal/transcript"
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
	sessions, _, _ := session.States(e.Dir, e.Chosen)
	e.done, e.all = 0, 2*len(histories)+3*len(records)+len(sessions)
}

const (
	maxState   = 8 << 20  // bytes of a session's state
	maxHistory = 1 << 40  // bytes of a history: as large as it got
	maxOther   = 64 << 20 // bytes of any other file
	maxLine    = 16 << 20 // bytes of a line of history
	// unfinished is how old a file must be that is being written before it is taken for a dead process's.
	unfinished = 2 * time.Second
	passes     = 4 // how often it looks for what a hook that ran meanwhile carried from a file not yet done to one that was
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
		changed, err := e.pass()
		if err != nil {
			return e.list(), err
		}
		if e.Dry || !changed && len(e.order) == before {
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

// laneFiles lists the chosen lanes' files of one kind in a folder below Dir, each with its lane's lock, "" where it can have
// none. The histories of lanes that run beside another come first, since they were made from the other's.
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

// Sessions lists the sessions whose state, or any line of whose history, is kept in the chosen lanes.
func Sessions(dir string, chosen func(lane string) bool) ([]string, error) {
	ids, _, err := session.States(dir, chosen)
	if err != nil {
		return nil, err
	}
	histories, err := (&Eraser{Dir: dir, Chosen: chosen}).histories()
	if err != nil {
		return nil, err
	}
	for _, h := range histories {
		err := journal.Sessions(h.path, func(id string) { ids = append(ids, id) })
		if err != nil && !errors.Is(err, safefile.ErrRefused) {
			return nil, err
		}
	}
	slices.Sort(ids)
	return slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" }), nil
}

// gather learns which prompts and calls the words came from, so that what is left of them elsewhere is known too.
func (e *Eraser) gather() error {
	marked, err := withheld.Marked(e.Dir)
	if err != nil {
		return err
	}
	e.What.kept.Marked = marked
	histories, err := e.histories()
	if err != nil {
		return err
	}
	for _, h := range histories {
		if err := safefile.Lines(h.path, maxLine, func(line []byte) bool {
			e.What.kept.Line(line)
			e.step(0)
			return true
		}); err != nil {
			return err
		}
		e.step(1)
	}
	if err := e.gatherRecords(); err != nil {
		return err
	}
	journals, err := e.laneFiles("", project.JournalFile)
	if err != nil {
		return err
	}
	for _, j := range journals {
		data, err := safefile.Read(j.path, maxOther)
		if err != nil && !errors.Is(err, safefile.ErrRefused) && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil {
			e.What.kept.Journal(data)
		}
	}
	return nil
}

// marks returns what is to be remembered: the ids of every prompt and call that holds the words, in history and in the
// sessions' transcripts, and the words of prompts whose line is not written yet.
func (e *Eraser) marks() (ids, words []string, err error) {
	ids = e.What.kept.IDs()
	sessions, _, err := session.States(e.Dir, e.Chosen)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range sessions {
		e.step(1)
		st, err := session.Load(e.Dir, id)
		if errors.Is(err, fs.ErrNotExist) { // ended meanwhile, or its state is damaged: nothing of it is read
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		for _, p := range st.Pending {
			if e.What.has(p.Text) {
				words = append(words, p.Text) // redacted, as capture compares them
			}
		}
		if st.Transcript == "" {
			continue
		}
		_, err = transcript.Read(st.Transcript, session.Position{}, func(t transcript.Entry) {
			for _, p := range t.Prompts {
				if e.What.has(p.Text) {
					ids = append(ids, p.UUID)
				}
			}
			for _, c := range t.Calls {
				if holds(e.What.has, c.Input()) {
					ids = append(ids, c.ID)
				}
			}
			for _, r := range t.Results {
				if e.What.has(r.Text()) || holds(e.What.has, r.Extra()) {
					ids = append(ids, r.ID)
				}
			}
			if e.What.has(t.PR) {
				ids = append(ids, t.PR)
			}
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fmt.Errorf("reading %s: %w", st.Transcript, err)
		}
	}
	return ids, words, nil
}

// pass erases from every file once and reports whether it changed one.
func (e *Eraser) pass() (changed bool, err error) {
	for _, step := range [...]struct {
		name string
		do   func() (bool, error)
	}{
		{"unfinished", e.removeUnfinished}, {"reports", e.eraseReports}, {"states", e.eraseStates}, {"before", e.eraseBefore}, {"journals", e.eraseJournals},
		{"debug", e.eraseDebug}, {"aside", e.eraseAside}, {"records", e.eraseRecords}, {"inbox", e.eraseInbox}, {"workspace", e.eraseWorkspace},
		{"histories", e.eraseHistories}, {"whole records", e.removeRecords}, {"index", e.eraseIndex},
	} {
		if err := e.stop(step.name); err != nil {
			return changed, err
		}
		did, err := step.do()
		if err != nil {
			return changed, err
		}
		changed = changed || did
	}
	return changed, nil
}

// rewrite replaces the file at path by what f leaves of it, under the lock when there is one; nothing removes it.
func (e *Eraser) rewrite(path, lock string, max int64, f func(data []byte) (left []byte)) (bool, error) {
	if lock != "" && !e.Dry {
		if err := safefile.Dir(filepath.Dir(lock)); err != nil {
			return false, err
		}
		unlock, err := safefile.Lock(lock, e.Wait)
		if err != nil {
			return false, err
		}
		defer unlock()
	}
	data, err := safefile.Read(path, max)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	left := f(data)
	if bytes.Equal(left, data) {
		return false, nil
	}
	switch {
	case e.Dry:
	case len(left) == 0:
		err = safefile.Remove(path)
	default:
		err = safefile.Replace(path, left, 0o600)
	}
	return err == nil, err
}

// removeUnfinished removes what killed processes were writing: nobody reads it, and it may hold anybody's words.
func (e *Eraser) removeUnfinished() (bool, error) {
	if e.Dry {
		return false, nil
	}
	return Unfinished(e.Dir), nil
}

// Unfinished removes the files in memento's folders that killed processes were writing, and reports whether there were
// any. One that may still be written is waited for, a moment.
func Unfinished(dir string) (any bool) {
	for _, folder := range [...]string{"", "history", "state", record.Archive, search.Folder} {
		at := filepath.Join(dir, folder)
		entries, err := safefile.ListFolder(at)
		if err != nil {
			continue
		}
		for _, f := range entries {
			if !safefile.Temporary(f.Name()) {
				continue
			}
			path := filepath.Join(at, f.Name())
			for {
				info, err := os.Lstat(path)
				if err != nil || !info.Mode().IsRegular() {
					break
				}
				if age := time.Since(info.ModTime()); age < unfinished && age >= 0 {
					time.Sleep(20 * time.Millisecond)
					continue
				}
				any = safefile.Remove(path) == nil || any
				break
			}
		}
	}
	return any
}

func (e *Eraser) eraseStates() (changed bool, err error) {
	ids, damaged, err := session.States(e.Dir, e.Chosen)
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		path := session.Path(e.Dir, id)
		did, err := e.rewrite(path, strings.TrimSuffix(path, ".json")+".lock", maxState, e.eraseState(path))
		if err != nil {
			return changed, err
		}
		changed = changed || did
	}
	for _, path := range damaged { // nobody reads it any more
		did, err := e.rewrite(path, "", maxOther, e.whole("damaged state", path))
		if err != nil {
			return changed, err
		}
		changed = changed || did
	}
	return changed, nil
}

func (e *Eraser) eraseState(path string) func([]byte) []byte {
	return func(data []byte) []byte {
		left, found, whole := session.EraseFile(data, e.What.has, e.What.Loose, len(e.What.whole) > 0)
		if whole {
			e.note("damaged state", path, "", "")
		}
		for _, words := range found {
			e.What.add(words)
			e.note("state", path, "", words)
		}
		return left
	}
}

// whole gives a file up as a whole when the words are in it.
func (e *Eraser) whole(kind, path string) func([]byte) []byte {
	return func(data []byte) []byte {
		if !e.What.Loose(data) {
			return data
		}
		e.note(kind, path, "", "")
		return nil
	}
}

// eraseReports: what subagents answered and nobody has kept yet.
func (e *Eraser) eraseReports() (changed bool, err error) {
	for _, r := range session.Reports(e.Dir, "") {
		if r.Lane != "" && !e.Chosen(r.Lane) || !e.What.has(r.Words) {
			continue
		}
		e.note("subagent", r.Path, r.At.UTC().Format(time.RFC3339), r.Words)
		if !e.Dry {
			r.Done()
			changed = true
		}
	}
	return changed, nil
}

// eraseLanes rewrites the chosen lanes' files of one kind, each under its lane's lock, whose name ends in suffix.
func (e *Eraser) eraseLanes(folder string, kind project.LaneFile, suffix string, erase func([]byte) ([]byte, []journal.Gone)) (changed bool, err error) {
	files, err := e.laneFiles(folder, kind)
	if err != nil {
		return false, err
	}
	most := int64(maxOther)
	if kind == project.HistoryFile {
		most = maxHistory
	}
	for _, f := range files {
		if kind == project.HistoryFile {
			if err := e.stop(f.path); err != nil {
				return changed, err
			}
		}
		if f.lock != "" {
			f.lock += suffix
		}
		did, err := e.rewrite(f.path, f.lock, most, func(data []byte) []byte {
			left, gone := erase(data)
			for _, g := range gone {
				e.note(g.Kind, f.path, g.TS, g.Words)
			}
			return left
		})
		if errors.Is(err, safefile.ErrRefused) && kind != project.HistoryFile { // not ours: nothing of it is read either
			continue
		}
		if err != nil {
			return changed, err
		}
		if changed = changed || did; kind == project.HistoryFile {
			e.step(1)
		}
	}
	return changed, nil
}

func (e *Eraser) eraseBefore() (bool, error) {
	return e.eraseLanes("state", project.NoteFile, "", e.What.kept.Note)
}

func (e *Eraser) eraseJournals() (bool, error) {
	return e.eraseLanes("", project.JournalFile, "", e.What.kept.Journal)
}

func (e *Eraser) eraseDebug() (bool, error) {
	return e.eraseLanes("", project.DebugFile, "-debug", func(data []byte) ([]byte, []journal.Gone) {
		return e.What.kept.Debug(data, len(e.What.whole) > 0)
	})
}

func (e *Eraser) eraseHistories() (bool, error) {
	return e.eraseLanes("history", project.HistoryFile, "", func(data []byte) ([]byte, []journal.Gone) {
		return e.What.kept.History(data, func() { e.step(0) })
	})
}

// eraseAside: damaged files that were set aside, and whatever else lies about.
func (e *Eraser) eraseAside() (changed bool, err error) {
	for _, folder := range [...]string{"", record.Archive} {
		entries, err := safefile.ListFolder(filepath.Join(e.Dir, folder))
		if errors.Is(err, safefile.ErrRefused) {
			continue
		}
		if err != nil {
			return changed, err
		}
		for _, f := range entries {
			_, _, ofRecord := record.OfFile(f.Name())
			stem, holds := project.OfLane("", f.Name())
			switch {
			case f.IsDir(), safefile.Temporary(f.Name()), ofRecord:
				continue
			case folder != "":
				stem, _, _ = strings.Cut(f.Name(), ".json")
			case holds != project.AsideFile:
				continue
			}
			if !e.All && !e.Chosen(stem) && (stem != "inbox" || e.Records == nil) {
				continue
			}
			path := filepath.Join(e.Dir, folder, f.Name())
			did, err := e.rewrite(path, "", maxOther, e.whole("set aside", path))
			if err != nil && !errors.Is(err, safefile.ErrRefused) {
				return changed, err
			}
			changed = changed || did
		}
	}
	return changed, nil
}

// eraseInbox takes out of the inbox each suggestion that holds it.
func (e *Eraser) eraseInbox() (bool, error) {
	path := suggest.Path(e.Dir)
	if _, err := os.Lstat(path); err != nil || e.Records == nil {
		return false, nil
	}
	did, err := e.rewrite(path, filepath.Join(e.Dir, "state", "inbox.lock"), maxOther, func(data []byte) []byte {
		left, gone, ok := suggest.Erase(data, e.Records, e.What.quotes, e.What.kept.From)
		if !ok {
			return e.whole("damaged inbox", path)(data)
		}
		for _, g := range gone {
			e.note("inbox", path, g.TS, g.Words)
		}
		return left
	})
	if errors.Is(err, safefile.ErrRefused) {
		return false, nil
	}
	return did, err
}

// eraseWorkspace takes back what was said of a project and holds it.
func (e *Eraser) eraseWorkspace() (bool, error) {
	chosen := func(slug string) bool { return e.Records != nil && e.Records(record.Project(slug)) }
	gone, err := project.Erase(e.Dir, chosen, e.What.quotes, e.Dry, e.Now, e.Wait)
	for _, g := range gone {
		e.note("workspace "+g.Detail, project.WorkspacePath(e.Dir), "", g.Words)
	}
	return !e.Dry && len(gone) > 0, err
}

// holds reports whether has reports any text in v, as a tool was given or answered it.
func holds(has func(string) bool, v gjson.Result) (found bool) {
	if v.IsObject() || v.IsArray() {
		v.ForEach(func(_, v gjson.Result) bool {
			found = holds(has, v)
			return !found
		})
		return found
	}
	return v.Type == gjson.String && has(v.Str)
}
