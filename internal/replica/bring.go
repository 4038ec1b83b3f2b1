package replica

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/machine"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/record"
)

// manyFiles is how many files are stored at once: each time waits for the disk, and writes index and rules anew.
const manyFiles = 512

// bringIn makes this store what the merged tree says. A file that was changed since it was exported ends the attempt:
// the next one merges again, since nothing is noted as merged before all is in.
func (s *run) bringIn(at *sides) error {
	paths := slices.Sorted(maps.Keys(differing(at.local, at.merged)))
	done := 0
	for some := range slices.Chunk(paths, manyFiles) {
		s.doing("taking in what is new, in files", done, len(paths))
		if err := s.bringSome(some, at); err != nil {
			return err
		}
		done += len(some)
	}
	return s.bringMissions(at.merged)
}

// bringSome takes in some of the files.
func (s *run) bringSome(some []string, at *sides) error {
	var arrived []record.Arrival
	sessions := map[string]map[string][]log.Entry{} // slug -> name of the file
	for _, path := range some {
		to := placeOf(path)
		p, ok := s.projects[to.project]
		if !ok || s.refused[path] {
			continue
		}
		data, err := s.read(path, at.merged[path])
		switch {
		case err != nil:
		case to.kind == records:
			var ours []record.Arrival
			ours, err = s.arrival(p, to.name, at.local[path], data)
			arrived = append(arrived, ours...)
		case to.kind == said && p.slug != "" && s.Config.Past != config.PastJournal:
			if sessions[p.slug] == nil {
				sessions[p.slug] = map[string][]log.Entry{}
			}
			sessions[p.slug][to.name] = log.Arrived(to.name, data, capture.TurnsSince(s.Config, s.Now()),
				s.Config.Past == config.PastAnswers)
		case to.kind == rules:
			err = s.turns().ReceiveDecisions(p.slug, data)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := s.Store.Put(arrived...); errors.As(err, new(*record.ConflictError)) {
		return ErrAgain
	} else if err != nil {
		return err
	}
	for slug, arrived := range sessions {
		err := s.turns().Receive(slug, arrived)
		if err == nil {
			err = s.rules().Refresh(slug)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// nameOf returns the name in a machine's file, "" for none.
func nameOf(data []byte) string {
	var is struct{ Name string }
	if json.Unmarshal(data, &is) != nil || is.Name == "" { // another form has no name
		return ""
	}
	return machine.CleanName(is.Name)
}

// arrival is what came out of the merge for a record; data nil removes the record. was is the blob that the record was
// exported as. It is none for a record that does not travel: what a repository carries comes by no other way.
func (s *run) arrival(p shared, slug string, was gitrepo.ID, data []byte) (ours []record.Arrival, err error) {
	a := record.Arrival{ID: p.name + "--" + slug}
	if path := s.paths[a.ID]; path != "" {
		if a.Was, err = record.ReadFile(path); errors.Is(err, fs.ErrNotExist) {
			return nil, ErrAgain // it was moved or removed meanwhile
		} else if err != nil {
			return nil, err
		}
	}
	var sent gitrepo.ID
	if a.Was != nil {
		text, err := record.Send(a.Was, p.far+"--"+slug)
		if err != nil || text == nil {
			return nil, err
		}
		sent = gitrepo.BlobID(text)
	}
	if sent != was {
		return nil, ErrAgain
	}
	if data != nil {
		if a.To, err = record.Send(data, a.ID); err != nil || a.To == nil {
			return nil, err
		}
	}
	return []record.Arrival{a}, nil
}

// Limits of what is kept of other machines.
const (
	maxJournals = 1000     // journals of a project, and machines, that are read
	maxMission  = 16 << 10 // bytes
	maxMissions = 32       // of a project, those that were opened last
)

// bringMissions keeps the names and the missions of the other machines.
func (s *run) bringMissions(merged tree) error {
	names := map[string]string{}
	all := map[string][]pace.Mission{}
	seen := map[string]int{}
	for _, path := range slices.Sorted(maps.Keys(merged)) {
		to := placeOf(path)
		if to.kind != machines && to.kind != journals {
			continue
		}
		if seen[to.project]++; seen[to.project] > maxJournals {
			continue
		}
		data, err := s.read(path, merged[path])
		if err != nil {
			return err
		}
		var m pace.Mission
		data = s.erase(path, data)
		switch {
		case to.kind == machines && to.name != s.me.ID:
			names[to.name] = cmp.Or(nameOf(data), to.name)
		case to.kind == journals && len(data) <= maxMission && json.Unmarshal(data, &m) == nil && m.Mission != "" &&
			m.Machine != s.me.ID && strings.HasPrefix(to.name, m.Machine+journalMark):
			all[to.project] = append(all[to.project], m)
		}
	}
	for _, p := range s.projects {
		missions := all[p.pid]
		slices.SortFunc(missions, func(a, b pace.Mission) int {
			return cmp.Or(cmp.Compare(b.Opened, a.Opened), cmp.Compare(a.Machine+" "+a.Lane, b.Machine+" "+b.Lane))
		})
		others := pace.Others{Names: names, Missions: missions[:min(len(missions), maxMissions)]}
		if err := others.Save(s.Config.Dir, p.name); err != nil {
			return err
		}
	}
	return nil
}
