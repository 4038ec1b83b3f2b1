package cli

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// lifecycle is a command that gives records another status.
type lifecycle struct {
	name, short, long, done string
	reasoned                bool
	move                    func(s record.Store, id, match, reason string) (*record.Record, error)
}

func (l lifecycle) command() command {
	var match, reason string
	return command{
		name: l.name, args: "RECORD...", short: l.short, long: l.long,
		flags: func(fs *flag.FlagSet, c *call) {
			matchFlag(fs, &match)
			if l.reasoned {
				fs.StringVar(&reason, "reason", "", "`TEXT`: why; needed, and kept in its history")
			}
			fs.BoolVar(&c.json, "json", false, "print JSON")
		},
		run: func(c *call) error {
			if l.reasoned && strings.TrimSpace(reason) == "" {
				return &usageError{what: l.name + ": a reason is needed", hint: "memento " + l.name + " " + c.these() + ` --reason "…"`}
			}
			if match != "" && len(c.args) > 1 {
				return &usageError{what: l.name + ": --if-match is one record's hash", hint: "one record at a time"}
			}
			s, err := c.desk(false)
			if err != nil {
				return err
			}
			return c.each("records", func(name string) (string, string, error) {
				r, err := s.find(name)
				if err == nil {
					r, err = l.move(s.store, r.ID, match, reason)
				}
				if r == nil || err != nil {
					return "", "", err
				}
				return l.done + " " + r.ID, string(jsonOf(storedAs(r))), nil
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

// each does something to every record that is named, one after the other, whatever becomes of the others. It answers with a
// line for each, in JSON with an object for each under key. Who names one gets its error as it is; of several each is told,
// and the command has failed when one did.
func (c *call) each(key string, do func(name string) (line, object string, err error)) error {
	if len(c.args) == 0 {
		return &usageError{what: c.command.name + ": which record?", hint: "memento list"}
	}
	var objects, failed []string
	last := "" // one hint for all that it helps
	for _, name := range c.args {
		line, object, err := do(name)
		switch {
		case err != nil && len(c.args) == 1:
			return c.conflict(err)
		case err != nil:
			err = recordError(err)
			hint := hintOf(err)
			failed = append(failed, fmt.Sprintf(`{"record":%s,"error":%s,"hint":%s}`, quote(name), quote(worded(err)), quote(hint)))
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
		fmt.Fprintf(c.Out, `{"version":1,%s:[%s],"failed":[%s]}`+"\n", quote(key), strings.Join(objects, ","), strings.Join(failed, ","))
	}
	if failed != nil {
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
