package cli

import (
	"flag"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/removal"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/view"
)

func rmCommand() command {
	var yes bool
	return command{
		name: "rm", args: "RECORD...", short: "delete records for good",
		long: `It asks first; away from a terminal it needs --yes. What is deleted cannot be brought back, and for
24 hours no record of the same title is written. memento archive is the way that can be undone.

  memento rm use-jwt
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			fs.BoolVar(&yes, "yes", false, "do not ask")
		},
		run: func(c *call) error {
			if len(c.args) > 0 {
				const way = `memento rm %s --yes, or memento archive %s --reason "…", which can be undone`
				hint := fmt.Sprintf(way, quoted(c.args), quoted(c.args))
				if err := c.mayDestroy(yes, hint); err != nil {
					return err
				}
			}
			s, err := c.openShelf(false)
			if err != nil {
				return err
			}
			refused := false
			err = c.each(func(name string) (string, error) {
				id, err := s.id(name)
				if err != nil {
					return "", recordError(err)
				}
				own, slug, _ := naming.Split(id)
				removed := removal.List{Dir: c.config.Dir, Now: c.Now}
				twice := !strings.Contains(name, "--") && removed.HasName(s.project, slug)
				if own == naming.User && twice {
					err := fmt.Errorf("%w in project %s any more: %s", record.ErrNotFound, s.project, name)
					return "", &hintError{err: err, hint: "memento rm " + id + " deletes your own of that name"}
				}
				if !yes && !c.agreed("Delete "+id+s.titleInQuestion(id)+" for good?") {
					refused = true
					return id + " stays", nil
				}
				if err := s.store.Remove(id); err != nil {
					return "", recordError(err)
				}
				_, err = view.Erase(c.config.Dir)
				return "removed " + id, err
			})
			if err == nil && refused {
				return errSilent
			}
			return err
		},
	}
}

// titleInQuestion returns the title of a record between commas, "" if its file cannot be read.
func (s *shelf) titleInQuestion(id string) string {
	r, err := s.store.Read(id)
	if err != nil {
		return ""
	}
	return ", " + text.Quote(r.Title) + ","
}
