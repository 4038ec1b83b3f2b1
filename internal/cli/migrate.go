package cli

import (
	"errors"
	"flag"
	"fmt"
	"slices"
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

type migrateFlags struct {
	from, to    string
	dry, beside bool
}

func migrateCommand() command {
	var f migrateFlags
	return command{
		name: "migrate", args: "--from OLD --to NEW",
		short: "rename a project everywhere: its records, journals, histories and sessions",
		long: `What stands under the new name already is not touched: then nothing is renamed, and it lists
what is in the way. Two projects become one in this way only where no folder of one of them is
left. The old name is remembered: it leads to the project still, and no other one gets it.
Cut off in the middle, the same command again finishes.

  memento migrate --from shop --to store --dry-run
  memento migrate --from shop --to store
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.StringVar(&f.from, "from", "", "what the project is called: `NAME`")
			fs.StringVar(&f.to, "to", "", "what it is to be called: `NAME`")
			fs.BoolVar(&f.dry, "dry-run", false, "only list what would be renamed")
			fs.BoolVar(&f.beside, "beside", false,
				"a journal whose new name is taken goes beside that one, as NEW--TAG~OLD")
			fs.BoolVar(&c.json, "json", false, "print JSON")
		},
		run: func(c *call) error { return runMigrate(c, f) },
	}
}

func runMigrate(c *call, f migrateFlags) error {
	const how = "memento migrate --from OLD --to NEW"
	if err := c.noArgs(); err != nil {
		return usage(how, "%v", err)
	}
	better := project.Slug(f.to)
	var bad *naming.Error
	meant := "memento migrate --from " + text.Line(f.from) + " --to " + better
	switch {
	case f.from == "" || f.to == "":
		return usage(how+"; memento workspace lists the projects", "migrate: both names are needed, --from and --to")
	case f.from == f.to:
		return usage(how, "migrate: --from and --to are the same: %q", f.from)
	case errors.As(naming.CheckProject(f.to), &bad):
		bad.Try = better
		return usage(meant, "migrate: %v", bad)
	case better != f.to:
		return usage(meant, "migrate: project %q: lower case, letters, digits, dots, underscores and "+
			"single hyphens, at most 48 bytes, are expected: try %q", f.to, better)
	}
	at, err := c.writing(!f.dry)
	if err != nil {
		return err
	}
	if !f.dry {
		unlock, err := c.lockMigrate()
		if err != nil {
			return err
		}
		defer unlock()
	}
	c.workspaceChanged() // another process may have changed it before we had the lock
	w := c.workspace()
	if w.Err != nil {
		return fmt.Errorf("migrate: %w", w.Err)
	}
	m := rename.Migration{Dir: c.config.Dir, From: f.from, To: f.to, Store: at.store, Beside: f.beside,
		Now: c.Now(), Wait: wait}
	plan, err := m.Plan()
	if err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	if err := c.mayMigrate(w, plan, f); err != nil {
		return err
	}
	if f.dry {
		return c.printMigration(plan, f)
	}
	done, err := runMigration(m, plan)
	var collision *rename.CollisionError
	switch {
	case errors.As(err, &collision):
		return c.collides(collision.Names, f)
	case errors.Is(err, safefile.ErrBusy):
		return hinted("the same command again goes on", "migrate: %w", err)
	case err != nil:
		return hinted("the same command again goes on: memento migrate --from "+text.Line(f.from)+" --to "+f.to,
			"migrate: part of it may be done: %w", err)
	}
	return c.printMigration(done, f)
}

// lockMigrate holds the lock of migrate and join, so that one of them renames at a time.
func (c *call) lockMigrate() (unlock func(), err error) {
	unlock, err = safefile.LockIn(c.config.Dir, "migrate", wait)
	switch {
	case errors.Is(err, safefile.ErrBusy):
		return nil, hinted("another one is running: the same command again, when it is done",
			"%s: %w", c.command.name, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", c.command.name, err)
	}
	return unlock, nil
}

// runMigration runs m, whose plan is given. It adds few renamed records to the search index one by one, and many in
// one pass.
func runMigration(m rename.Migration, plan rename.Plan) (rename.Plan, error) {
	many := len(plan.Records) > fewRecords
	store := m.Store
	if many {
		m.Store.Index = nil
	}
	done, err := m.Run()
	if many {
		// If this fails, the next search updates the index.
		_, _ = retrieve.LoadOverview(store, naming.Project(m.To), false, 1, nil)
	}
	return done, err
}

// mayMigrate reports why a project must not be renamed as f says.
func (c *call) mayMigrate(w project.Workspace, plan rename.Plan, f migrateFlags) error {
	home := c.home()
	old, known := w.Named(f.from)
	new, taken := w.Named(f.to)
	switch {
	case plan.Empty() && known && old.Slug == f.to:
		return nil // done before
	case plan.Empty() && known:
		return hinted("memento migrate --from "+old.Slug+" --to "+f.to,
			"migrate: project %s is called %s now", f.from, old.Slug)
	case plan.Empty():
		return c.unknownProject(w, f.from)
	case taken && new.Slug != f.to && new.Slug != f.from:
		return hinted("choose another name", "migrate: %s is what project %s was called", f.to, new.Slug)
	case known && taken && old.Slug == f.from && new.Slug == f.to && w.Stands(old, home) && w.Stands(new, home):
		return hinted("choose another name, or say how they stand to each other: "+
			"memento workspace relate "+text.Line(f.from)+" related "+f.to,
			"migrate: %s and %s are two projects, and the folders of both are there: %s, %s",
			f.from, f.to, old.Roots[0], new.Roots[0])
	case plan.Collisions != nil && !f.dry:
		return c.collides(plan.Collisions, f)
	}
	return nil
}

// collides prints the names that are taken and returns the error for them.
func (c *call) collides(names []string, f migrateFlags) error {
	if c.json {
		c.printJSON(append(f.json(), member{"collisions", array(names)}))
	} else {
		for _, n := range names {
			fmt.Fprintf(c.Out, "in the way: %s\n", text.Line(n))
		}
	}
	hint := "memento show says what a record in the way holds, and memento rm deletes it; or choose another name"
	if !slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "the record") }) {
		hint = fmt.Sprintf("memento migrate --from %s --to %s --beside puts the journals beside those of %s",
			text.Line(f.from), f.to, f.to)
	}
	are := "names in %s are"
	if len(names) == 1 {
		are = "name in %s is"
	}
	return hinted(hint, "migrate: nothing was renamed: %d "+are+" taken", len(names), f.to)
}

// json repeats the request in an answer.
func (f migrateFlags) json() members {
	return members{{"dry_run", f.dry}, {"from", f.from}, {"to", f.to}}
}

// printMigration prints the renamed things, or with --dry-run the things to rename.
func (c *call) printMigration(p rename.Plan, f migrateFlags) error {
	if c.json {
		return c.printPlan(f.json(), p)
	}
	if f.dry {
		for _, list := range [][]rename.Renamed{p.Records, p.Journals, p.Files} {
			for _, r := range list {
				fmt.Fprintf(c.Out, "%s -> %s\n", text.Line(r.From), text.Line(r.To))
			}
		}
		for _, n := range p.Collisions {
			fmt.Fprintf(c.Out, "in the way: %s\n", text.Line(n))
		}
	}
	verb := "renamed"
	switch {
	case f.dry && p.Collisions != nil:
		verb = "would not be renamed"
	case f.dry:
		verb = "would be renamed"
	}
	if p.Empty() {
		fmt.Fprintf(c.Out, "Nothing goes by the name %s any more: the project is called %s.\n", text.Line(f.from), f.to)
		return nil
	}
	fmt.Fprintf(c.Out, "%s -> %s: %s %s\n", text.Line(f.from), f.to, countMoved(p), verb)
	return c.leftBehind(p)
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

// printPlan prints a JSON answer that ends with a plan. It fails if something could not be renamed.
func (c *call) printPlan(answer members, p rename.Plan) error {
	names := func(all []rename.Renamed) []members {
		out := []members{}
		for _, r := range all {
			out = append(out, members{{"from", r.From}, {"to", r.To}})
		}
		return out
	}
	left := []members{}
	for _, l := range p.Left {
		left = append(left, members{{"path", l.Path}, {"why", l.Err.Error()}})
	}
	c.printJSON(append(answer, members{
		{"records", names(p.Records)}, {"journals", names(p.Journals)}, {"files", names(p.Files)},
		{"sessions", array(p.Sessions)}, {"inbox", p.Suggestions}, {"paused", p.Paused},
		{"collisions", array(p.Collisions)}, {"left", left},
	}...))
	if len(left) > 0 {
		return errSilent
	}
	return nil
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
