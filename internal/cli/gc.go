package cli

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
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
		name:  "gc",
		short: "retire records whose time is over, and archive those retired long ago",
		long: `memento help records says how long each kind is kept, and how many of it; memento config kinds sets that.
A record that was retired 30 days ago, or grace_days ago, is archived: it stands in .completed, memento list
--status archived shows it, and memento restore brings it back. --purge deletes what is due to be archived,
and what gc archived before. It asks first; away from a terminal it needs --yes. Records that are completed,
or that you archived, stay.

With --orphans it lists the records whose project is gone: no folder of the project is there any more, or
no session was ever seen in it. At a terminal it asks whether to archive or delete those of each project. A
folder on a disk that is not mounted looks gone: memento restore brings back archived records, nothing
brings back deleted ones.

  memento gc --dry-run
  memento gc --purge --dry-run
  memento gc --orphans
  memento gc --kind context --older-than 7d
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			fs.BoolVar(&f.orphans, "orphans", false, "records whose project is gone")
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
	if err := noArgs(c); err != nil {
		return err
	}
	if f.orphans && (f.kind != "" || f.older != "" || f.purge || f.dry) {
		return usage("memento gc --orphans", "gc: --orphans comes alone")
	}
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
		return clearOrphans(c.output, c.folder, s)
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
	return recordError(err)
}

// term checks --kind, and returns how long --older-than keeps it, 0 for as long as is set.
func (f *gcFlags) term() (time.Duration, error) {
	kinds, err := choice("kind", f.kind, schema.Names())
	older, ok := span(f.older)
	switch {
	case err != nil:
		return 0, err
	case len(kinds) > 1:
		return 0, usage("memento gc --kind "+kinds[0], "--kind takes one")
	case f.older == "":
	case kinds == nil:
		return 0, usage("memento gc --kind context --older-than "+f.older,
			"--older-than is for one kind: what is worth keeping does not wear out all at once")
	case !ok:
		return 0, usage("12h, 7d or 2w", "--older-than: %s is no time", text.Quote(f.older))
	case older == 0:
		return 0, usage("memento list --kind "+kinds[0]+`, then memento archive RECORD --as retired --reason "…"`,
			"--older-than: %s is everything of the kind, and that is not meant by gc", text.Line(f.older))
	}
	f.kind = strings.Join(kinds, "")
	return older, nil
}

// isGone is the reason that an archived record of an orphan gets.
const isGone = "its project is gone"

// orphan is a project that is gone, and its records.
type orphan struct {
	project, why string
	records      []*record.Record
	broken       []string       // ids of files that cannot be read
	kinds        map[string]int // of those in use
}

// clearOrphans lists the records whose project is gone, and does with them what a person at a terminal says. Anything
// but a clear answer leaves them as they are.
func clearOrphans(o *output, f *folder, s *shelf) error {
	all, err := findOrphans(f, s)
	if err != nil {
		return fmt.Errorf("gc: %w", err)
	}
	var failed error
	for _, one := range all {
		fmt.Fprintf(o.Out, "%s: %s; %s\n", text.Line(one.project), one.counts(), text.Line(one.why))
		if !o.Terminal {
			continue
		}
		switch o.ask("  [a]rchive, [d]elete for good (a folder on a disk that is not mounted looks gone), " +
			"or Enter for later? ") {
		case "a", "archive":
			err = one.archive(s.store)
		case "d", "delete":
			err = one.remove(s.store)
		default:
			continue
		}
		if err != nil {
			fmt.Fprintf(o.Err, "memento: %s: %s\n", text.Line(one.project), text.Line(err.Error()))
			failed = errSilent
		} else {
			fmt.Fprintln(o.Out, "  done")
		}
	}
	switch {
	case len(all) == 0:
		fmt.Fprintln(o.Out, "No record's project is gone.")
	case !o.Terminal:
		fmt.Fprintln(o.Out, "\nNothing was done: at a terminal memento gc --orphans asks what to do with each.")
	}
	return failed
}

// findOrphans finds the projects that are gone and have records in use.
func findOrphans(f *folder, s *shelf) (out []orphan, err error) {
	w, home := f.workspace(), f.home()
	counts, err := s.store.Projects()
	if err = errors.Join(w.Err, err); err != nil {
		return nil, err
	}
	known := map[string]project.Known{}
	for _, k := range w.Known {
		for _, was := range k.Called() {
			known[naming.Project(was)] = k
		}
	}
	for _, k := range w.Known {
		known[naming.Project(k.Slug)] = k
	}
	for slug := range w.Worked(home) {
		delete(counts, naming.Project(slug))
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		k, seen := known[name]
		if name == naming.User || name == s.project || seen && w.Stands(k, home) {
			continue
		}
		one := orphan{project: name, kinds: map[string]int{}, why: "no folder of it is known"}
		switch {
		case !seen:
			one.why = "no session was seen in a project of this name"
		case len(k.Roots) > 0:
			one.why = "its folder is gone: " + k.Roots[0]
		}
		list, problems, err := s.store.List(record.Filter{Project: name, Status: schema.Statuses()})
		if err != nil {
			return nil, err
		}
		one.records = list
		for _, r := range list {
			if r.Status == schema.Active || r.Status == schema.Completed {
				one.kinds[r.Kind]++
			}
		}
		for _, p := range problems {
			file := p.Path[strings.LastIndexAny(p.Path, `/\`)+1:]
			one.broken = append(one.broken, strings.TrimSuffix(file, naming.Ending))
		}
		if len(one.kinds)+len(one.broken) > 0 {
			out = append(out, one)
		}
	}
	return out, nil
}

// counts says how many records an orphan has, and of which kinds.
func (o orphan) counts() string {
	total, inUse := len(o.records)+len(o.broken), len(o.broken)
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(o.kinds)) {
		parts = append(parts, fmt.Sprintf("%d %s", o.kinds[name], text.Line(name)))
		inUse += o.kinds[name]
	}
	if n := len(o.broken); n > 0 {
		parts = append(parts, fmt.Sprintf("%d that cannot be read", n))
	}
	if total > inUse {
		parts = append(parts, fmt.Sprintf("%d archived or retired", total-inUse))
	}
	return fmt.Sprintf("%s (%s)", count(total, "record"), strings.Join(parts, ", "))
}

// archive puts the records in use away. A file that cannot be read stays, and is an error.
func (o orphan) archive(store record.Store) (err error) {
	for _, r := range o.records {
		if r.Status == schema.Active || r.Status == schema.Completed {
			_, bad := store.Move(r.ID, "archive", r.Hash(), isGone)
			err = errors.Join(err, bad)
		}
	}
	for _, id := range o.broken {
		err = errors.Join(err, fmt.Errorf("%s cannot be read, and stays where it is", id))
	}
	return err
}

// remove deletes all records.
func (o orphan) remove(store record.Store) (err error) {
	for _, r := range o.records {
		err = errors.Join(err, store.Remove(r.ID))
	}
	for _, id := range o.broken {
		err = errors.Join(err, store.Remove(id))
	}
	return err
}
