package replica

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"strings"

	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
)

// export sets the local side to the store as a tree: of the chosen projects what this machine has, and all else as it
// was merged last. It reads only files that changed since the last sync.
func (s *run) export(at *sides) error {
	s.out, s.fresh = tree{}, map[string]string{}
	for path, id := range at.base {
		if at := placeOf(path); at.kind == format || !s.writes(at) {
			s.out[path] = id
		}
	}
	files := map[string][]byte{s.ownPath(): s.aboutMachine(), erasedPath: s.erased.Send()}
	if s.out[formatPath] == "" {
		files[formatPath] = fmt.Appendf(nil, "{\"version\":%d,\"history\":\"%016x\"}\n", version, rand.Uint64())
	}
	for path, data := range files {
		if err := s.put(path, data); err != nil {
			return err
		}
	}
	err := s.exportRecords()
	for _, p := range s.projects {
		if err == nil {
			err = s.exportProject(p)
		}
	}
	if err == nil {
		err = s.exportJournals()
	}
	at.local = s.out
	return err
}

// writes reports whether this machine writes what stands at a place.
func (s *run) writes(at place) bool {
	switch at.kind {
	case unknown:
		return false
	case machines:
		return at.name == s.me.ID
	case journals:
		if !strings.HasPrefix(at.name, s.me.ID+journalMark) {
			return false
		}
	}
	return s.isSynced(at)
}

// exportProject exports all of a project but records and journals.
func (s *run) exportProject(p shared) error {
	decisions, err := s.turns().SendDecisions(p.slug)
	if err == nil {
		err = s.put(p.path("rules.jsonl"), decisions)
	}
	if err != nil || p.slug == "" {
		return err
	}
	if err := s.put(p.path("project.json"), p.about()); err != nil {
		return err
	}
	all, err := s.turns().Sessions(p.slug)
	for _, one := range all {
		stamp := fmt.Sprintf("%d.%d.%t", one.Size, one.Changed.UnixNano(), s.Answers)
		if err == nil {
			err = s.putCached(p.path(saidPath(one.ID)), stamp, func() ([]byte, error) {
				return s.turns().Send(one, s.me.ID, s.Answers)
			})
		}
	}
	return err
}

// exportRecords exports the records of all chosen projects. A file that is no record stays here.
func (s *run) exportRecords() error {
	by := map[string]shared{}
	for _, p := range s.projects {
		by[p.name] = p
	}
	s.paths = map[string]string{}
	var failed error
	err := s.Store.Walk("", func(id, path string, at safefile.Stamp) {
		name, slug, _ := naming.Cut(id)
		p, chosen := by[name]
		if !chosen || failed != nil {
			return
		}
		s.paths[id] = path
		stamp := fmt.Sprintf("%d.%d.%d.%s", at.Size, at.Time, at.Number, p.far)
		failed = s.putCached(p.path(recordPath(slug)), stamp, func() ([]byte, error) {
			data, err := record.ReadFile(path)
			switch {
			case errors.Is(err, fs.ErrNotExist): // it was removed meanwhile
				return nil, nil
			case err != nil:
				s.say("%v: the record does not travel", err)
				return nil, nil
			}
			return record.Send(data, p.far+"--"+slug)
		})
	})
	return errors.Join(err, failed)
}

// exportJournals exports the missions of this machine's journals.
func (s *run) exportJournals() error {
	by := map[string]shared{}
	for _, p := range s.projects {
		by[p.slug] = p
	}
	entries, err := safefile.ListFolder(s.Config.Dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name, holds := project.OfLane(e.Name())
		lane, ok := project.LaneNamed(s.Config.Dir, name)
		p, chosen := by[lane.Slug]
		if holds != project.JournalFile || !ok || lane.Slug == "" || !chosen {
			continue
		}
		j, err := journal.Store{Lane: lane, Config: s.Config, Now: s.Now()}.Read()
		if err != nil {
			continue // it is damaged; doctor says so
		}
		own := strings.TrimPrefix(lane.Name, lane.Slug+"--")
		path := p.path("journals/" + s.me.ID + journalMark + own + ".json")
		if err := s.put(path, missionOf(s.me.ID, own, j)); err != nil {
			return err
		}
	}
	return nil
}

// missionOf returns the mission of a journal of this machine as it travels; nil for a journal without a mission, or
// with a program's. Secrets are taken out once more.
func missionOf(machine, lane string, j *journal.Journal) []byte {
	if j == nil || j.Mission == "" || j.IsProgram() {
		return nil
	}
	m := pace.Mission{Machine: machine, Lane: lane, Mission: redact.Clean(j.Mission), By: j.MissionBy,
		Opened: j.MissionOpened, Closed: j.MissionClosed, Branch: redact.Clean(j.Branch), Wip: redact.Clean(j.Wip),
		Summary: redact.Clean(j.Summary)}
	for _, item := range j.Plan {
		m.Plan = append(m.Plan, redact.Clean(item))
	}
	for _, e := range j.Done {
		m.Done = append(m.Done, redact.Clean(e.Line()))
	}
	data, _ := json.Marshal(m) // strings always marshal
	return append(data, '\n')
}

// putCached puts what make returns, or the blob of the last sync if the file's stamp did not change since then.
func (s *run) putCached(path, stamp string, make func() ([]byte, error)) error {
	if was, blob, _ := strings.Cut(s.cache[path], " "); was == stamp {
		s.fresh[path], s.out[path] = s.cache[path], gitrepo.ID(blob)
		return nil
	}
	s.packed++
	s.doing("packing what changed, in files", s.packed, 0)
	data, err := make()
	if err == nil {
		err = s.put(path, data)
	}
	if blob := s.out[path]; err == nil && blob != "" && !s.isDirty {
		s.fresh[path] = stamp + " " + string(blob)
	}
	return err
}

// put erases from data what was forgotten, notes that in isDirty, and exports what is left, unless nothing is.
func (s *run) put(path string, data []byte) (err error) {
	left := s.erase(path, data)
	s.isDirty = s.isDirty || !bytes.Equal(left, data)
	if len(left) > 0 {
		s.out[path], err = s.repo.Put(left)
	}
	return err
}

const maxCache = 64 << 20

// cache says which file gave which blob in the last sync.
type cache struct {
	Of    string            // what was erased then, and the commit that has all blobs
	Files map[string]string // path -> stamp and blob
}

func (s *run) cacheOf() string { return s.erased.Sum() + " " + s.Merged }

// loadCache reads the cache. A damaged one, after a power cut, counts as none, and so does one made with another list
// of what was erased, or of another commit: each file is looked at again.
func (s *run) loadCache() {
	var c cache
	_, path := pace.History(s.Config.Dir)
	data, err := safefile.Read(path, maxCache)
	if s.cache = nil; err == nil && json.Unmarshal(data, &c) == nil && c.Of == s.cacheOf() {
		s.cache = c.Files
	}
}

// saveCache writes which file gave which blob, of those that are in the tree.
func (s *run) saveCache(there tree) {
	maps.DeleteFunc(s.fresh, func(path, value string) bool {
		_, blob, _ := strings.Cut(value, " ")
		return there[path] != gitrepo.ID(blob)
	})
	_, path := pace.History(s.Config.Dir)
	data, _ := json.Marshal(cache{s.cacheOf(), s.fresh}) // strings always marshal
	_ = safefile.ReplaceVolatile(path, data, 0o600)      // without it, the next sync only takes longer
}
