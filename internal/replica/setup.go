package replica

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/gitrepo"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/record"
)

// ErrOff says that no remote was ever chosen.
var ErrOff = errors.New("sync is not set up")

// UnknownProjectError says that neither this machine nor the remote has a project of this name.
type UnknownProjectError struct{ Name string }

func (e *UnknownProjectError) Error() string {
	return "no project is called " + e.Name + ", here or there"
}

// with returns the settings with what was chosen. Names of projects are looked up when the remote is known.
func (s Settings) with(c Choice) (Settings, error) {
	remote, err := address(c.Remote)
	if err != nil {
		return s, err
	}
	switch {
	case remote != "" && remote != s.Remote: // what was chosen for another one does not go here
		s = Settings{Remote: remote, Commits: s.Commits, Applied: s.Applied, Forgets: s.Forgets}
	case remote != "":
		s.All, s.Projects, s.Answers = false, nil, false
	case !s.On:
		return s, ErrOff
	case s.All && len(c.Projects) > 0:
		s.All, s.Projects = false, nil
	}
	s.On = true
	s.All, s.Answers = s.All || c.All, (s.Answers || c.Answers) && !c.NoAnswers
	return s, nil
}

// isNarrower reports whether something that was chosen before is not chosen any more.
func (s Settings) isNarrower(was Settings) bool {
	gone := func(pid string) bool { return !s.All && !slices.Contains(s.Projects, pid) }
	return was.All && !s.All || slices.ContainsFunc(was.Projects, gone) || was.Answers && !s.Answers
}

// address returns the address of a remote, of a folder as an absolute path.
func address(remote string) (string, error) {
	if remote == "" {
		return "", nil
	}
	if _, err := os.Stat(remote); err == nil || strings.HasPrefix(remote, ".") {
		return filepath.Abs(remote)
	}
	return remote, nil
}

// choose adds the projects that were named to the settings, by their names here or in the remote.
func (s *run) choose(known []shared, far map[string]aboutProject) error {
	for _, name := range s.wanted {
		pid := ""
		for _, p := range known {
			if p.slug == name || p.name == name {
				pid = p.pid
			}
		}
		for there, a := range far {
			if pid == "" && a.Name == name {
				pid = there
			}
		}
		if pid == "" {
			return &UnknownProjectError{name}
		}
		if !slices.Contains(s.Projects, pid) {
			s.Projects = append(s.Projects, pid)
		}
	}
	return nil
}

// Status reads what is set up. It opens no connection. Errors: the disk's.
func (r *Replica) Status() (out Status, err error) {
	set, err := r.Load()
	if out.On = set.On; err != nil || !set.On {
		return out, err
	}
	out.Remote, out.All, out.Answers = gitrepo.Mask(set.Remote), set.All, set.Answers
	me, err := r.me()
	if err != nil {
		return out, err
	}
	out.Machine = me.Name
	known, err := r.known(me)
	if err != nil {
		return out, err
	}
	for _, p := range known {
		if p.slug != "" && (set.All || slices.Contains(set.Projects, p.pid)) {
			out.Projects = append(out.Projects, p.slug)
		}
	}
	slices.Sort(out.Projects)
	for id, name := range pace.LoadOthers(r.Config.Dir, naming.User).Names {
		if name != id {
			out.Machines = append(out.Machines, name)
		}
	}
	slices.Sort(out.Machines)
	all, _, err := r.Store.List(record.Filter{})
	for _, one := range all {
		if one.VersionOf != "" {
			out.Conflicts = append(out.Conflicts, one.ID)
		}
	}
	slices.Sort(out.Conflicts)
	return out, err
}
