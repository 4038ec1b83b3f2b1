package cli

import (
	"fmt"
	"os"

	"github.com/mementohq/memento/internal/exchange"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/rename"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// renameProject gives the project from the name to, everywhere.
func renameProject(c *call, from, to string) error {
	better := naming.Project(to)
	switch {
	case from == "" || to == "" || from == to:
		return usage("memento workspace rename OLD NEW", "two names are needed, got %q and %q", from, to)
	case better != to:
		return usage("memento workspace rename "+text.Line(from)+" "+better, "%q is no name for a project", to)
	}
	return migrate(c, false, func(run func(from, to string) error) error {
		if err := mayRename(c, from, to); err != nil {
			return err
		}
		if err := run(from, to); err != nil {
			return err
		}
		return c.say("%s -> %s", text.Line(from), to)
	})
}

// migrate calls do with a function that gives a project another name, for a join or a rename. Meanwhile it holds the
// lock of both, so that one of them renames at a time. It reads the list of projects anew: another process may have
// changed it before.
func migrate(c *call, isJoin bool, do func(run func(from, to string) error) error) error {
	s, err := c.openShelf(false)
	if err != nil {
		return err
	}
	unlock, err := safefile.LockIn(c.config.Dir, "migrate", wait)
	if err != nil {
		return err
	}
	defer unlock()
	c.workspaceChanged()
	if err := c.workspace().Err; err != nil {
		return err
	}
	m := rename.Migration{Dir: c.config.Dir, Store: s.store, Now: c.Now(), Wait: wait, Join: isJoin}
	return do(func(from, to string) error {
		m.From, m.To = from, to
		err := m.Run()
		_, _ = retrieve.Reindex(s.store, false, nil) // if this fails, the next search updates the index
		if err != nil {
			return hinted("the same command again goes on", "part of it may be done: %w", err)
		}
		return nil
	})
}

// mayRename reports why the project from must not get the name to.
func mayRename(c *call, from, to string) error {
	w, home := c.workspace(), c.home()
	old, known := w.Named(from)
	new, taken := w.Named(to)
	switch {
	case !known:
		return knownProject(c, from)
	case old.Slug == to:
		return nil // done before, or cut off
	case old.Slug != from:
		return hinted("memento workspace rename "+old.Slug+" "+to, "project %s is called %s now", from, old.Slug)
	case taken && new.Slug != to && new.Slug != from:
		return hinted("choose another name", "%s is what project %s was called", to, new.Slug)
	case taken && new.Slug == to && w.Stands(old, home) && w.Stands(new, home):
		return hinted("choose another name",
			"%s and %s are two projects, and the folders of both are there: %s, %s",
			from, to, old.Roots[0], new.Roots[0])
	}
	return nil
}

// joinProject adds the folder dir, "" for this one, to the known project that has the same origin; of several, to the
// one used last. The folder's own journals and records move to that project. A second run finishes a first one that was
// killed.
func joinProject(c *call, dir string) error {
	dir = c.absolute(dir)
	info, err := os.Stat(dir)
	if err == nil && !info.IsDir() {
		err = &os.PathError{Op: "open", Path: dir, Err: exchange.ErrNoFolder}
	}
	if err != nil {
		return hinted("memento workspace join DIR, with a folder that is there", "%s",
			text.Line(text.Reason(err)))
	}
	return migrate(c, true, func(run func(from, to string) error) error {
		p := c.locate(dir)
		w := c.workspace()
		k, known := w.Named(w.Slug(p))
		if all := w.Claimed(p); all != nil {
			own, err := c.noteProject(p)
			if err == nil {
				err = run(own, all[0].Slug)
			}
			if err == nil {
				fmt.Fprintf(c.Out, "%s shares the memory of %s now, with what it had of its own.\n", text.Line(p.Root),
					all[0].Slug)
			}
			return err
		}
		switch {
		case p.None():
			return hinted("memento workspace join DIR, with the folder of a repository",
				"this folder belongs to no project")
		case !known:
			return hinted("memento workspace lists the projects",
				"there is nothing to join: no known project has the origin of %s", text.Line(p.Root))
		}
		for _, former := range k.Called { // an earlier join may have been killed
			if err := run(former, k.Slug); err != nil {
				return err
			}
		}
		return c.say("There is nothing to join: %s is a folder of %s already.", text.Line(p.Root), k.Slug)
	})
}
