package forget

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

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

// kept are the files in memento's folder that outlive everything that is forgotten.
var kept = [...]string{"config.json", "paused.json", "erased.json", "machine.json"}

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
			name, holds := project.OfLane(one.Name())
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

// findSessions lists the sessions with a memory, or an entry of the log, in the chosen lanes and projects.
func (e *Eraser) findSessions() error {
	of, err := session.Find(e.Dir, e.Chosen)
	if err != nil {
		return err
	}
	logged, err := log.Store{Dir: e.Dir, Wait: e.Wait}.Find(e.isPast,
		func(slug, lane string) bool { return e.Chosen(history.LaneName(slug, lane)) })
	e.sessions = slices.Compact(slices.Sorted(slices.Values(append(of, logged...))))
	return err
}

// isPast reports whether the log of a project goes.
func (e *Eraser) isPast(slug string) bool { return e.Past != nil && e.Past(slug) }

// withhold notes what goes, so that neither a transcript nor a sync brings it back: the turns of the sessions up to
// now, also of those in these projects that nobody knows any more, and the records. With an unreadable list of pauses
// memento takes in nothing anyway.
func (e *Eraser) withhold(gone *withheld.Erasure) error {
	gone.Sessions = e.sessions
	places := map[string]withheld.Place{}
	for _, id := range e.sessions {
		places[id] = withheld.Place{}
		if st, err := session.Load(e.Dir, id); err == nil && st.Transcript != "" {
			places[id] = capture.Written(st.Transcript)
		}
	}
	records, err := record.Files(e.Dir, e.Records, e.All)
	for _, path := range records {
		data, _ := safefile.Read(path, maxOther) // one that cannot be read never travelled
		id, project, _ := naming.OfFile(filepath.Base(path))
		if r, err := record.Decode(id, data); err == nil && project != "" && !r.Created.IsZero() {
			gone.Records = append(gone.Records, withheld.RecordKey(r.Slug, r.Created))
		}
	}
	if err != nil {
		return err
	}
	slugs, err := log.Store{Dir: e.Dir}.Projects()
	for _, k := range project.OpenWorkspace(e.Dir).Known {
		slugs = append(slugs, k.Slug)
	}
	keys := []string{withheld.All}
	if !e.All {
		keys = slices.DeleteFunc(slugs, func(slug string) bool { return !e.isPast(slug) })
		slices.Sort(keys)
		keys = slices.Compact(keys)
		for i, slug := range keys {
			keys[i] = withheld.Key(slug)
		}
	}
	failed := withheld.Past(e.Dir, keys, places, e.Now, e.Wait)
	if errors.Is(failed, withheld.ErrPausesUnreadable) {
		failed = nil
	}
	return errors.Join(err, failed)
}

// isForgotten reports whether the turns in a session's file go.
func (e *Eraser) isForgotten(slug, file string) bool {
	return e.isPast(slug) || e.Past == nil && slug == "" &&
		slices.ContainsFunc(e.sessions, func(id string) bool { return log.FileName(id) == file })
}

// dropLocks removes the locks, which have the names of projects, but for those that somebody holds.
func (e *Eraser) dropLocks() error {
	folder := filepath.Join(e.Dir, safefile.Locks)
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
