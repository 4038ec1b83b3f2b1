package cli

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"time"

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
		long: `memento help records says how long each kind is kept, and how many of it; memento config kinds sets that. A record that was retired 30 days ago, or
grace_days ago, is archived: it stands in .completed, memento list --status archived shows it, and memento
restore brings it back. --purge deletes what is due to be archived, and what gc archived before. It asks
first; away from a terminal it needs --yes. Records that are completed, or that you archived, stay.

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
		run: f.run,
	}
}

func (f *gcFlags) run(c *call) error {
	if err := c.noArgs(); err != nil {
		return err
	}
	if f.orphans {
		if f.kind != "" || f.older != "" || f.purge || f.dry {
			return usage("memento gc --orphans", "gc: --orphans comes alone")
		}
		return c.clearOrphans()
	}
	kind, older, err := f.term()
	if err != nil {
		return err
	}
	if f.purge && !f.dry {
		hint := "memento gc --purge --dry-run lists what it would delete, memento gc --purge --yes deletes it"
		if err := c.mayDestroy(f.yes, hint); err != nil {
			return err
		}
		if !f.yes && !c.agreed(bufio.NewReader(c.In), "Delete for good what was retired long ago?") {
			fmt.Fprintln(c.Err, "Nothing was deleted.")
			return errSilent
		}
	}
	s, err := c.openShelf(false)
	if err != nil {
		return err
	}
	g := retrieve.Rules(c.config)
	g.Dry, g.All = f.dry, f.purge
	g.Purge = g.Purge || f.purge
	if g.Kind = kind; older > 0 {
		g.Keep[kind] = older
	}
	out, err := s.store.Collect(g)
	if len(out.Purged) > 0 {
		_, removed := view.Erase(c.config.Dir)
		err = errors.Join(err, removed)
	}
	c.printCollected(out, f.dry)
	if err == nil && out.Retired == nil && out.Archived == nil && out.Purged == nil {
		fmt.Fprintln(c.Out, "Nothing is due.")
	}
	return recordError(err)
}

// term returns the kind that --kind names, "" for all, and how long --older-than keeps it, 0 for as long as is set.
func (f *gcFlags) term() (kind string, older time.Duration, err error) {
	kinds, err := choice("kind", f.kind, schema.Names())
	if err != nil {
		return "", 0, err
	}
	if len(kinds) > 1 {
		return "", 0, usage("memento gc --kind "+kinds[0], "--kind takes one")
	}
	if kinds != nil {
		kind = kinds[0]
	}
	older, ok := span(f.older)
	switch {
	case f.older != "" && ok && older == 0 && kind != "":
		return "", 0, usage("memento list --kind "+kind+`, then memento archive RECORD --as retired --reason "…"`,
			"--older-than: %s is everything of the kind, and that is not meant by gc", text.Line(f.older))
	case f.older != "" && (!ok || older == 0):
		return "", 0, usage("12h, 7d or 2w", "--older-than: %s is no time", text.Quote(f.older))
	case f.older != "" && kind == "":
		return "", 0, usage("memento gc --kind context --older-than "+f.older,
			"--older-than is for one kind: what is worth keeping does not wear out all at once")
	}
	return kind, older, nil
}

// printCollected says what a collection did, or in a dry run what it would do.
func (c *call) printCollected(out record.Collected, dry bool) {
	would := ""
	if dry {
		would = "would be "
	}
	for _, done := range []struct {
		what string
		ids  []string
	}{{"retired", out.Retired}, {"archived", out.Archived}, {"purged", out.Purged}} {
		for _, id := range done.ids {
			fmt.Fprintf(c.Out, "%s %s%s\n", id, would, done.what)
		}
	}
	for _, p := range out.Problems {
		fmt.Fprintf(c.Err, "memento: %s was left alone: %s\n", p.Path, text.Line(p.Err.Error()))
	}
}
