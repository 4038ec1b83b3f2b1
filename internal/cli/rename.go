package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/rename"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// fewRecords is how many renamed records are added to the index one by one. With more, the index compares all files.
const fewRecords = 100

// renameProject gives the project from the name to, everywhere.
func (c *call) renameProject(from, to string) error {
	better := project.Slug(to)
	var bad *naming.Error
	meant := "memento workspace rename " + text.Line(from) + " " + better
	switch {
	case from == "" || to == "":
		return usage("memento workspace lists the projects", "workspace rename: both names are needed")
	case from == to:
		return usage("memento workspace rename OLD NEW", "workspace rename: both names are the same: %q", from)
	case errors.As(naming.CheckProject(to), &bad):
		bad.Try = better
		return usage(meant, "workspace rename: %v", bad)
	case better != to:
		return usage(meant, "workspace rename: project %q: lower case, letters, digits, dots, underscores and "+
			"single hyphens, at most 48 bytes, are expected: try %q", to, better)
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
		return fmt.Errorf("workspace: %w", w.Err)
	}
	m := rename.Migration{Dir: c.config.Dir, From: from, To: to, Store: at.store, Now: c.Now(), Wait: wait}
	plan, err := m.Plan()
	if err != nil {
		return fmt.Errorf("workspace rename: %w", err)
	}
	if err := c.mayRename(w, plan, from, to); err != nil {
		return err
	}
	done, err := runRename(m, plan)
	var collision *rename.CollisionError
	switch {
	case errors.As(err, &collision):
		return c.collides(collision.Names, to)
	case errors.Is(err, safefile.ErrBusy):
		return hinted("the same command again goes on", "workspace rename: %w", err)
	case err != nil:
		return hinted("the same command again goes on: memento workspace rename "+text.Line(from)+" "+to,
			"workspace rename: part of it may be done: %w", err)
	}
	if done.Empty() {
		fmt.Fprintf(c.Out, "Nothing goes by the name %s any more: the project is called %s.\n", text.Line(from), to)
		return nil
	}
	fmt.Fprintf(c.Out, "%s -> %s: %s renamed\n", text.Line(from), to, countMoved(done))
	return c.leftBehind(done)
}

// lockRename holds the lock of rename and join, so that one of them renames at a time, and reads the list of projects
// anew: another process may have changed it before.
func (c *call) lockRename() (unlock func(), err error) {
	unlock, err = safefile.LockIn(c.config.Dir, "migrate", wait)
	c.workspaceChanged()
	switch {
	case errors.Is(err, safefile.ErrBusy):
		return nil, hinted("another one is running: the same command again, when it is done", "workspace: %w", err)
	case err != nil:
		return nil, fmt.Errorf("workspace: %w", err)
	}
	return unlock, nil
}

// runRename runs m, whose plan is given. It adds few renamed records to the search index one by one, and many in one
// pass.
func runRename(m rename.Migration, plan rename.Plan) (rename.Plan, error) {
	many := len(plan.Records) > fewRecords
	store := m.Store
	if many {
		m.Store.Index = nil
	}
	done, err := m.Run()
	if many {
		// If this fails, the next search updates the index.
		_, _, _ = retrieve.Reindex(store, false, nil)
	}
	return done, err
}

// mayRename reports why the project from must not get the name to.
func (c *call) mayRename(w project.Workspace, plan rename.Plan, from, to string) error {
	home := c.home()
	old, known := w.Named(from)
	new, taken := w.Named(to)
	switch {
	case plan.Empty() && known && old.Slug == to:
		return nil // done before
	case plan.Empty() && known:
		return hinted("memento workspace rename "+old.Slug+" "+to,
			"workspace rename: project %s is called %s now", from, old.Slug)
	case plan.Empty():
		return c.unknownProject(w, from)
	case taken && new.Slug != to && new.Slug != from:
		return hinted("choose another name", "workspace rename: %s is what project %s was called", to, new.Slug)
	case known && taken && old.Slug == from && new.Slug == to && w.Stands(old, home) && w.Stands(new, home):
		return hinted("choose another name",
			"workspace rename: %s and %s are two projects, and the folders of both are there: %s, %s",
			from, to, old.Roots[0], new.Roots[0])
	case plan.Collisions != nil:
		return c.collides(plan.Collisions, to)
	}
	return nil
}

// collides prints the names that are taken in the project to and returns the error for them.
func (c *call) collides(names []string, to string) error {
	for _, n := range names {
		fmt.Fprintf(c.Out, "in the way: %s\n", text.Line(n))
	}
	are := "names in %s are"
	if len(names) == 1 {
		are = "name in %s is"
	}
	return hinted("memento show says what a record in the way holds, and memento rm deletes it; or choose another name",
		"workspace rename: nothing was renamed: %d "+are+" taken", len(names), to)
}

// leftBehind prints what could not be renamed. It fails if anything could not.
func (c *call) leftBehind(p rename.Plan) error {
	if len(p.Left) == 0 {
		return nil
	}
	for _, l := range p.Left {
		fmt.Fprintf(c.Err, "memento: %s was left: %s\n", text.Line(l.Path), text.Line(l.Err.Error()))
	}
	return errSilent
}

// countMoved returns in words how many things a plan renames: 2 records, 1 journal and 1 session.
func countMoved(p rename.Plan) string {
	var parts []string
	add := func(n int, thing string) {
		if n > 0 {
			parts = append(parts, count(n, thing))
		}
	}
	add(len(p.Records), "record")
	add(len(p.Journals), "journal")
	add(len(p.Sessions), "session")
	add(p.Suggestions, "suggestion")
	if p.Suggestions > 0 {
		parts[len(parts)-1] += " in the inbox"
	}
	switch last := len(parts) - 1; {
	case last < 0 && len(p.Files) > 0:
		return count(len(p.Files), "file")
	case last < 0:
		return "its name, and nothing else,"
	case last == 0:
		return parts[0]
	default:
		return strings.Join(parts[:last], ", ") + " and " + parts[last]
	}
}
