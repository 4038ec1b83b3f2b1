package forget

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/withheld"
)

// Whole erases everything that memento keeps of some lanes and projects, except the settings and the withheld words.
type Whole struct {
	Dir     string
	Chosen  func(lane string) bool    // selects lanes, for journals, what left them, and session memories
	Records func(project string) bool // selects projects, for records; nil for none
	Past    func(slug string) bool    // selects projects, for turns; nil for those of the lanes' sessions alone
	All     bool                      // also files of no lane
	Now     time.Time
	Wait    time.Duration // for each lock
}

// kept are the files in memento's folder that outlive everything that is forgotten.
var kept = [...]string{"config.json", "paused.json", "erased.json", "machine.json"}

// Files lists the files that go or lose what was said in the lanes, without what is in the folder cache and waits.
// Errors: those of safefile.ListFolder.
func (w Whole) Files() (paths []string, err error) {
	files, err := w.files()
	for _, f := range files {
		paths = append(paths, f.path)
	}
	if err != nil {
		return nil, err
	}
	ids, _, err := w.sessions()
	if err != nil {
		return nil, err
	}
	turns, err := log.Store{Dir: w.Dir, Wait: w.Wait}.Files(w.ofPast(ids))
	if err == nil {
		err = log.Store{Dir: w.Dir}.Lanes(w.hasLane, func(file, _ string) {
			if !slices.Contains(turns, file) {
				turns = append(turns, file)
			}
		})
	}
	return slices.Concat(paths, turns), err
}

// files lists the files that go, but for the log.
func (w Whole) files() ([]laneFile, error) {
	files, err := laneFiles(w.Dir, w.All, w.Chosen)
	if err != nil {
		return nil, err
	}
	files = slices.DeleteFunc(files, func(f laneFile) bool {
		folder, name := filepath.Split(f.path)
		return filepath.Clean(folder) == filepath.Clean(w.Dir) && slices.Contains(kept[:], name)
	})
	records, err := record.Files(w.Dir, w.Records, w.All)
	for _, path := range records {
		files = append(files, laneFile{path: path, lock: safefile.LockPath(w.Dir, "records")})
	}
	return files, err
}

// hasLane reports whether what left the journals of a lane goes.
func (w Whole) hasLane(slug, lane string) bool { return w.Chosen(history.LaneName(slug, lane)) }

// ofPast returns a function that reports whether a session's turns go. ids are the sessions of the lanes that go.
func (w Whole) ofPast(ids []string) func(slug, session string) bool {
	return func(slug, session string) bool {
		return w.Past != nil && w.Past(slug) || slices.ContainsFunc(ids, func(id string) bool {
			return session == log.FileName(id)
		})
	}
}

// Run erases, and returns the removed files and the number of sessions. Memento does not take in their transcripts
// again. Errors: safefile's; part is erased then, and the same run again goes on.
func (w Whole) Run() (files []string, sessions int, err error) {
	// before the memories and the log go, which say which sessions these are
	ids, all, err := w.sessions()
	if err == nil {
		err = w.noteErased(all)
	}
	// With an unreadable list of pauses memento takes in nothing anyway.
	if err == nil {
		if err = w.withhold(all); errors.Is(err, withheld.ErrPausesUnreadable) {
			err = nil
		}
	}
	if err != nil {
		return nil, 0, err
	}
	turns, err := log.Store{Dir: w.Dir, Wait: w.Wait}.Forget(w.ofPast(ids), w.hasLane)
	if err != nil {
		return turns, 0, err
	}
	of, err := session.Find(w.Dir, w.Chosen)
	if err != nil {
		return turns, 0, err
	}
	sessions = len(of)
	Unfinished(w.Dir)
	err = (&Eraser{Dir: w.Dir, Wait: w.Wait}).eachWaiting(func(_ string, data []byte) []byte {
		left, _ := session.EraseWaiting(data, w.Chosen, func(string) bool { return true },
			func([]byte) bool { return true })
		return left
	})
	if err != nil {
		return nil, sessions, err
	}
	left, err := w.files() // also those written since the person was asked
	if err != nil {
		return nil, sessions, err
	}
	for i, f := range left {
		err := f.remove(w.Wait)
		if files = append(files, f.path); err != nil {
			return files, sessions, fmt.Errorf("%w; %d of %d files are left", err, len(left)-i, len(left))
		}
	}
	files = slices.Concat(files, turns)
	err = session.Clear(w.Dir, w.Wait)
	if err == nil && w.All {
		err = w.dropLocks()
	}
	if err != nil {
		err = fmt.Errorf("%w; the same command goes on", err)
	}
	return files, sessions, err
}

// dropLocks removes the locks, which have the names of projects, but for those that somebody holds.
func (w Whole) dropLocks() error {
	folder := filepath.Join(w.Dir, safefile.Locks)
	locks, err := safefile.ListFolder(folder)
	for _, f := range locks {
		path := filepath.Join(folder, f.Name())
		unlock, failed := safefile.Lock(path, 0)
		if failed == nil {
			err = errors.Join(err, safefile.Remove(path))
			unlock()
		}
	}
	return err
}

// withhold notes that memento may not take in the sessions' transcripts up to now, nor what was said in a project that
// goes whole in sessions that nobody knows any more.
func (w Whole) withhold(sessions []string) error {
	places := map[string]withheld.Place{}
	for _, id := range sessions {
		places[id] = withheld.Place{}
		if st, err := session.Load(w.Dir, id); err == nil && st.Transcript != "" {
			places[id] = capture.Written(st.Transcript)
		}
	}
	slugs, err := log.Store{Dir: w.Dir}.Projects()
	for _, k := range project.OpenWorkspace(w.Dir).Known {
		slugs = append(slugs, k.Slug)
	}
	keys := map[string]bool{}
	for _, slug := range slugs {
		if w.Past != nil && w.Past(slug) {
			keys[withheld.Key(slug)] = true
		}
	}
	if w.All {
		keys = map[string]bool{withheld.All: true}
	}
	return errors.Join(err, withheld.Past(w.Dir, slices.Sorted(maps.Keys(keys)), places, w.Now, w.Wait))
}

// noteErased notes what goes, so that no sync brings it back: the turns of these sessions up to now, these records, and
// the decisions about the rules of these projects, with the prompts that they follow from.
func (w Whole) noteErased(sessions []string) error {
	k := withheld.Erasure{Sessions: sessions, Until: w.Now, ByPerson: true}
	records, err := record.Files(w.Dir, w.Records, w.All)
	if err != nil {
		return err
	}
	for _, path := range records {
		data, err := safefile.Read(path, maxOther)
		if err != nil { // it is removed by its name; nothing of it ever travelled
			continue
		}
		id, project, _ := naming.OfFile(filepath.Base(path))
		if r, err := record.Decode(id, data); err == nil && project != "" && !r.Created.IsZero() {
			k.Records = append(k.Records, withheld.RecordKey(r.Slug, r.Created))
		}
	}
	turns := log.Store{Dir: w.Dir}
	slugs, err := turns.Projects()
	for _, slug := range slugs {
		if err != nil || w.Past == nil || !w.Past(slug) {
			continue
		}
		var decisions []log.Entry
		decisions, err = turns.Decisions(slug)
		for _, e := range decisions {
			if k.IDs = append(k.IDs, e.ID); e.Kind != log.Offered { // that one is of no prompt
				k.IDs = append(k.IDs, e.Of)
			}
		}
	}
	if err != nil {
		return err
	}
	k.IDs = slices.DeleteFunc(k.IDs, func(id string) bool { return id == "" })
	slices.Sort(k.Sessions)
	k.Sessions = slices.Compact(k.Sessions)
	return k.Add(w.Dir, w.Wait)
}

// sessions lists the sessions with a session memory, or an entry of the log, in the chosen lanes; all has those whose
// turns go, too.
func (w Whole) sessions() (ids, all []string, err error) {
	turns := log.Store{Dir: w.Dir, Wait: w.Wait}
	if ids, err = session.Find(w.Dir, w.Chosen); err != nil {
		return nil, nil, err
	}
	err = turns.Lanes(w.hasLane, func(_, id string) { ids = append(ids, id) })
	if err != nil && !errors.Is(err, safefile.ErrRefused) {
		return nil, nil, err
	}
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" })
	all, chosen := slices.Clone(ids), w.ofPast(ids)
	_, err = turns.Files(func(slug, session string) bool {
		if chosen(slug, session) {
			all = append(all, session)
		}
		return false
	})
	return ids, all, err
}
