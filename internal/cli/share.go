package cli

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/shared"
)

func shareCommand() command {
	var undo, replace bool
	return command{
		name: "share", args: "RECORD...", short: "put a copy of records into the repository, for the team",
		long: `Each record becomes a Markdown file in .memento/ at the top of the repository. You commit it: memento runs
no git. The copy has no session, no branch, no names and no paths of this machine, and secrets are taken out
once more. Whoever clones the repository is asked before memento reads it: memento help trust. Share a
changed record again to update its copy.

  memento share use-paseto
  memento share use-paseto --undo                take the copy away

A file that somebody else changed is left alone, unless --replace is given.
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			fs.BoolVar(&undo, "undo", false, "delete the copies")
			fs.BoolVar(&replace, "replace", false, "also overwrite or delete what somebody else wrote")
		},
		run: func(c *call) error { return runShare(c, undo, replace) },
	}
}

func runShare(c *call, undo, replace bool) error {
	s, err := c.openShelf(len(c.args) > 0)
	if err != nil {
		return err
	}
	p := c.repository(s)
	done := false
	err = c.each(func(name string) (line string, err error) {
		line, isChanged := "", false
		r, err := s.find(name)
		switch {
		case undo:
			line, isChanged, err = withdraw(p, name, r, err, replace)
		case err == nil:
			line, isChanged, err = shareOne(p, r, replace, c.home())
		}
		done = done || isChanged
		return line, err
	})
	if done {
		fmt.Fprintln(c.Out, "commit it: git add -A "+shared.Folder)
	}
	return err
}

// shareOne puts a copy of r into the repository. It returns what to print, and whether a file changed.
func shareOne(p shared.Repository, r *record.Record, replace bool, home string) (line string, changed bool, err error) {
	w, err := p.Share(*r, replace, home)
	if err != nil {
		return "", false, err
	}
	line = "wrote " + w.Path
	if !w.Changed {
		line = w.Path + " is up to date"
	}
	if w.Secrets != nil {
		line += " (" + redact.Notice(w.Secrets) + ")"
	}
	return line, w.Changed, nil
}

// withdraw takes away the copy of r, or when the record is gone that of its name. It returns what to print, and whether
// a file changed. missing is the error of finding r.
func withdraw(
	p shared.Repository, name string, r *record.Record, missing error, replace bool,
) (line string, changed bool, err error) {
	switch {
	case errors.Is(missing, record.ErrNotFound) && naming.CheckSlug(name) == nil:
	case missing != nil:
		return "", false, missing
	case r.Shared != "":
		name = strings.TrimPrefix(r.Slug, naming.SharedPrefix)
	default:
		name = r.Slug
	}
	path, had, err := p.Withdraw(name, replace)
	switch {
	case err != nil:
		return "", false, err
	case !had:
		return path + " is not there", false, nil
	}
	return "removed " + path, true, nil
}

// repository returns the working tree of the shelf: the folder's, if it belongs to the shelf's project, else the
// session's.
func (c *call) repository(s *shelf) shared.Repository {
	p := shared.Repository{Project: s.project, Store: s.store, Now: c.Now(), Wait: wait}
	if s.project == naming.User {
		return p
	}
	if here := c.here(); naming.Project(c.workspace().Slug(here)) == s.project {
		p.Root = here.Root
	} else {
		p.Root = s.root
	}
	return p
}

// repositoryOf returns the working tree of a lane's project where the command runs. Outside the project it has none.
func (c *call) repositoryOf(lane project.Lane) shared.Repository {
	return c.repository(&shelf{project: naming.ProjectOrUser(lane.Slug), store: c.records()})
}

// waitingHere returns how many files of the repository wait for the person.
func (c *call) waitingHere(at *place) int {
	p := c.repositoryOf(at.store.Lane)
	if c.unborn() || !p.Exists() {
		return 0
	}
	n, _, _ := p.Refresh() // doctor reports the error
	return n
}

// followBranch brings the records that came from the repository in line with its working tree. What fails is done
// later: the records then stay as they are.
func (c *call) followBranch(s *shelf) {
	if p := c.repository(s); p.Root != "" && !c.unborn() {
		_, _, _ = p.Refresh()
	}
}
