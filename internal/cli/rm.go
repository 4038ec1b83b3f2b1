package cli

import (
	"flag"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/view"
)

func rmCommand() command {
	var yes bool
	return command{
		name: "rm", args: "RECORD...", short: "delete records for good",
		long: `It asks first; away from a terminal it needs --yes. Nothing brings a deleted record back, and for 24 hours no record of
the same title is written. memento archive can be undone.

  memento rm use-jwt
`,
		flags: func(fs *flag.FlagSet) { fs.BoolVar(&yes, "yes", false, "do not ask") },
		run:   func(c *call) error { return runRm(c, yes) },
	}
}

func runRm(c *call, yes bool) error {
	hint := fmt.Sprintf(`memento rm %[1]s --yes, or memento archive %[1]s --reason "…", which can be undone`,
		quoted(c.args))
	if err := c.mayDestroy(yes, hint); err != nil {
		return err
	}
	s, err := c.openShelf(false)
	if err != nil {
		return err
	}
	isRefused := false
	err = c.each(func(name string) (string, error) {
		id, err := s.id(name)
		if err != nil {
			return "", err
		}
		if own, slug, _ := naming.Split(id); own == naming.User && !strings.Contains(name, "--") {
			if s.store.HasRemoved(s.project, slug) {
				return "", hinted("memento rm "+id+" deletes your own of that name", "%w in project %s any more: %s",
					record.ErrNotFound, s.project, name)
			}
		}
		title := ""
		if r, err := s.store.Read(id); err == nil {
			title = ", " + text.Quote(r.Title) + ","
		}
		if !yes && !c.agreed("Delete "+id+title+" for good?") {
			isRefused = true
			return id + " stays", nil
		}
		if err := s.store.Remove(id); err != nil {
			return "", err
		}
		return "removed " + id, view.Erase(c.config.Dir)
	})
	if err == nil && isRefused {
		return errSilent
	}
	return err
}
