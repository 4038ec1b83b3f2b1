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
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/record"
)

// manyFiles is how many files are stored at once: each batch waits for the disk, and writes the index and the rules
// anew.
const manyFiles = 512

// testOnlyMany, when set, stands for manyFiles.
var testOnlyMany int

// arrivals are the files that arrive. Those of one kind come one after the other.
type arrivals struct {
	*run
	batch
}

// batch is what is stored at once.
type batch struct {
	records []record.Arrival
	slug    string                 // of the sessions
	said    map[string][]log.Entry // by the names of their files
}

// bringIn makes this store what the merged tree says. A file that was changed since it was exported ends the attempt:
// the next one merges again, since nothing is noted as merged before all is in.
func (s *run) bringIn(local, merged tree) error {
	by := map[string]shared{}
	for _, p := range s.projects {
		by[p.pid] = p
	}
	all := &arrivals{run: s}
	paths := slices.Sorted(maps.Keys(differing(local, merged)))
	for i, path := range paths {
		s.doing("taking in what is new, in files", i, len(paths))
		to := placeOf(path)
		p, ok := by[to.project]
		if !ok || s.refused[path] {
			continue
		}
		var data []byte
		if id := merged[path]; id != "" {
			var err error
			if data, err = s.read(path, id); err != nil {
				return err
			}
		}
		if err := all.bring(p, to, local[path], data); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := all.flush(); err != nil {
		return err
	}
	return s.bringMissions(merged)
}

// bring takes in one file. was is the blob that this store has of it.
func (b *arrivals) bring(p shared, to place, was gitrepo.ID, data []byte) error {
	switch to.kind {
	case records:
		a, isOurs, err := b.arrival(p, to.name, was, data)
		if err != nil {
			return err
		}
		if isOurs {
			b.records = append(b.records, a)
		}
	case said:
		if b.Config.Past == config.PastJournal || p.slug == "" {
			return nil
		}
		if p.slug != b.slug && len(b.said) > 0 {
			if err := b.flush(); err != nil {
				return err
			}
		}
		b.slug = p.slug
		if b.said == nil {
			b.said = map[string][]log.Entry{}
		}
		b.said[to.name] = log.Arrived(to.name, data, capture.TurnsSince(b.Config, b.Now()),
			b.Config.Past == config.PastAnswers)
	case rules:
		return b.turns().ReceiveDecisions(p.slug, data)
	}
	if len(b.records)+len(b.said) >= cmp.Or(testOnlyMany, manyFiles) {
		return b.flush()
	}
	return nil
}

// flush stores the batch, and begins another.
func (b *arrivals) flush() error {
	full := b.batch
	b.batch = batch{}
	return b.store(full)
}

// store stores a batch.
func (s *run) store(b batch) error {
	if len(b.records) > 0 {
		err := s.Store.Put(b.records...)
		if errors.As(err, new(*record.ConflictError)) {
			return ErrAgain
		}
		if err != nil {
			return err
		}
	}
	if len(b.said) == 0 {
		return nil
	}
	if err := s.turns().Receive(b.slug, b.said); err != nil {
		return err
	}
	return s.rules().Refresh(b.slug)
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
// exported as. isOurs is false for a record that does not travel: what a repository carries comes by no other way.
func (s *run) arrival(p shared, slug string, was gitrepo.ID, data []byte) (a record.Arrival, isOurs bool, err error) {
	a.ID = p.name + "--" + slug
	if path := s.paths[a.ID]; path != "" {
		if a.Was, err = record.ReadFile(path); errors.Is(err, fs.ErrNotExist) {
			return a, false, ErrAgain // it was moved or removed meanwhile
		} else if err != nil {
			return a, false, err
		}
	}
	var sent gitrepo.ID
	if a.Was != nil {
		text, err := record.Send(a.Was, p.far+"--"+slug)
		if err != nil || text == nil {
			return a, false, err
		}
		sent = gitrepo.BlobID(text)
	}
	if sent != was {
		return a, false, ErrAgain
	}
	if data != nil {
		a.To, err = record.Send(data, a.ID)
	}
	return a, data == nil || a.To != nil, err
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
		if err := others.Save(s.Config.Dir, cmp.Or(p.slug, naming.User)); err != nil {
			return err
		}
	}
	return nil
}
