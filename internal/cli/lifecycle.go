package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// moveHelp returns the help for the command of a move: a line for the list of commands, and the rest.
func moveHelp(verb string) (short, long string) {
	switch verb {
	case "complete":
		return "mark records as completed: archive --as completed", `  memento complete fix-auth-bug
`
	case "reopen":
		return "make records active again: restore", `  memento reopen fix-auth-bug
`
	case "retire":
		return "take records out of use: archive --as retired", `  memento retire use-jwt --reason "we went for PASETO"
`
	case "archive":
		return "put records away: as completed, as retired, or for good",
			`What is put away is not brought up any more. memento restore undoes it.

  --as completed  the work is done; the record stands in .completed and stays
  --as retired    out of use, for a reason; memento gc archives it after 30 days, or what grace_days says
  without --as    over, and worth keeping, for a reason; it stands in .completed and no collection deletes it

  memento archive fix-auth-bug --as completed
  memento archive use-jwt --as retired --reason "we went for PASETO"
  memento archive launch-2025 --reason "it is over, and worth keeping"

memento complete RECORD is archive --as completed, memento retire RECORD is archive --as retired.
`
	}
	return "make records active again, however they were put away", `  memento restore use-jwt
  memento restore use-jwt --at 2  give it the words of an earlier version; memento log lists them

memento reopen RECORD does the same.
`
}

// archiveAs returns the verb of the move that archive --as makes.
func archiveAs(as string) (verb string, err error) {
	switch as {
	case "", schema.Archived:
		return "archive", nil
	case schema.Completed:
		return "complete", nil
	case schema.Retired:
		return "retire", nil
	}
	hint := "--as completed, --as retired, or neither"
	if near := nearest(as, []string{schema.Completed, schema.Retired}); near != "" {
		hint = "did you mean --as " + near + "?"
	}
	return "", usage(hint, "archive: --as: %s is neither completed nor retired", text.Quote(as))
}

// moveCommand returns the command for one of schema.Moves.
func moveCommand(verb string) command {
	short, long := moveHelp(verb)
	var as, match, reason string
	var at int
	return command{
		name: verb, args: "RECORD...", short: short, long: long, old: verb != "archive" && verb != "restore",
		companion: verb == "restore",
		flags: func(fs *flag.FlagSet, c *call) {
			matchFlag(fs, &match)
			if verb == "archive" || verb == "retire" {
				fs.StringVar(&reason, "reason", "", "`TEXT`: why; kept in its history")
			}
			if verb == "archive" {
				nameFlag(fs, &as, "as", "as what: completed or retired (`STATUS`)")
			}
			if verb == "restore" {
				atFlag(fs, &at, "give it the words of its `N`th version")
			}
			fs.BoolVar(&c.json, "json", false, "print JSON")
		},
		run: func(c *call) error {
			if at != 0 {
				return c.restoreAt(at, match)
			}
			verb := verb
			if verb == "archive" {
				var err error
				if verb, err = archiveAs(as); err != nil {
					return err
				}
			}
			m := schema.Moves[slices.IndexFunc(schema.Moves, func(m schema.Move) bool { return m.Verb == verb })]
			if len(c.args) > 0 && m.Summary == "" && strings.TrimSpace(reason) == "" {
				call := c.command.name + " " + c.quotedArgs()
				if as != "" {
					call += " --as " + as
				}
				return usage("memento "+call+` --reason "…"`, "a reason is needed")
			}
			if match != "" && len(c.args) > 1 {
				return usage("one record at a time", "--if-match is one record's hash")
			}
			s, err := c.openShelf(false)
			if err != nil {
				return err
			}
			return c.each("records", func(name string) (string, any, error) {
				r, err := s.find(name)
				if err == nil {
					r, err = s.store.Move(r.ID, verb, match, reason)
				}
				if r == nil || err != nil {
					return "", nil, err
				}
				return cmp.Or(m.Summary, m.To) + " " + r.ID, storedAs(r), nil
			})
		},
	}
}

// matchFlag adds --if-match. It refuses an empty hash: a script whose variable is unset must not overwrite anything.
func matchFlag(fs *flag.FlagSet, hash *string) {
	fs.Func("if-match", "the `HASH` it had when you read it", func(s string) error {
		if *hash = strings.TrimSpace(s); *hash == "" {
			return errors.New("it is empty, and would match anything")
		}
		return nil
	})
}

// failure is a record for which a command on several records failed.
type failure struct {
	Record string `json:"record"`
	Error  string `json:"error"`
	Hint   string `json:"hint"`
}

// each runs do for every record named on the command line, also after one of them fails. It prints the line of each, or
// in JSON a list of the objects under key. The error for a single record is returned; for several records each error
// is printed, and the command fails if one did.
func (c *call) each(key string, do func(name string) (line string, object any, err error)) error {
	if len(c.args) == 0 {
		return usage("memento list", "which record?")
	}
	objects, failed := []any{}, []failure{}
	last := "" // the last hint, so that it is not printed twice
	for _, name := range c.args {
		line, object, err := do(name)
		switch {
		case err != nil && len(c.args) == 1:
			return c.conflict(err)
		case err != nil:
			err = recordError(err)
			hint := hintOf(err)
			failed = append(failed, failure{name, worded(err), hint})
			if !c.json {
				fmt.Fprintf(c.Err, "memento: %s\n", text.Line(c.said(named(name, err))))
				if hint != "" && hint != last {
					fmt.Fprintf(c.Err, "memento: hint: %s\n", text.Line(hint))
				}
				last = hint
			}
		case c.json:
			objects = append(objects, object)
		default:
			fmt.Fprintln(c.Out, line)
		}
	}
	if c.json {
		c.printJSON(members{{key, objects}, {"failed", failed}})
	}
	if len(failed) > 0 {
		return errSilent
	}
	return nil
}

// quotedArgs returns the arguments as a person can type them again.
func (c *call) quotedArgs() string {
	if len(c.args) == 0 {
		return "RECORD"
	}
	var words []string
	for _, a := range c.args {
		words = append(words, safefile.ShellWord(text.Line(a)))
	}
	return strings.Join(words, " ")
}
