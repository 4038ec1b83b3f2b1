package replica

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/project"
)

// A project without an origin is known to all machines by an identity that one of them gave it. When it gets an origin,
// or moves, its project.json lists what it was known by before. Every machine then moves what stands under a former
// identity, whoever is first, and however often an old machine writes there again.

// maxFormer is how many identities a project may have had, one after the other.
const maxFormer = 8

// follow finds the former identities of the projects here and in the remote, and gives known projects, the choice and
// the three sides' folders the present ones.
func (s *run) follow(known []shared, far map[string]aboutProject, at *sides) error {
	next, ids := map[string]string{}, map[string]string{}
	note := func(id string, was []string) {
		pid := project.SharedName(id)
		ids[pid] = id
		for _, former := range was {
			old := project.SharedName(former)
			if project.IsFolderID(former) && old != pid && (next[old] == "" || pid < next[old]) {
				next[old] = pid
			}
		}
	}
	for _, a := range far {
		note(a.ID, a.Was)
	}
	for _, p := range known {
		note(p.id, p.was)
	}
	s.present = map[string]string{}
	for old := range next {
		now := old
		for range maxFormer {
			now = cmp.Or(next[now], now)
		}
		if next[now] == "" { // else they go round in a circle
			s.present[old] = now
			delete(far, old)
			delete(s.names, old)
		}
	}
	isFormer := func(p shared) int { return len(s.present[p.pid]) }
	slices.SortStableFunc(known, func(a, b shared) int { return isFormer(a) - isFormer(b) }) // the first is synced
	for i := range known {
		p := &known[i]
		now := s.present[p.pid]
		if now == "" {
			continue
		}
		if isAlone := !slices.ContainsFunc(known, func(k shared) bool { return k.pid == now }); isAlone && !s.dry {
			if err := project.Follow(s.Config.Dir, p.id, ids[now], s.Now(), s.Wait); err != nil {
				return err
			}
		}
		p.id, p.pid = ids[now], now
	}
	for i, pid := range s.Projects {
		s.Projects[i] = cmp.Or(s.present[pid], pid)
	}
	slices.Sort(s.Projects)
	s.Projects = slices.Compact(s.Projects)
	// What the base has of a project that moves says nothing of the other folder: this merge goes without.
	moved := map[string]bool{}
	for path := range at.base {
		if now := s.present[placeOf(path).project]; now != "" {
			moved[now] = true
		}
	}
	maps.DeleteFunc(at.base, func(path string, _ gitrepo.ID) bool {
		pid := placeOf(path).project
		return moved[pid] || s.present[pid] != ""
	})
	var err error
	s.hasMoved, err = s.moveFormer(at.remote)
	return err
}

// moveFormer moves the folders of former identities to the present ones, and reports whether there were any.
func (s *run) moveFormer(t tree) (moved bool, err error) {
	for _, path := range slices.Sorted(maps.Keys(t)) {
		old := placeOf(path)
		pid := s.present[old.project]
		if pid == "" {
			continue
		}
		id := t[path]
		delete(t, path)
		if moved = true; old.kind == about {
			continue
		}
		to := "projects/" + pid + strings.TrimPrefix(path, "projects/"+old.project)
		if there := t[to]; there != "" && there != id {
			if id, err = s.mergeFile(t, to, placeOf(to), "", id, there); err != nil {
				return moved, err
			}
		}
		if t[to] = id; id == "" {
			delete(t, to)
		}
	}
	return moved, nil
}
