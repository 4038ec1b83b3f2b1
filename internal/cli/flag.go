package cli

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// nameFlag defines a flag that takes a name. It refuses an empty name, which a script with an unset variable gives:
// the command would take its default instead.
func nameFlag(fs *flag.FlagSet, s *string, name, usage string) {
	fs.Func(name, usage, func(given string) error {
		if *s = strings.TrimSpace(given); *s == "" {
			return errors.New("it is empty")
		}
		return nil
	})
}

// flagError turns err, with which the library refuses a flag, into memento's own words.
func flagError(cmd command, fs *flag.FlagSet, err error) error {
	help, what := "memento help "+cmd.name, err.Error()
	name, unknown := strings.CutPrefix(what, "flag provided but not defined: -")
	if !unknown {
		name, unknown = strings.CutPrefix(what, "bad flag syntax: -")
	}
	if unknown {
		var names []string
		fs.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
		typed, words := dashed(name), len(name) == 1
		if strings.HasPrefix(name, "-") || strings.ContainsRune(name, ' ') {
			typed, words = "-"+name, true
		}
		if near := nearest(name, names); near != "" {
			help = "did you mean " + dashed(near) + "?"
		} else if cmd.args != "" && words {
			help = "words that begin with a hyphen come last, behind --: memento " + cmd.name + " … -- '" +
				text.Line(typed) + "'"
		}
		return usage(help, "%s: there is no flag %s", cmd.name, text.Quote(typed))
	}
	if name, ok := strings.CutPrefix(what, "flag needs an argument: -"); ok {
		return usage(help, "%s: %s takes a value, and none follows", cmd.name, dashed(name))
	}
	what = strings.Replace(what, "invalid boolean value", "invalid value", 1)
	for _, word := range [...]string{" for flag -", " for -"} { // `invalid value "x" for flag -limit: parse error`
		value, rest, ok := strings.Cut(strings.TrimPrefix(what, "invalid value "), word)
		if name, why, known := strings.Cut(rest, ": "); ok && known && fs.Lookup(name) != nil {
			switch {
			case why == "parse error" && isBool(fs.Lookup(name)):
				why = "true or false is expected"
			case why == "parse error":
				why = "a whole number is expected"
			case why == "value out of range":
				why = "the number is too large"
			}
			what = dashed(name) + ": " + value + ": " + why
			break
		}
	}
	return &usageError{what: cmd.name + ": " + what, hint: help}
}

// noForm is the error for a first argument that is not among names, the forms that a command has.
func noForm(c *call, form string, names []string) error {
	name := c.command.name
	hint := "memento help " + name
	if near := nearest(form, names); near != "" {
		hint = "did you mean \"memento " + name + " " + near + "\"?"
	}
	return usage(hint, "%s: %s is none of %s", name, text.Quote(form), strings.Join(names, ", "))
}

// formArgs returns the error for too many or too few arguments of a form. wanted has the arguments as help writes
// them; most is their greatest number.
func formArgs(c *call, form, wanted string, most, got int) error {
	what := fmt.Sprintf("%s %s: takes no arguments, got %d", c.command.name, form, got)
	if most > 0 {
		what = fmt.Sprintf("%s %s: takes%s, got %s", c.command.name, form, wanted, count(got, "argument"))
	}
	return &usageError{what: what, hint: "memento " + c.command.name + " " + form + wanted}
}

// dashed returns a flag's name with its hyphens.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// isBool reports whether a flag takes no value.
func isBool(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// noArgs refuses any argument.
func noArgs(c *call) error {
	if len(c.args) == 0 {
		return nil
	}
	return usage("memento help "+c.command.name, "%s: takes no arguments, got %q", c.command.name, c.args[0])
}
