package replica

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mementohq/memento/internal/forget"
	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/withheld"
)

// Ids of what was forgotten travel, so that every machine erases it. Phrases do not: each machine asks its own
// fingerprints of what comes from the remote, erases there what they find, and notes the ids of it.

// learnErased takes in what other machines erased by its id.
func (s *run) learnErased(at *sides) error {
	var err error
	if s.erased, err = withheld.LoadErased(s.Config.Dir); err != nil {
		return err
	}
	forgets := s.erased.Forgets()
	s.isNew = len(at.remote) > 0 && (forgets != s.Forgets || s.moved && forgets > 0)
	s.scans = s.isNew
	if blob := at.remote[erasedPath]; blob != "" {
		lines, err := s.read(erasedPath, blob)
		if err == nil && lines == nil {
			err = fmt.Errorf("%w: the remote's list is too large", withheld.ErrErasedUnreadable)
		}
		if err == nil && !s.dry {
			err = withheld.Receive(s.Config.Dir, lines, s.Wait)
		}
		if err == nil {
			s.erased, err = s.erased.With(lines)
		}
		if err != nil {
			return err
		}
	}
	s.loadCache()
	return nil
}

// exportClean exports the store. Where the store holds what was forgotten, it erases that first.
func (s *run) exportClean(at *sides) (err error) {
	if !s.erased.Empty() && s.erased.Sum() != s.Applied && !s.dry {
		err = s.eraseStore()
	}
	if err == nil {
		err = s.export(at)
	}
	if err != nil || !s.isDirty || s.dry {
		return err
	}
	if err := s.eraseStore(); err != nil {
		return err
	}
	s.isDirty = false
	return s.export(at)
}

// eraseStore erases from this store what was forgotten here, and what was erased by its id anywhere.
func (s *run) eraseStore() error {
	known, err := s.known(s.me)
	if err != nil {
		return err
	}
	for _, p := range known {
		e := &forget.Eraser{Dir: s.Config.Dir, Records: func(name string) bool { return name == p.name },
			Past: func(slug string) bool { return slug == p.slug && slug != "" },
			Chosen: func(name string) bool {
				lane, ok := project.LaneNamed(s.Config.Dir, name)
				return ok && lane.Slug == p.slug && p.slug != ""
			}, Known: s.erased.In(p.name), Now: s.Now(), Wait: s.Wait}
		found, err := e.Run()
		if s.result.Erased += len(found); err != nil {
			return err
		}
	}
	s.erased, err = withheld.LoadErased(s.Config.Dir)
	return err
}

// eraseSides erases what was forgotten from the base and the remote. The base is clean until somebody forgets more.
func (s *run) eraseSides(at *sides) error {
	if s.erased.Empty() {
		return nil
	}
	clean := map[gitrepo.ID]bool{}
	if !s.scans {
		for _, id := range at.base {
			clean[id] = true
		}
	}
	s.gone = map[string]bool{}
	for _, side := range [...]tree{at.base, at.remote} {
		for _, path := range slices.Sorted(maps.Keys(side)) {
			id := side[path]
			// another machine writes its file anew until it has erased the words itself
			if clean[id] || !s.scans && placeOf(path).kind.hasOneWriter() {
				continue
			}
			data, err := s.read(path, id)
			if err != nil {
				return err
			}
			left := s.erase(path, data)
			if data != nil && bytes.Equal(left, data) { // of a large one nobody knows what it holds
				clean[id] = true
				continue
			}
			s.isNew = s.isNew || at.remote[path] == id
			delete(side, path)
			switch was := at.base[path]; {
			case len(left) > 0:
				if side[path], err = s.repo.Put(left); err != nil {
					return err
				}
			case data == nil && was != "": // what both sides had stays
				side[path] = was
			}
		}
	}
	return s.noteGone()
}

// noteGone notes the ids of the turns that a phrase was found in, so that the machine that sent them erases them.
func (s *run) noteGone() error {
	if len(s.gone) == 0 || s.dry {
		return nil
	}
	ids := slices.Sorted(maps.Keys(s.gone))
	err := withheld.Erasure{IDs: ids}.Add(s.Config.Dir, s.Wait)
	if err == nil {
		s.erased, err = withheld.LoadErased(s.Config.Dir)
	}
	return err
}

// erase returns what is left of a file of a tree without what was forgotten. It notes the ids of entries that hold a
// forgotten phrase.
func (s *run) erase(path string, data []byte) []byte {
	if s.erased == nil || s.erased.Empty() {
		return data
	}
	at := placeOf(path)
	f := s.erased.In(cmp.Or(s.slugs[at.project], "?")) // no phrase was forgotten in the project "?" alone
	switch at.kind {
	case records:
		id := cmp.Or(s.names[at.project], person) + "--" + at.name
		if r, err := record.Decode(id, data); err == nil && f.HasRecord(at.name, r.Created) {
			return nil
		}
		left, _, _ := record.Erase(f, id+".md", data)
		return left
	case said, rules:
		left, gone := log.EraseSent(at.name, data, f)
		for _, g := range gone {
			if s.gone != nil && g.ID != "" && f.Has(g.Words) {
				s.gone[g.ID] = true
			}
		}
		return left
	case journals:
		if f.Loose(data) { // the machine that wrote it sends it again without the words
			return nil
		}
	}
	return data
}
