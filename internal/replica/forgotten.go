package replica

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mementohq/memento/internal/elsewhere"
	"github.com/mementohq/memento/internal/forget"
	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/withheld"
)

// forgottenState is what was forgotten on any machine.
type forgottenState struct {
	all   *withheld.Forgotten
	hash  string // of all fingerprints
	isNew bool   // the remote does not know all of it, or holds some of it: its history begins anew
}

// learnForgotten joins what was forgotten here and elsewhere, and keeps the fingerprints of other machines.
func (s *run) learnForgotten(at sides) error {
	files := map[string][]byte{}
	for path, blob := range at.remote {
		if to := placeOf(path); to.kind == forgotten {
			data, err := s.read(path, blob)
			if errors.Is(err, errLarge) {
				err = fmt.Errorf("%w: %w", withheld.ErrForgottenUnreadable, err)
			}
			if err != nil {
				return err
			}
			files[to.name+".jsonl"] = data
		}
	}
	there, err := withheld.ReadForgotten(files)
	if err != nil {
		return err
	}
	own, err := withheld.ForgottenFiles(s.Config.Dir)
	if err != nil {
		return err
	}
	here, err := withheld.ReadForgotten(own)
	if err != nil {
		return err
	}
	name := s.me.ID + ".jsonl"
	own[name] = withheld.Travelling(own[name], s.isThere)
	travels, err := withheld.ReadForgotten(own)
	if err != nil {
		return err
	}
	if !s.dry {
		if err := withheld.TakeForgotten(s.Config.Dir, s.me, files, s.Wait); err != nil {
			return err
		}
	}
	s.forgot = forgottenState{all: here.Join(there)}
	s.forgot.isNew = len(at.remote) > 0 && !travels.Within(there)
	if s.forgot.hash, err = s.hashForgotten(files); err != nil {
		return err
	}
	s.loadCache(s.forgot.hash)
	return nil
}

// hashForgotten returns a hash of all fingerprints, "" for none.
func (s *run) hashForgotten(there map[string][]byte) (string, error) {
	all, err := withheld.ForgottenFiles(s.Config.Dir)
	if err != nil {
		return "", err
	}
	for name, data := range there {
		if all[name], err = withheld.JoinForgotten(all[name], data); err != nil {
			return "", err
		}
	}
	if len(all) == 0 {
		return "", nil
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		sum.Write([]byte(name + "\n"))
		sum.Write(all[name])
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// exportClean exports the store. Where the store holds what was forgotten anywhere, it erases that first.
func (s *run) exportClean(last tree) (tree, error) {
	if !s.forgot.all.Empty() && s.forgot.hash != s.Applied && !s.dry {
		if err := s.eraseStore(); err != nil {
			return nil, err
		}
	}
	out, err := s.export(last)
	if err != nil || !s.isDirty || s.dry {
		return out, err
	}
	if err := s.eraseStore(); err != nil {
		return nil, err
	}
	s.isDirty = false
	return s.export(last)
}

// eraseStore erases from this store everything that was forgotten on any machine.
func (s *run) eraseStore() error {
	known, err := s.known(s.me)
	if err != nil {
		return err
	}
	for _, p := range known {
		in := s.forgot.all.In(s.allNames(s.presentOf(p.pid))...)
		e := &forget.Eraser{Dir: s.Config.Dir, Records: func(name string) bool { return name == p.name },
			Past: func(slug string) bool { return slug == p.slug && slug != "" },
			Chosen: func(name string) bool {
				lane, ok := project.LaneNamed(s.Config.Dir, name)
				return ok && lane.Slug == p.slug && p.slug != ""
			}, What: forget.Fingerprints(in), Now: s.Now(), Wait: s.Wait}
		found, err := e.Run()
		if s.result.Erased += len(found); err != nil {
			return err
		}
	}
	return nil
}

// eraseSides erases what was forgotten from the base and the remote. Files of the tree that was merged last are clean
// while nothing new was forgotten.
func (s *run) eraseSides(at *sides) error {
	if s.forgot.all.Empty() {
		return nil
	}
	clean := map[gitrepo.ID]bool{}
	if s.Clean == s.forgot.hash {
		for _, id := range at.base {
			clean[id] = true
		}
	}
	for _, side := range [...]tree{at.base, at.remote} {
		for _, path := range slices.Sorted(maps.Keys(side)) {
			id := side[path]
			if clean[id] {
				continue
			}
			data, err := s.read(path, id)
			if errors.Is(err, errLarge) { // nobody knows what it holds
				s.forgot.isNew = s.forgot.isNew || at.remote[path] == id
				if delete(side, path); at.base[path] != "" {
					side[path] = at.base[path]
				}
				continue
			}
			if err != nil {
				return err
			}
			left := s.erase(path, data)
			if bytes.Equal(left, data) {
				clean[id] = true
				continue
			}
			s.forgot.isNew = s.forgot.isNew || at.remote[path] == id
			if delete(side, path); len(left) == 0 {
				continue
			}
			if side[path], err = s.repo.Put(left); err != nil {
				return err
			}
		}
	}
	return nil
}

// erase returns what is left of a file of a tree without what was forgotten.
func (s *run) erase(path string, data []byte) []byte {
	if s.forgot.all == nil || s.forgot.all.Empty() {
		return data
	}
	at := placeOf(path)
	f := s.forgot.all.In(s.allNames(at.project)...)
	has := func(words string) bool { return f.Has(words) || f.HasText(words) }
	switch at.kind {
	case records:
		id := cmp.Or(s.names[at.project], person) + "--" + at.name
		if r, err := record.Decode(id, data); err == nil && f.HasRecord(at.name, r.Created) {
			return nil
		}
		// a record stays when an entry goes that it quotes, since it is more than the entry
		quotes := func(words string) bool { return f.Has(words) || f.HasName(words) }
		return record.Erasure{Has: quotes, Loose: f.Loose}.EraseFile(id+".md", data).Left
	case said:
		left, _ := past.EraseSent(data, past.Erasure{Has: has, Loose: f.Loose, Source: f.HasID, Whole: f.HasTurn})
		return left
	case rules:
		from := func(at rule.Source) bool { return f.HasID(at.Ref) || f.HasTurn(at.Session, at.At) }
		left, _ := rule.EraseSent(data, has, from, f.Loose)
		return left
	case journals:
		left, _ := elsewhere.Erase(data, has, f.Loose)
		return left
	case unknown:
		if f.Loose(data) {
			return nil
		}
	}
	return data
}
