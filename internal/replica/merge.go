package replica

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/withheld"
)

// merge merges the three sides path by path. The result does not depend on which side is called local.
func (s *run) merge(at *sides) error {
	s.doing("merging", 0, 0)
	s.refused = map[string]bool{}
	out, others, lost := tree{}, tree{}, s.lost(at)
	maps.Copy(out, at.remote)
	for path := range differing(at.local, at.remote) {
		to := placeOf(path)
		b, l, r := at.base[path], at.local[path], at.remote[path]
		if r != "" {
			refused, err := s.refuses(path, r)
			if err != nil {
				return err
			}
			if refused { // it stays there, and what is here stays here
				s.refused[path] = true
				continue
			}
		}
		if to.kind == records && l == "" && r != "" && lost[to.project] {
			l = b
			s.result.Back++
		}
		id, err := s.mergeFile(others, path, to, b, l, r)
		if err != nil {
			return err
		}
		if out[path] = id; id == "" {
			delete(out, path)
		}
	}
	for path, id := range others { // now that nothing else decides what stands there
		out[path] = cmp.Or(out[path], id)
	}
	slices.Sort(s.result.Conflicts)
	s.result.Conflicts = slices.Compact(s.result.Conflicts)
	at.merged = out
	return nil
}

// largest returns the size in bytes of the largest file of its kind.
func (k kind) largest() int64 {
	switch k {
	case records:
		return 800 << 10
	case said:
		return 64 << 20
	case erasedIDs:
		return 32 << 20
	}
	return 1 << 20
}

// read reads a file of a tree, nil for none, and for one that is larger than any that memento sends. Errors: gitrepo's.
func (s *run) read(path string, id gitrepo.ID) ([]byte, error) {
	if id == "" {
		return nil, nil
	}
	data, err := s.repo.Read(id, placeOf(path).kind.largest())
	if errors.Is(err, safefile.ErrTooLarge) {
		return nil, nil
	}
	return data, err
}

// refuses reports whether memento leaves a file of the remote alone, as it would leave none that memento sends.
func (s *run) refuses(path string, id gitrepo.ID) (bool, error) {
	data, err := s.read(path, id)
	isRefused := err == nil && (data == nil || placeOf(path).kind == records && !record.MayArrive(data))
	if isRefused {
		s.say("%s: no memento writes such a file; it stays in the remote, and is not taken in", path)
	}
	return isRefused, err
}

// differing returns the paths at which two trees do not have the same.
func differing(a, b tree) map[string]bool {
	out := map[string]bool{}
	for path, id := range a {
		if b[path] != id {
			out[path] = true
		}
	}
	for path := range b {
		if a[path] == "" {
			out[path] = true
		}
	}
	return out
}

// Of a project's records, this many and more than half gone since the last sync are a loss, and no decision.
const manyLost = 10

// lost returns the projects whose records are gone from the store in a mass: a folder that somebody deleted, or brought
// back from a backup. They come back from the remote.
func (s *run) lost(at *sides) map[string]bool {
	had, gone, out := map[string]int{}, map[string]int{}, map[string]bool{}
	for path := range at.base {
		to := placeOf(path)
		if to.kind != records {
			continue
		}
		had[to.project]++
		if at.local[path] == "" {
			gone[to.project]++
			out[to.project] = gone[to.project] >= manyLost
		}
	}
	maps.DeleteFunc(out, func(pid string, isMany bool) bool { return !isMany || 2*gone[pid] <= had[pid] })
	return out
}

// mergeFile merges the three versions of one file; "" stands for none. It adds the other version of a record to others.
func (s *run) mergeFile(others tree, path string, to place, b, l, r gitrepo.ID) (gitrepo.ID, error) {
	switch {
	case to.kind == said, to.kind == rules, to.kind == erasedIDs, to.kind == about: // what one side lacks it has lost
		if l == "" || r == "" {
			return cmp.Or(l, r), nil
		}
	case to.kind == format:
		return cmp.Or(r, l), nil
	case to.kind.hasOneWriter():
		if s.writes(to) {
			return l, nil
		}
		return r, nil
	case l == b:
		return r, nil
	case r == b:
		return l, nil
	}
	base, err := s.read(path, b)
	local, errLocal := s.read(path, l)
	remote, errRemote := s.read(path, r)
	if err := errors.Join(err, errLocal, errRemote); err != nil {
		return "", err
	}
	var data []byte
	switch to.kind {
	case records:
		var other record.Version
		if data, other = record.Merge(to.name, base, local, remote); other.Data != nil {
			others["projects/"+to.project+"/"+recordPath(other.Slug)], err = s.repo.Put(other.Data)
			id := strings.TrimPrefix(s.projects[to.project].name+"--"+other.Slug, "--") // as it is called here
			s.result.Conflicts = append(s.result.Conflicts, id)
		}
	case said, rules:
		data = log.Merge(local, remote)
	case about:
		data = mergeAbout(local, remote)
	case erasedIDs:
		data, err = withheld.JoinSent(local, remote)
	}
	if err != nil || len(bytes.TrimSpace(data)) == 0 {
		return "", err
	}
	return s.repo.Put(data)
}

// count counts what travels, and names the machines from which it comes.
func (s *run) count(at *sides) error {
	s.result.Sent = s.difference(nil, at.remote, at.merged)
	s.result.Received = s.difference(at.base, at.local, at.merged)
	if s.Config.Past == config.PastJournal {
		s.result.Received.Turns = 0 // none is taken in
	}
	return s.nameSenders(at)
}

// isSynced reports whether what stands at a place is taken in here. The repository also keeps what others chose.
func (s *run) isSynced(at place) bool {
	_, isChosen := s.projects[at.project]
	return at.project == "" || isChosen
}

// difference counts what of to is not in from. What before had too was received before: this store does not keep it, as
// one does that keeps turns for some days.
func (s *run) difference(before, from, to tree) (n Count) {
	for path := range differing(from, to) {
		at := placeOf(path)
		if s.refused[path] || !s.isSynced(at) || at.kind != records && before[path] == to[path] {
			continue
		}
		more := func() int { return s.news(path, to[path], from[path], before[path]) }
		switch at.kind {
		case records:
			n.Records++
		case said:
			n.Turns += more()
		case rules:
			n.Rules += more()
		case journals:
			n.Journals++
		case erasedIDs:
			n.Forgotten += more()
		}
	}
	return n
}

// news counts the lines of a file that none of the old ones has; of a session the turns that such lines belong to.
func (s *run) news(path string, id gitrepo.ID, old ...gitrepo.ID) int {
	known, more := map[string]bool{}, map[string]bool{}
	for _, id := range old {
		data, _ := s.read(path, id) // who takes it in reports the error
		for line := range strings.Lines(string(data)) {
			known[line] = true
		}
	}
	data, _ := s.read(path, id)
	for line := range strings.Lines(string(data)) {
		if known[line] {
			continue
		}
		if e := log.Decode([]byte(line)); placeOf(path).kind == said && len(e) > 0 {
			line = e[0].Turn()
		}
		more[line] = true
	}
	delete(more, "") // lines of no turn
	return len(more)
}
