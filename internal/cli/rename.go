package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/mementohq/memento/internal/exchange"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/rename"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// renameProject gives the project from the name to, everywhere.
func renameProject(c *call, from, to string) error {
	better := project.Slug(to)
	var bad *naming.Error
	meant := "memento workspace rename " + text.Line(from) + " " + better
	switch {
	case from == "" || to == "" || from == to:
		return usage("memento workspace rename OLD NEW", "two names are needed, got %q and %q", from, to)
	case errors.As(naming.CheckProject(to), &bad):
		bad.Try = better
		return usage(meant, "%v", bad)
	case better != to:
		return usage(meant, "project %q: lower case, letters, digits, dots, underscores and "+
			"single hyphens, at most 48 bytes, are expected: try %q", to, better)
	}
	m, unlock, err := migration(c)
	if err != nil {
		return err
	}
	defer unlock()
	m.From, m.To = from, to
	plan, err := m.Plan()
	if err != nil {
		return err
	}
	if err := mayRename(c, plan, from, to); err != nil {
		return err
	}
	done, err := runRename(m, "memento workspace rename "+text.Line(from)+" "+to)
	switch {
	case err != nil:
		return err
	case done.Empty():
		fmt.Fprintf(c.Out, "Nothing goes by the name %s any more: the project is called %s.\n", text.Line(from), to)
		return nil
	}
	fmt.Fprintf(c.Out, "%s -> %s: %s renamed\n", text.Line(from), to, countMoved(done))
	return leftBehind(c.output, done)
}

// migration returns a migration without names, and holds the lock of rename and join, so that one of them renames at a
// time. It reads the list of projects anew: another process may have changed it before.
func migration(c *call) (m rename.Migration, unlock func(), err error) {
	at, err := c.openShelf(false)
	if err != nil {
		return m, nil, err
	}
	unlock, err = safefile.LockIn(c.config.Dir, "migrate", wait)
	c.workspaceChanged()
	switch {
	case errors.Is(err, safefile.ErrBusy):
		return m, nil, hinted("another one is running: the same command again, when it is done", "%w", err)
	case err != nil:
		return m, nil, err
	}
	if err := c.workspace().Err; err != nil {
		unlock()
		return m, nil, err
	}
	return rename.Migration{Dir: c.config.Dir, Store: at.store, Now: c.Now(), Wait: wait}, unlock, nil
}

// runRename runs m, and then updates the search index. The hint of its errors is the command again, which goes on.
func runRename(m rename.Migration, again string) (rename.Plan, error) {
	store := m.Store
	m.Store.Index = nil
	done, err := m.Run()
	_, _ = retrieve.Reindex(store, false, nil) // if this fails, the next search updates the index
	switch {
	case errors.Is(err, safefile.ErrBusy):
		err = hinted("the same command again goes on", "%w", err)
	case err != nil:
		err = hinted("the same command again goes on: "+again, "part of it may be done: %w", err)
	}
	return done, err
}

// mayRename reports why the project from must not get the name to.
func mayRename(c *call, plan rename.Plan, from, to string) error {
	w, home := c.workspace(), c.home()
	old, known := w.Named(from)
	new, taken := w.Named(to)
	switch {
	case plan.Empty() && known && old.Slug == to:
		return nil // done before
	case plan.Empty() && known:
		return hinted("memento workspace rename "+old.Slug+" "+to,
			"project %s is called %s now", from, old.Slug)
	case plan.Empty():
		return knownProject(c, from)
	case taken && new.Slug != to && new.Slug != from:
		return hinted("choose another name", "%s is what project %s was called", to, new.Slug)
	case known && taken && old.Slug == from && new.Slug == to && w.Stands(old, home) && w.Stands(new, home):
		return hinted("choose another name",
			"%s and %s are two projects, and the folders of both are there: %s, %s",
			from, to, old.Roots[0], new.Roots[0])
	}
	return nil
}

// leftBehind prints what could not be renamed. It fails if anything could not.
func leftBehind(o *output, p rename.Plan) error {
	if len(p.Left) == 0 {
		return nil
	}
	for _, l := range p.Left {
		fmt.Fprintf(o.Err, "memento: %s was left: %s\n", text.Line(l.Path), text.Line(l.Err.Error()))
	}
	return errSilent
}

// countMoved returns in words how many things a plan renames: 2 records, 1 journal.
func countMoved(p rename.Plan) string {
	said := text.CountAll(text.Counted{N: len(p.Records), Thing: "record"},
		text.Counted{N: len(p.Journals), Thing: "journal"})
	if said != "" {
		return said
	}
	if len(p.Files) > 0 {
		return count(len(p.Files), "file")
	}
	return "its name, and nothing else,"
}

// joinProject adds the folder dir, "" for this one, to the known project that has the same origin; of several, to the
// one used last. The folder's own journals and records move to that project. A second run
// finishes a first one that was killed.
func joinProject(c *call, dir string) error {
	dir = c.absolute(dir)
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = &os.PathError{Op: "open", Path: dir, Err: exchange.ErrNoFolder}
	}
	if err != nil {
		return hinted("memento workspace join DIR, with a folder that is there", "%s",
			text.Line(worded(err)))
	}
	m, unlock, err := migration(c)
	if err != nil {
		return err
	}
	defer unlock()
	m.Join = true
	p := c.locate(dir)
	known := c.workspace().Claimed(p)
	if known == nil {
		return joinAgain(c, p, m)
	}
	m.To = known[0].Slug
	if m.From, err = c.noteProject(p); err != nil {
		return err
	}
	done, err := runRename(m, "memento workspace join")
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "%s shares the memory of %s now.\n", text.Line(p.Root), m.To)
	if len(done.Records)+len(done.Journals) > 0 {
		fmt.Fprintf(c.Out, "What it had of its own went along: %s.\n", countMoved(done))
	}
	return leftBehind(c.output, done)
}

// joinAgain handles a folder that has no project to join. It finishes an earlier join that was killed.
func joinAgain(c *call, p project.Project, m rename.Migration) error {
	w := c.workspace()
	k, known := w.Named(w.Slug(p))
	switch {
	case p.None():
		return hinted("memento workspace join DIR, with the folder of a repository",
			"this folder belongs to no project")
	case !known:
		return hinted("memento workspace lists the projects",
			"there is nothing to join: no known project has the origin of %s", text.Line(p.Root))
	}
	var done rename.Plan
	for _, m.From = range k.Called {
		m.To = k.Slug
		plan, err := m.Plan()
		if err != nil {
			return err
		}
		if plan.Empty() {
			continue
		}
		if done, err = runRename(m, "memento workspace join"); err != nil {
			return err
		}
	}
	fmt.Fprintf(c.Out, "There is nothing to join: %s is a folder of %s already.\n", text.Line(p.Root), k.Slug)
	return leftBehind(c.output, done)
}
