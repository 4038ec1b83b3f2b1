package replica

import (
	"context"
	"strings"

	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/withheld"
)

// Purge erases from the repository here what this store has forgotten since the last sync: its history ends, and begins
// with the tree that was merged last, without the words. The next sync does the same in the remote. Errors: Load's,
// safefile.ErrBusy while another sync runs, withheld.ErrErasedUnreadable, the disk's; the same call again goes on.
func (r *Replica) Purge() error {
	unlock, err := r.lock()
	if err != nil {
		return err
	}
	defer unlock()
	s := &run{Replica: r}
	if s.Settings, err = r.Load(); err != nil {
		return err
	}
	if s.repo, err = r.open(context.Background()); err != nil {
		return err
	}
	defer s.repo.Close()
	if s.me, err = r.me(); err != nil {
		return err
	}
	if s.erased, err = withheld.LoadErased(r.Config.Dir); err != nil {
		return err
	}
	known, err := s.known(s.me)
	if err != nil {
		return err
	}
	s.slugs, s.scans = map[string]string{}, true
	for _, p := range known {
		s.slugs[p.pid] = p.slug
	}
	next, err := s.purged()
	if err != nil || next == "" {
		return err
	}
	if err := s.repo.SetHead(next); err != nil {
		return err
	}
	if err := s.repo.Prune(); err != nil {
		return err
	}
	return safefile.Remove(s.cachePath()) // it holds the names of records
}

// purged commits what was merged last without what was forgotten, and without this machine's journals, which the next
// sync exports again. It returns "" if nothing was ever merged.
func (s *run) purged() (gitrepo.ID, error) {
	was, err := s.repo.Head()
	if err != nil || was == "" {
		return "", err
	}
	var at sides
	if at.base, err = s.files(was); err != nil {
		return "", err
	}
	if _, err := s.readProjects(at.base); err != nil {
		return "", err
	}
	for path := range at.base {
		if to := placeOf(path); to.kind == journals && strings.HasPrefix(to.name, s.me.ID+journalMark) {
			delete(at.base, path)
		}
	}
	if err := s.eraseSides(&at); err != nil {
		return "", err
	}
	return s.repo.Commit(at.base, "", s.me.Name, "what was forgotten is gone", s.Now())
}
