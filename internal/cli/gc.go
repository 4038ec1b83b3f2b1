package cli

import (
	"errors"
	"flag"
	"fmt"

	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/view"
)

func gcCommand() command {
	var dry bool
	return command{
		name: "gc", short: "retire records whose time is over, and archive those retired long ago",
		long: `memento config kinds says how long each kind is kept, and how many of it. A record that was retired 30 days ago, or
grace_days ago, is archived; memento restore brings it back. With archive_retired set to false it is deleted instead.
Records that are completed, or that you archived, stay.

  memento gc --dry-run
`,
		flags: func(fs *flag.FlagSet) { fs.BoolVar(&dry, "dry-run", false, "only say what would be done") },
		run:   func(c *call) error { return runGC(c, dry) },
	}
}

func runGC(c *call, dry bool) error {
	s, err := c.openShelf(false)
	if err != nil {
		return err
	}
	g := retrieve.Rules(c.config)
	g.Dry = dry
	done, err := s.store.Collect(g)
	if len(done.Purged) > 0 {
		err = errors.Join(err, view.Erase(c.config.Dir))
	}
	would := map[bool]string{true: "would be "}[dry]
	list := func(ids []string, what string) {
		for _, id := range ids {
			fmt.Fprintf(c.Out, "%s %s%s\n", id, would, what)
		}
	}
	list(done.Retired, "retired")
	list(done.Archived, "archived")
	list(done.Purged, "purged")
	unread(c.output, done.Problems)
	if err == nil && len(done.Retired)+len(done.Archived)+len(done.Purged) == 0 {
		fmt.Fprintln(c.Out, "Nothing is due.")
	}
	return err
}
