package cli

import (
	"fmt"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/shared"
)

func shareCommand() command {
	return command{
		name: "share", args: "RECORD...", short: "put a copy of records into the repository, for the team",
		long: `Each record becomes a Markdown file in .memento/ at the top of the repository, without session, branch, names, paths of
this machine and secrets. You commit it, or delete it to share it no more: memento runs no git. Share a changed record
again to update its copy. Whoever clones the repository is asked before memento reads it: memento help trust.

  memento share use-paseto
`,
		run: runShare,
	}
}

func runShare(c *call) error {
	s, err := c.openShelf(true)
	if err != nil {
		return err
	}
	p := c.repository(s)
	isDone := false
	err = c.each(func(name string) (line string, err error) {
		r, err := s.find(name)
		if err != nil {
			return "", err
		}
		w, err := p.Share(*r, c.home())
		if err != nil {
			return "", err
		}
		line = "wrote " + w.Path
		if !w.Changed {
			line = w.Path + " is up to date"
		}
		if w.Secrets != nil {
			line += " (" + redact.Notice(w.Secrets) + ")"
		}
		isDone = isDone || w.Changed
		return line, nil
	})
	if isDone {
		fmt.Fprintln(c.Out, "commit it: git add -A "+shared.Folder)
	}
	return err
}

// repository returns the working tree of the shelf: the folder's, if it belongs to the shelf's project, else the
// session's.
func (c *call) repository(s *shelf) shared.Repository {
	p := shared.Repository{Project: s.project, Store: s.store}
	if s.project == naming.User {
		return p
	}
	if here := c.here(); c.workspace().Slug(here) == s.project {
		p.Root = here.Root
	} else {
		p.Root = s.root
	}
	return p
}
