package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/view"
)

type gcFlags struct {
	kind, older              string
	dry, purge, yes, orphans bool
}

func gcCommand() command {
	f := &gcFlags{}
	return command{
		name: "gc", alone: "orphans",
		short: "retire records whose time is over, and archive those retired long ago",
		long: `memento config kinds says how long each kind is kept, and how many of it. A record that was retired 30 days ago, or
grace_days ago, is archived; memento restore brings it back. --purge deletes what is due to be archived, and what gc
archived before. Records that are completed, or that you archived, stay.

  memento gc --purge --dry-run
  memento gc --kind context --older-than 7d
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			fs.BoolVar(&f.orphans, "orphans", false, "only list the projects with records that have no folder")
			nameFlag(fs, &f.kind, "kind", "only records of this `KIND`")
			nameFlag(fs, &f.older, "older-than",
				"with --kind: retire what was not updated for `TIME`, as 12h, 7d or 2w, instead of what is set")
			fs.BoolVar(&f.purge, "purge", false, "delete for good what was retired long ago, and what gc archived")
			fs.BoolVar(&f.yes, "yes", false, "with --purge: do not ask")
			fs.BoolVar(&f.dry, "dry-run", false, "only say what would be done")
		},
		run: func(c *call) error { return runGC(c, f) },
	}
}

func runGC(c *call, f *gcFlags) error {
	older, err := f.term()
	if err != nil {
		return err
	}
	if f.purge && !f.dry {
		hint := "memento gc --purge --dry-run lists what it would delete, memento gc --purge --yes deletes it"
		if err := c.mayDestroy(f.yes, hint); err != nil {
			return err
		}
		if err := c.confirm(f.yes, "Delete for good what was retired long ago?", "Nothing was deleted."); err != nil {
			return err
		}
	}
	s, err := c.openShelf(false)
	if err != nil {
		return err
	}
	if f.orphans {
		return listOrphans(c.output, c.folder, s)
	}
	g := retrieve.Rules(c.config)
	g.Dry, g.All, g.Kind = f.dry, f.purge, f.kind
	g.Purge = g.Purge || f.purge
	if older > 0 {
		g.Keep[f.kind] = older
	}
	done, err := s.store.Collect(g)
	if len(done.Purged) > 0 {
		_, removed := view.Erase(c.config.Dir)
		err = errors.Join(err, removed)
	}
	would := ""
	if f.dry {
		would = "would be "
	}
	list := func(ids []string, what string) {
		for _, id := range ids {
			fmt.Fprintf(c.Out, "%s %s%s\n", id, would, what)
		}
	}
	list(done.Retired, "retired")
	list(done.Archived, "archived")
	list(done.Purged, "purged")
	for _, p := range done.Problems {
		fmt.Fprintf(c.Err, "memento: %s was left alone: %s\n", p.Path, text.Line(p.Err.Error()))
	}
	if err == nil && len(done.Retired)+len(done.Archived)+len(done.Purged) == 0 {
		fmt.Fprintln(c.Out, "Nothing is due.")
	}
	return err
}

// term checks --kind, and returns how long --older-than keeps it, 0 for as long as is set.
func (f *gcFlags) term() (time.Duration, error) {
	kinds, err := choice("kind", f.kind, schema.Names())
	older, ok := span(f.older)
	switch {
	case err != nil:
		return 0, err
	case len(kinds) > 1 || f.older != "" && (kinds == nil || !ok || older == 0):
		return 0, usage("memento gc --kind context --older-than 7d", "--older-than takes a time above 0, and one --kind")
	}
	f.kind = strings.Join(kinds, "")
	return older, nil
}

// listOrphans lists the projects that are gone and still have records. It changes nothing: memento forget does.
func listOrphans(o *output, f *folder, s *shelf) error {
	w, home := f.workspace(), f.home()
	counts, err := s.store.Projects()
	if err = errors.Join(w.Err, err); err != nil {
		return err
	}
	delete(counts, naming.User)
	delete(counts, s.project)
	gone := map[string]string{}
	for _, k := range w.Known {
		for _, name := range append(k.Called, k.Slug) {
			if w.Stands(k, home) {
				delete(counts, naming.Project(name))
			} else if len(k.Roots) > 0 {
				gone[naming.Project(name)] = "its folder is gone: " + k.Roots[0]
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		why := cmp.Or(gone[name], "no folder of it is known")
		fmt.Fprintf(o.Out, "%s: %s; %s\n", text.Line(name), count(counts[name], "record"), text.Line(why))
	}
	if len(counts) == 0 {
		fmt.Fprintln(o.Out, "No record's project is gone.")
		return nil
	}
	fmt.Fprintln(o.Out, "\nmemento forget --project NAME erases one for good. A folder on a disk that is not mounted looks gone.")
	return nil
}
