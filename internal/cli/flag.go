package cli

import (
	"errors"
	"flag"
	"slices"
	"strconv"
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

// numberFlag defines a flag that takes a number from 1 on; without the flag n stays as it is.
func numberFlag(fs *flag.FlagSet, n *int, name, usage string) {
	fs.Func(name, usage, func(given string) (err error) {
		if *n, err = strconv.Atoi(given); err != nil || *n < 1 {
			return errors.New("a whole number from 1 on is expected")
		}
		return nil
	})
}

// flagError adds a hint to err, with which the library refuses a flag.
func flagError(cmd command, fs *flag.FlagSet, err error) error {
	help := "memento help " + cmd.name
	name, isUnknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !isUnknown {
		plain := strings.NewReplacer("flag needs an argument: -", "a value is missing behind --", " for flag -", " for --",
			" for -", " for --", ": parse error", "")
		return usage(help, "%s", plain.Replace(err.Error()))
	}
	var names []string
	fs.VisitAll(func(f *flag.Flag) { names = append(names, dashed(f.Name)) })
	if cmd.args != "" {
		help += "; words that begin with a hyphen come last, behind --"
	}
	return usage(meant(dashed(name), names, "%s", help), "there is no flag %s", text.Quote(dashed(name)))
}

// check refuses too many arguments, a missing record, a first argument that is no form of the command, and flags that
// exclude each other.
func (cmd command) check(fs *flag.FlagSet, args []string) error {
	help := "memento help " + cmd.name
	switch {
	case cmd.args == "" && len(args) > 0 && !cmd.hidden:
		return usage(help, "takes no arguments, got %q", args[0])
	case strings.HasPrefix(cmd.args, "RECORD") && len(args) == 0:
		return usage("memento list", "which record?")
	case cmd.most > 0 && len(args) > cmd.most:
		return usage(help, "takes at most %s, got %d", count(cmd.most, "argument"), len(args))
	}
	if forms := strings.Fields(cmd.forms); len(forms) > 0 && len(args) > 0 && !slices.Contains(forms, args[0]) {
		return usage(meant(args[0], forms, `"memento `+cmd.name+` %s"`, help), "%s is none of %s", text.Quote(args[0]),
			strings.Join(forms, ", "))
	}
	var given, apart []string
	fs.Visit(func(f *flag.Flag) {
		if f.Name == "json" {
			return
		}
		given = append(given, dashed(f.Name))
		if slices.Contains(strings.Fields(cmd.apart), f.Name) {
			apart = append(apart, dashed(f.Name))
		}
	})
	if len(apart) > 1 {
		return usage("leave one of them out", "%s exclude each other", strings.Join(apart, " and "))
	}
	for _, name := range strings.Fields(cmd.alone) {
		if len(given) > 1 && slices.Contains(given, dashed(name)) {
			return usage(help, "%s comes alone", dashed(name))
		}
	}
	return nil
}

// dashed returns a flag's name with its hyphens.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
