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
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/search"
	"github.com/mementohq/memento/internal/session"
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
	records, _ := RecordFiles(e.Dir, e.Records, e.All)
	sessions, _, _ := e.states()
	e.done, e.all = 0, 2*len(histories)+3*len(records)+len(sessions)
}

const (
	maxState   = 8 << 20  // bytes of a session's state
	maxHistory = 1 << 40  // bytes of a history: as large as it got
	maxOther   = 64 << 20 // bytes of any other file
	maxLine    = 16 << 20 // bytes of a line of history
	maxDepth   = 70       // of JSON
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

func (e *Eraser) note(path string, hits []hit) {
	for _, h := range hits {
		f := Found{Kind: h.kind, Path: path, TS: h.ts, Words: e.What.before(h.words)}
		key := f.Kind + "\n" + path + "\n" + f.TS + "\n" + h.words
		if _, known := e.found[key]; !known {
			e.found[key] = f
			e.order = append(e.order, key)
		}
	}
}

// files lists the files of the chosen lanes in a folder below Dir, as paths.
func (e *Eraser) files(folder string, lane func(name string) (string, bool)) ([]string, error) {
	entries, err := List(filepath.Join(e.Dir, folder))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range entries {
		if name, ok := lane(f.Name()); ok && !f.IsDir() && e.Chosen(name) {
			out = append(out, filepath.Join(e.Dir, folder, f.Name()))
		}
	}
	return out, nil
}

// List returns what stands in one of memento's folders, nothing when it is missing. Errors: safefile.ErrRefused when it is no folder, a
// link to one neither: what that leads to is somebody else's; or what the disk said.
func List(folder string) ([]os.DirEntry, error) {
	if elsewhere(folder) {
		return nil, fmt.Errorf("%s: %w: it is a link, or no folder", folder, safefile.ErrRefused)
	}
	entries, err := safefile.List(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return entries, err
}

// ending tells the lane by a file's name, of files that end so.
func ending(end string) func(name string) (lane string, ok bool) {
	return func(name string) (string, bool) {
		stem, ok := strings.CutSuffix(name, end)
		return stem, ok && !Own(stem) && !strings.HasSuffix(stem, ".debug") && !safefile.Temporary(name)
	}
}

// Own reports whether the file of this name, its .json left out, stands beside the journals and is no lane's.
func Own(name string) bool {
	return slices.Contains([]string{"config", "workspace", "paused", "erased", "inbox"}, name)
}

// histories are the chosen lanes' histories; those of lanes that run beside another come first, since they were made from
// the other's.
func (e *Eraser) histories() ([]string, error) {
	out, err := e.files("history", ending(".jsonl"))
	slices.SortStableFunc(out, func(a, b string) int {
		return strings.Count(filepath.Base(b), "~") - strings.Count(filepath.Base(a), "~")
	})
	return out, err
}

// states are the chosen sessions, and the files of those that cannot be read, of whatever lane.
func (e *Eraser) states() (ids, damaged []string, err error) {
	folder := filepath.Join(e.Dir, "state")
	entries, err := List(folder)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range entries {
		stem, ok := strings.CutSuffix(f.Name(), ".json")
		if !ok || session.Reserved(stem) || safefile.Temporary(f.Name()) {
			continue
		}
		path := filepath.Join(folder, f.Name())
		data, rerr := safefile.Read(path, maxState)
		data = safefile.Newest(data)
		switch {
		case errors.Is(rerr, fs.ErrNotExist):
		case rerr != nil && !errors.Is(rerr, safefile.ErrTooLarge):
			return nil, nil, rerr
		case rerr != nil, !valid(data), gjson.GetBytes(data, "id").String() == "":
			damaged = append(damaged, path)
		case e.Chosen(gjson.GetBytes(data, "lane").String()):
			ids = append(ids, gjson.GetBytes(data, "id").String())
		}
	}
	return ids, damaged, nil
}

func valid(data []byte) bool {
	return event.TooDeep(data, maxDepth) < 0 && gjson.ValidBytes(data) && gjson.ParseBytes(data).IsObject()
}

// Sessions lists the sessions whose state, or any line of whose history, is kept in the chosen lanes.
func Sessions(dir string, chosen func(lane string) bool) ([]string, error) {
	e := &Eraser{Dir: dir, Chosen: chosen}
	ids, _, err := e.states()
	if err != nil {
		return nil, err
	}
	histories, err := e.histories()
	if err != nil {
		return nil, err
	}
	for _, path := range histories {
		last := ""
		if err := safefile.Lines(path, maxLine, func(line []byte) bool {
			if !valid(line) {
				return true
			}
			if id := gjson.GetBytes(line, "session").String(); id != last {
				last = id
				ids = append(ids, id)
			}
			return true
		}); err != nil && !errors.Is(err, safefile.ErrRefused) {
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
	e.What.marked = marked
	histories, err := e.histories()
	if err != nil {
		return err
	}
	for _, path := range histories {
		if err := safefile.Lines(path, maxLine, func(line []byte) bool {
			if valid(line) {
				e.What.line(string(line))
			}
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
	journals, err := e.files("", ending(".json"))
	if err != nil {
		return err
	}
	for _, path := range journals {
		data, err := safefile.Read(path, maxOther)
		if err != nil && !errors.Is(err, safefile.ErrRefused) && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil && valid(data) {
			e.What.journal(string(data))
		}
	}
	return nil
}

// marks returns what is to be remembered: the ids of every prompt and call that holds the words, in history and in the
// sessions' transcripts, and the words of prompts whose line is not written yet.
func (e *Eraser) marks() (ids, words []string, err error) {
	ids = slices.Sorted(maps.Keys(e.What.refs))
	sessions, _, err := e.states()
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
				if e.What.holds(c.Input()) {
					ids = append(ids, c.ID)
				}
			}
			for _, r := range t.Results {
				if e.What.has(r.Text()) || e.What.holds(r.Extra()) {
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
		{"unfinished", e.unfinished}, {"reports", e.eraseReports}, {"states", e.eraseStates}, {"before", e.eraseBefore}, {"journals", e.eraseJournals},
		{"debug", e.eraseDebug}, {"aside", e.eraseAside}, {"records", e.eraseRecords}, {"inbox", e.eraseInbox}, {"workspace", e.eraseWorkspace},
		{"histories", e.eraseHistories}, {"whole records", e.removeRecords}, {"index", e.dropIndex},
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

// unfinished removes what killed processes were writing: nobody reads it, and it may hold anybody's words.
func (e *Eraser) unfinished() (bool, error) {
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
		entries, err := List(at)
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

// rewrite replaces the file at path by what f makes of it, under the lock when there is one: "" removes it.
func (e *Eraser) rewrite(path, lock string, max int64, f func(data []byte) (out []byte, hits []hit)) (bool, error) {
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
	out, hits := f(data)
	e.note(path, hits)
	if bytes.Equal(out, data) {
		return false, nil
	}
	switch {
	case e.Dry:
	case len(out) == 0:
		err = safefile.Remove(path)
	default:
		err = safefile.Replace(path, out, 0o600)
	}
	return err == nil, err
}

func (e *Eraser) eraseStates() (changed bool, err error) {
	ids, damaged, err := e.states()
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		path := session.Path(e.Dir, id)
		did, err := e.rewrite(path, strings.TrimSuffix(path, ".json")+".lock", maxState, e.state)
		if err != nil {
			return changed, err
		}
		changed = changed || did
	}
	for _, path := range damaged { // nobody reads it any more
		did, err := e.rewrite(path, "", maxOther, e.whole("damaged state"))
		if err != nil {
			return changed, err
		}
		changed = changed || did
	}
	return changed, nil
}

// whole gives a file up as a whole when the words are in it.
func (e *Eraser) whole(kind string) func([]byte) ([]byte, []hit) {
	return func(data []byte) ([]byte, []hit) {
		if !e.What.Loose(data) {
			return data, nil
		}
		return nil, []hit{{kind: kind}}
	}
}

// state keeps the newest version alone: those before it may hold what this one does not any more.
func (e *Eraser) state(data []byte) ([]byte, []hit) {
	data = safefile.Newest(data)
	if !valid(data) {
		return e.whole("damaged state")(data)
	}
	out, found, ok := session.Erase(data, e.What.has, len(e.What.whole) > 0)
	if !ok {
		return e.whole("damaged state")(data)
	}
	var hits []hit
	for _, words := range found {
		e.What.add(words)
		hits = append(hits, hit{"state", "", words})
	}
	return out, hits
}

// eraseReports: what subagents answered and nobody has kept yet.
func (e *Eraser) eraseReports() (changed bool, err error) {
	for _, r := range session.Reports(e.Dir, "") {
		if r.Lane != "" && !e.Chosen(r.Lane) || !e.What.has(r.Words) {
			continue
		}
		e.note(r.Path, []hit{{"subagent", r.At.UTC().Format(time.RFC3339), r.Words}})
		if !e.Dry {
			r.Done()
			changed = true
		}
	}
	return changed, nil
}

// lockOf is the lock of the lane with this name, "" when it is none.
func (e *Eraser) lockOf(name string) string {
	lane, ok := project.LaneNamed(e.Dir, name)
	if !ok {
		return ""
	}
	return lane.Lock()
}

// each rewrites the chosen files of one kind, each under its lane's lock.
func (e *Eraser) each(folder string, lane func(string) (string, bool), lock string, f func([]byte) ([]byte, []hit)) (changed bool, err error) {
	paths, err := e.files(folder, lane)
	if err != nil {
		return false, err
	}
	for _, path := range paths {
		name, _ := lane(filepath.Base(path))
		at := e.lockOf(name)
		if at != "" {
			at += lock
		}
		did, err := e.rewrite(path, at, maxOther, f)
		if err != nil && !errors.Is(err, safefile.ErrRefused) { // not ours: nothing of it is read either
			return changed, err
		}
		changed = changed || did
	}
	return changed, nil
}

// eraseBefore: a journal as an earlier version noted it before Claude wrote the file.
func (e *Eraser) eraseBefore() (bool, error) {
	return e.each("state", ending(".before"), "", func(data []byte) ([]byte, []hit) {
		if !e.What.Loose(data) {
			return data, nil
		}
		inner := gjson.GetBytes(data, "journal").String()
		if !valid(data) || !valid([]byte(inner)) {
			return nil, []hit{{kind: "note of the journal"}}
		}
		out, hits := e.What.journal(inner)
		return []byte(with(string(data), "journal", str(out))), hits
	})
}

func (e *Eraser) eraseJournals() (bool, error) {
	return e.each("", ending(".json"), "", func(data []byte) ([]byte, []hit) {
		if !valid(data) {
			return e.whole("damaged journal")(data)
		}
		out, hits := e.What.journal(string(data))
		if len(hits) == 0 {
			return data, nil
		}
		return laidOut(out), hits
	})
}

func (e *Eraser) eraseDebug() (bool, error) {
	lane := func(name string) (string, bool) { return strings.CutSuffix(name, ".debug.json") }
	return e.each("", lane, "-debug", func(data []byte) ([]byte, []hit) {
		if len(e.What.whole) == 0 && !e.What.Loose(data) {
			return data, nil
		}
		return nil, []hit{{kind: "shadow journal"}} // its events quote each other
	})
}

// eraseAside: damaged files that were set aside, and whatever else lies about.
func (e *Eraser) eraseAside() (changed bool, err error) {
	for _, folder := range [...]string{"", record.Archive} {
		entries, err := List(filepath.Join(e.Dir, folder))
		if errors.Is(err, safefile.ErrRefused) {
			continue
		}
		if err != nil {
			return changed, err
		}
		for _, f := range entries {
			stem, _, aside := strings.Cut(f.Name(), ".json.")
			switch {
			case f.IsDir(), safefile.Temporary(f.Name()), ofRecord(f.Name()):
				continue
			case folder != "":
				stem, _, _ = strings.Cut(f.Name(), ".json")
			case !aside:
				continue
			}
			if !e.All && !e.Chosen(stem) && (stem != "inbox" || e.Records == nil) {
				continue
			}
			did, err := e.rewrite(filepath.Join(e.Dir, folder, f.Name()), "", maxOther, e.whole("set aside"))
			if err != nil && !errors.Is(err, safefile.ErrRefused) {
				return changed, err
			}
			changed = changed || did
		}
	}
	return changed, nil
}

func (e *Eraser) eraseHistories() (changed bool, err error) {
	paths, err := e.histories()
	if err != nil {
		return false, err
	}
	for _, path := range paths {
		if err := e.stop(path); err != nil {
			return changed, err
		}
		did, err := e.rewrite(path, e.lockOf(strings.TrimSuffix(filepath.Base(path), ".jsonl")), maxHistory, func(data []byte) ([]byte, []hit) {
			out := make([]byte, 0, len(data))
			var all []hit
			for l := range bytes.Lines(data) {
				body := bytes.TrimRight(l, "\r\n")
				if !valid(body) {
					if !e.What.Loose(body) {
						out = append(out, l...)
					} else {
						all = append(all, hit{kind: "damaged line"})
					}
					continue
				}
				e.step(0)
				left, hits := e.What.line(string(body))
				all = append(all, hits...)
				switch {
				case len(hits) == 0:
					out = append(out, l...)
				case left != "":
					out = append(append(out, left...), '\n')
				}
			}
			return out, all
		})
		if err != nil {
			return changed, err
		}
		e.step(1)
		changed = changed || did
	}
	return changed, nil
}
