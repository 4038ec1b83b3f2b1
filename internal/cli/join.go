package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/exchange"
	"github.com/mementohq/memento/internal/hook"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/rename"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// claimed returns the known projects whose origin this folder has, and whose folders do not include this one.
func (c *call) claimed() []project.Known {
	return c.workspace().Claimed(c.here())
}

// apart returns the note that this folder could join a known project, "" if it could not.
func (c *call) apart() string {
	if all := c.claimed(); all != nil {
		return hook.Apart(all[0])
	}
	return ""
}

// apartFrom returns the slug of the project that this folder could join.
func (c *call) apartFrom() string {
	if all := c.claimed(); all != nil {
		return all[0].Slug
	}
	return ""
}

// join adds a folder to the known project that has the same origin; to chooses one of several. The folder's own
// journals, records, suggestions and sessions move to that project. A second run finishes a first one that was killed.
func (c *call) join(to string) error {
	dir := c.Dir
	if len(c.args) > 1 {
		dir = c.args[1]
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.Dir, dir)
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		if err == nil {
			err = &os.PathError{Op: "open", Path: dir, Err: exchange.ErrNoFolder}
		}
		return hinted("memento workspace join DIR, with a folder that is there", "workspace join: %s",
			text.Line(worded(err)))
	}
	at, err := c.openShelf(false)
	if err != nil {
		return err
	}
	unlock, err := c.lockRename()
	if err != nil {
		return err
	}
	defer unlock()
	w := c.workspace()
	if w.Err != nil {
		return fmt.Errorf("workspace join: %w", w.Err)
	}
	p := c.locate(dir)
	m := rename.Migration{Dir: c.config.Dir, Join: true, Store: at.store, Now: c.Now(), Wait: wait}
	known := w.Claimed(p)
	if known == nil {
		return c.joinAgain(w, p, m)
	}
	if m.To, err = c.joinable(known, p.Root, to); err != nil {
		return err
	}
	if m.From, err = c.noteProject(p); err != nil {
		return fmt.Errorf("workspace join: %w", err)
	}
	done, err := merge(m)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "%s shares the memory of %s now.\n", text.Line(p.Root), m.To)
	if len(done.Records)+len(done.Journals)+len(done.Sessions)+done.Suggestions > 0 {
		fmt.Fprintf(c.Out, "What it had of its own went along: %s.\n", countMoved(done))
	}
	return c.leftBehind(done)
}

// joinAgain handles a folder that has no project to join. It finishes an earlier join that was killed.
func (c *call) joinAgain(w project.Workspace, p project.Project, m rename.Migration) error {
	k, known := w.Named(w.Slug(p))
	switch {
	case p.None():
		return hinted("memento workspace join DIR, with the folder of a repository",
			"workspace join: this folder belongs to no project")
	case !known:
		return hinted("memento workspace lists the projects",
			"workspace join: there is nothing to join: no known project has the origin of %s", text.Line(p.Root))
	}
	var done rename.Plan
	for _, m.From = range k.Called() {
		m.To = k.Slug
		plan, err := m.Plan()
		if err != nil {
			return fmt.Errorf("workspace join: %w", err)
		}
		if plan.Empty() {
			continue
		}
		if done, err = merge(m); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.Out, "There is nothing to join: %s is a folder of %s already.\n", text.Line(p.Root), k.Slug)
	return c.leftBehind(done)
}

// joinable returns the slug of the project that the folder at root is to join.
func (c *call) joinable(known []project.Known, root, to string) (string, error) {
	var names []string
	for _, k := range known {
		if k.Slug == to {
			return to, nil
		}
		names = append(names, k.Slug)
	}
	switch {
	case to != "":
		return "", usage("memento workspace join --to "+names[0], "workspace join: %s does not say it is %s, but %s",
			text.Line(root), text.Quote(to), strings.Join(names, ", "))
	case len(names) > 1:
		return "", usage("memento workspace join --to "+names[0],
			"workspace join: %d projects have the origin of %s: %s", len(names), text.Line(root),
			strings.Join(names, ", "))
	}
	return names[0], nil
}

// merge runs the migration that moves the folder's own memory to the project.
func merge(m rename.Migration) (rename.Plan, error) {
	plan, err := m.Plan()
	if err != nil {
		return plan, fmt.Errorf("workspace join: %w", err)
	}
	done, err := runRename(m, plan)
	switch {
	case errors.Is(err, safefile.ErrBusy):
		return done, hinted("the same command again goes on", "workspace join: %w", err)
	case err != nil:
		return done, hinted("the same command again goes on", "workspace join: part of it may be done: %w", err)
	}
	return done, nil
}
