package cli

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

func archiveCommand() command {
	var as, reason string
	return command{
		name: "archive", args: "RECORD...", short: "put records away: as completed, as retired, or for good",
		long: `memento no longer brings up what is put away; memento restore undoes that. Completed is work that is done. Retired is
what is out of use, for a reason: memento gc archives it after 30 days (grace_days). Without --as the record is
archived: it is over, and worth keeping, for a reason.

  memento archive fix-auth-bug --as completed
  memento archive use-jwt --as retired --reason "we went for PASETO"
  memento archive launch-2025 --reason "it is over, and worth keeping"
`,
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&reason, "reason", "", "`TEXT` for its history: why")
			nameFlag(fs, &as, "as", "as `STATUS`: completed or retired")
		},
		run: func(c *call) error {
			if !slices.Contains([]string{"", schema.Completed, schema.Retired, schema.Archived}, as) {
				return usage(oneOf(as, []string{schema.Completed, schema.Retired}),
					"--as: %s is neither completed nor retired", text.Quote(as))
			}
			if as != schema.Completed && strings.TrimSpace(reason) == "" {
				hint := joined(" ", "memento archive", quoted(c.args), prefixed("--as ", as), `--reason "…"`)
				return usage(hint, "a reason is needed")
			}
			return moveRecords(c, cmp.Or(as, schema.Archived), reason)
		},
	}
}

func restoreCommand() command {
	return command{
		name: "restore", args: "RECORD...", short: "make records active again, however they were put away",
		long: "  memento restore use-jwt\n",
		run:  func(c *call) error { return moveRecords(c, schema.Active, "") },
	}
}

// moveRecords gives each record named on the command line the status to.
func moveRecords(c *call, to, reason string) error {
	s, err := c.openShelf(false)
	if err != nil {
		return err
	}
	return c.each(func(name string) (string, error) {
		r, err := s.find(name)
		if err == nil {
			r, err = s.store.Move(r.ID, to, reason)
		}
		if err != nil {
			return "", err
		}
		if to == schema.Active {
			return "restored " + r.ID, nil
		}
		return to + " " + r.ID, nil
	})
}

// each runs do for every record named on the command line, also after one of them fails, and prints the line of each.
// The error for a single record is returned; for several records each error is printed, and the command fails if one
// did.
func (c *call) each(do func(name string) (line string, err error)) error {
	failed, last := false, "" // the last hint, so that it is not printed twice
	for _, name := range c.args {
		line, err := do(name)
		switch {
		case err == nil:
			fmt.Fprintln(c.Out, line)
		case len(c.args) == 1:
			return err
		default:
			failed = true
			fmt.Fprintf(c.Err, "memento: %s\n", text.Line(c.said(named(name, err))))
			if hint := hintOf(err); hint != "" && hint != last {
				fmt.Fprintf(c.Err, "memento: hint: %s\n", text.Line(hint))
				last = hint
			}
		}
	}
	if failed {
		return errSilent
	}
	return nil
}

// quoted returns the arguments as a person can type them again.
func quoted(args []string) string {
	var words []string
	for _, a := range args {
		words = append(words, safefile.ShellWord(text.Line(a)))
	}
	return strings.Join(words, " ")
}
