package replica

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/elsewhere"
	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/machine"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/rule"
)

// bringIn makes this store what the merged tree says. A file that was changed since it was exported ends the attempt:
// the next one merges again, since nothing is noted as merged before all is in.
func (s *run) bringIn(local, merged tree) error {
	by := map[string]shared{}
	for _, p := range s.projects {
		by[p.pid] = p
	}
	spoken := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(joined(local, merged))) {
		to := placeOf(path)
		p, ok := by[to.project]
		if local[path] == merged[path] || !ok || s.refused[path] {
			continue
		}
		var data []byte
		if id := merged[path]; id != "" {
			var err error
			if data, err = s.read(path, id); err != nil {
				return err
			}
		}
		var err error
		switch to.kind {
		case records:
			err = s.bringRecord(p, to.name, local[path], data)
		case said:
			if s.Config.Past == config.PastJournal || p.slug == "" {
				continue
			}
			spoken[p.slug] = true
			err = s.turns().Receive(p.slug, to.name, data, capture.TurnLimits(s.Config, s.Now()),
				s.Config.Past == config.PastAnswers)
		case rules:
			lane, slug := "", rule.Person
			if p.slug != "" {
				slug, lane = p.slug, project.NewLane(s.Config.Dir, p.slug, "", s.Config.Tag).Name
			}
			err = s.rules().Receive(slug, lane, data)
		case decided:
			err = s.box().ReceiveDecided(p.name, data)
		}
		if err != nil {
			return err
		}
	}
	for slug := range spoken {
		if err := s.judge(slug); err != nil {
			return err
		}
	}
	return s.bringMissions(merged)
}

// nameOf returns the name in a machine's file, "" for none.
func nameOf(data []byte) string {
	var is struct{ Name string }
	if json.Unmarshal(data, &is) != nil || is.Name == "" { // another form has no name
		return ""
	}
	return machine.CleanName(is.Name)
}

// judge finds the sentences in a project's turns that may outlive their session, those of other machines too.
func (s *run) judge(slug string) error {
	var lines []history.Line
	err := s.turns().Each(slug, past.Position{}, func(t past.Turn, _ past.Position) bool {
		if t.N > 0 {
			lines = append(lines, rule.SaidIn(t))
		}
		return true
	})
	if err != nil {
		return err
	}
	return s.rules().Take(slug, project.NewLane(s.Config.Dir, slug, "", s.Config.Tag), lines)
}

// bringRecord makes a record of this store what came out of the merge; nil removes it. was is the blob that the record
// was exported as.
func (s *run) bringRecord(p shared, slug string, was gitrepo.ID, merged []byte) error {
	id := p.name + "--" + slug
	var stored []byte
	if path := s.paths[id]; path != "" {
		var err error
		if stored, err = record.ReadFile(path); errors.Is(err, fs.ErrNotExist) {
			return errAgain // it was moved or removed meanwhile
		} else if err != nil {
			return err
		}
	}
	var sent gitrepo.ID
	if stored != nil {
		data, err := record.Send(stored, p.far+"--"+slug)
		if err != nil || data == nil {
			return err
		}
		sent = gitrepo.BlobID(data)
	}
	if sent != was {
		return errAgain
	}
	var to []byte
	if merged != nil {
		data, err := record.Send(merged, id)
		if err != nil || data == nil { // what a repository carries comes by no other way
			return err
		}
		to = data
	}
	err := s.Store.Put(id, stored, to)
	if errors.As(err, new(*record.ConflictError)) {
		return errAgain
	}
	return err
}

// findHolders reads from the remote which sessions were held on which other machine. Where several say so of one, it is
// the first in the order of their ids.
func (s *run) findHolders(remote tree) error {
	s.heldBy = map[string]map[string]string{}
	for _, path := range slices.Sorted(maps.Keys(remote)) {
		to := placeOf(path)
		if to.kind != sessions || to.name == s.me.ID {
			continue
		}
		data, err := s.repo.Read(remote[path])
		if err != nil {
			return err
		}
		if s.heldBy[to.project] == nil {
			s.heldBy[to.project] = map[string]string{}
		}
		for _, id := range elsewhere.DecodeSessions(data) {
			if past.IsFileName(id) && s.heldBy[to.project][id] == "" {
				s.heldBy[to.project][id] = to.name
			}
		}
	}
	return nil
}

// bringMissions keeps the missions of the other machines, and which sessions were held there.
func (s *run) bringMissions(merged tree) error {
	names := map[string]string{}
	all := map[string][]elsewhere.Mission{}
	for path, id := range merged {
		to := placeOf(path)
		if to.kind != machines && to.kind != journals {
			continue
		}
		data, err := s.read(path, id)
		if errors.Is(err, errLarge) {
			continue
		}
		if err != nil {
			return err
		}
		if to.kind == machines {
			names[to.name] = nameOf(data)
			continue
		}
		for line := range bytes.Lines(data) {
			m, ok := elsewhere.Decode(line)
			if ok && m.Machine != s.me.ID && strings.HasPrefix(to.name, m.Machine+journalMark) {
				all[to.project] = append(all[to.project], m)
			}
		}
	}
	for _, p := range s.projects {
		if p.slug == "" {
			continue
		}
		held := map[string]string{}
		for session, machine := range s.heldBy[p.pid] {
			held[session] = cmp.Or(names[machine], machine)
		}
		if err := elsewhere.PutSessions(s.Config.Dir, p.slug, held); err != nil {
			return err
		}
		missions := all[p.pid]
		for i := range missions {
			missions[i].Name = names[missions[i].Machine]
		}
		if err := elsewhere.Put(s.Config.Dir, p.slug, missions); err != nil {
			return err
		}
	}
	return nil
}
