package cli

import (
	"errors"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
)

// shelf is where a command on records works: the store of all records, and the project of the session or folder.
type shelf struct {
	*call
	store   record.Store
	project string // its name in records; naming.User outside any project
	root    string // the session's working tree, "" outside any session
	begun   bool   // a hook has bound the session to a project
}

// shelf finds the records and the project: the running session's, else the folder's. It writes nothing but the copies
// of files that the repository carries and the person trusts.
func (c *call) shelf() (*shelf, error) {
	state, missing := session.Load(c.config.Dir, c.sessionID())
	s := &shelf{call: c, store: c.records(), project: naming.User, root: state.Root, begun: missing == nil}
	s.store.Branch = project.Branch(c.Dir, state.Root)
	lane, err := c.lane()
	if lane.Slug != "" {
		s.project = naming.Project(lane.Slug)
	}
	return s, err
}

// openShelf returns the shelf for a command that writes. It fails for Claude while memento is paused. If save is
// true, it notes a new project, so that no other project gets the project's name.
func (c *call) openShelf(save bool) (*shelf, error) {
	s, err := c.shelf()
	if err != nil {
		return nil, err
	}
	if s.by == journal.ByClaude {
		if err := notPaused(c); err != nil {
			return nil, err
		}
	}
	if save && !s.begun {
		slug, err := c.noteProject(c.here())
		if err != nil {
			return nil, err
		}
		if slug != "" {
			s.project = slug
		}
	}
	return s, nil
}

// find returns the record with this name; see retrieve.Find. Errors: *hintError for a name that is empty, a pattern or
// ambiguous; ErrNotFound, with a hint that names a similar record.
func (s *shelf) find(name string) (*record.Record, error) {
	id, err := s.lookUp(name, retrieve.Find)
	if err != nil {
		return nil, err
	}
	return s.store.Read(id)
}

// id returns the id of the record with this whole name. The record may be unreadable.
func (s *shelf) id(name string) (string, error) {
	id, err := s.lookUp(name, retrieve.FindWhole)
	if errors.Is(err, record.ErrNotFound) {
		if whole, bad := retrieve.Find(s.store, s.project, s.Dir, name); bad == nil {
			err = hinted("only a whole name is taken here: "+whole, "%w", err)
		}
	}
	return id, err
}

// lookUp finds an id by find and adds a hint to its errors.
func (s *shelf) lookUp(
	name string, find func(s record.Store, project, dir, name string) (string, error),
) (string, error) {
	switch {
	case strings.TrimSpace(name) == "":
		return "", usage("memento list", "which record? Its name is empty")
	case strings.ContainsAny(name, "*?["):
		return "", usage("memento list '"+text.Line(name)+"' shows which fit it",
			"%s is a pattern, and a record is called by its name", text.Quote(name))
	}
	id, err := find(s.store, s.project, s.Dir, name)
	var several *retrieve.AmbiguousError
	if errors.As(err, &several) {
		some := several.IDs[:min(len(several.IDs), 5)]
		return "", usage("which one: "+strings.Join(some, ", "), "%v", several)
	}
	return id, err
}

// hintMissing is the hint for a record that is not there.
const hintMissing = "memento list --all --status all"
