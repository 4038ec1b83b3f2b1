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

// moveHelp is what the help says of each of schema.Moves: a line, and the rest.
func moveHelp(verb string) (short, long string) {
	switch verb {
	case "complete":
		return "mark records as completed; they go to the archive",
			`It stands in .completed from then on, and is not brought up any more. memento reopen undoes it.

  memento complete fix-auth-bug
`
	case "reopen":
		return "make completed records active again", `  memento reopen fix-auth-bug
`
	case "retire":
		return "take records out of use, for a reason",
			`They are not brought up any more; memento gc archives them after 30 days, or what grace_days says.
memento restore undoes it.

  memento retire use-jwt --reason "we went for PASETO"
`
	case "archive":
		return "put records away for good, for a reason",
			`They stand in .completed from then on, are not brought up any more, and no collection deletes
them. memento restore undoes it.

  memento archive launch-2025 --reason "it is over, and worth keeping"
`
	}
	return "make retired or archived records active again", `  memento restore use-jwt
`
}

// moveCommand is the command of one of schema.Moves.
func moveCommand(verb string) command {
	m := schema.Moves[slices.IndexFunc(schema.Moves, func(m schema.Move) bool { return m.Verb == verb })]
	done, reasoned := cmp.Or(m.Summary, m.To), m.Summary == ""
	short, long := moveHelp(verb)
	var match, reason string
	return command{
		name: verb, args: "RECORD...", short: short, long: long,
		flags: func(fs *flag.FlagSet, c *call) {
			matchFlag(fs, &match)
			if reasoned {
				fs.StringVar(&reason, "reason", "", "`TEXT`: why; needed, and kept in its history")
			}
			fs.BoolVar(&c.json, "json", false, "print JSON")
		},
		run: func(c *call) error {
			if reasoned && strings.TrimSpace(reason) == "" {
				return usage("memento "+verb+" "+c.these()+` --reason "…"`, "a reason is needed")
			}
			if match != "" && len(c.args) > 1 {
				return usage("one record at a time", "--if-match is one record's hash")
			}
			s, err := c.desk(false)
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
				return done + " " + r.ID, storedAs(r), nil
			})
		},
	}
}

// matchFlag is --if-match. An empty one is refused: a script whose variable is unset means no overwriting.
func matchFlag(fs *flag.FlagSet, hash *string) {
	fs.Func("if-match", "the `HASH` it had when you read it", func(s string) error {
		if *hash = strings.TrimSpace(s); *hash == "" {
			return errors.New("it is empty, and would match anything")
		}
		return nil
	})
}

// failure is a record that a command on several could not do its work on.
type failure struct {
	Record string `json:"record"`
	Error  string `json:"error"`
	Hint   string `json:"hint"`
}

// each does something to every record that is named, one after the other, whatever becomes of the others. It answers
// with a line for each, in JSON with an object for each under key. Who names one gets its error as it is; of several
// each is told, and the command has failed when one did.
func (c *call) each(key string, do func(name string) (line string, object any, err error)) error {
	if len(c.args) == 0 {
		return usage("memento list", "which record?")
	}
	objects, failed := []any{}, []failure{}
	last := "" // one hint for all that it helps
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

// these are the records that were named, to be typed again.
func (c *call) these() string {
	if len(c.args) == 0 {
		return "RECORD"
	}
	var words []string
	for _, a := range c.args {
		words = append(words, safefile.ShellWord(text.Line(a)))
	}
	return strings.Join(words, " ")
}
