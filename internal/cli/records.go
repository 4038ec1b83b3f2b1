package cli

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"strings"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/session"
)

// shelf is where a command on records works: all records, and the project in whose name it was called.
type shelf struct {
	store   record.Store
	lane    project.Lane
	project string // as records name it; record.User outside any project
	session string // "" outside any session
	by      string // journal.ByClaude inside a session, journal.ByUser at a person's terminal
}

// shelf finds the records and the project: the running session's, else the folder's. It writes nothing.
func (c *call) shelf() (*shelf, error) {
	if err := c.load(); err != nil {
		return nil, err
	}
	s := &shelf{session: c.Getenv("CLAUDE_CODE_SESSION_ID"), by: journal.ByUser, project: record.User}
	if s.session != "" || c.Getenv("CLAUDECODE") != "" {
		s.by = journal.ByClaude
	}
	s.store = retrieve.Open(c.config.Dir, c.Now, wait)
	var err error
	state, missing := session.Load(c.config.Dir, s.session)
	known := missing == nil
	if known {
		s.lane, known = project.LaneNamed(c.config.Dir, state.Lane)
	}
	if !known {
		s.lane, err = session.Folder(c.config, c.Dir, config.Home(c.Getenv))
	}
	if s.lane.Slug != "" {
		s.project = record.Project(s.lane.Slug)
	}
	return s, err
}

// find returns the record that name means: an id, or the slug of one of this project or, failing that, of the user's.
func (s *shelf) find(name string) (*record.Record, error) {
	name = strings.TrimSuffix(name, ".md")
	if _, _, err := record.Split(name); err == nil {
		r, err := s.store.Read(name)
		return r, recordError(err)
	}
	for _, project := range []string{s.project, record.User} {
		id, err := record.ID(project, name)
		if err != nil {
			return nil, recordError(err)
		}
		r, err := s.store.Read(id)
		if !errors.Is(err, record.ErrNotFound) {
			return r, recordError(err)
		}
	}
	return nil, recordError(fmt.Errorf("%w: %s", record.ErrNotFound, name))
}

// recordError adds to what a store reports the command that helps.
func recordError(err error) error {
	hint := ""
	var exists *record.ExistsError
	var removed *record.RemovedError
	var conflict *record.ConflictError
	var name *record.NameError
	var front *record.FrontError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &exists):
		hint = "memento show " + exists.ID
	case errors.As(err, &removed):
		hint = "give it another title"
	case errors.As(err, &conflict):
		hint = "memento show " + conflict.ID + ", then again with --if-match " + conflict.Hash
	case errors.As(err, &name) && name.Try != "":
		hint = "try " + name.Try
	case errors.As(err, &front):
		hint = "mend the file by hand; memento does not touch it"
	case errors.Is(err, record.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		hint = "memento list --all"
	case errors.Is(err, record.ErrReason):
		hint = `--reason "…"`
	}
	if hint == "" {
		return err
	}
	return &hintError{err: err, hint: hint}
}

// scope is what list and search look through.
type scope struct {
	all                               bool
	project, kind, status, tag, since string
}

func (s *scope) flags(fs *flag.FlagSet) {
	fs.BoolVar(&s.all, "all", false, "all projects")
	fs.StringVar(&s.project, "project", "", "the project with this `NAME` instead of the folder's; user for your own")
	fs.StringVar(&s.kind, "kind", "", "only this `KIND`; several with commas")
	fs.StringVar(&s.status, "status", "", "active (what it is without), completed, retired, archived or all: `STATUS`")
	fs.StringVar(&s.tag, "tag", "", "only with this `TAG`; several with commas")
	fs.StringVar(&s.since, "since", "", "updated in the last 7d, 12h, 2w, or since 2026-03-14: `TIME`")
}
