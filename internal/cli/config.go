package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

func configCommand() command {
	unset := false
	return command{
		name: "config", json: true, args: "[NAME [VALUE]]", most: 2, short: "show the settings, or set one",
		long: `With a NAME alone it prints that value. The settings of a kind of record are kinds.KIND.FIELD.

  memento config remind never
  memento config --unset remind
  memento config kinds.decision.max 20
  memento config kinds
`,
		flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&unset, "unset", false, "put the setting NAME back to its default")
		},
		run: func(c *call) error { return runConfig(c, unset) },
	}
}

func runConfig(c *call, unset bool) error {
	n := len(c.args)
	if n > 0 { // the tables of the pages name the variables
		if name, ok := strings.CutPrefix(c.args[0], "MEMENTO_"); ok {
			c.args[0] = strings.ToLower(name)
		}
	}
	switch {
	case unset && n != 1:
		return usage("memento help config", "takes a name and a value, or --unset and a name")
	case n == 2 && c.args[1] == "":
		return usage("memento config --unset "+safefile.ShellWord(text.Line(c.args[0]))+" puts the default back",
			"the value is empty")
	case unset || n == 2:
		return setConfig(c, c.args[0], strings.Join(c.args[1:], ""))
	}
	all, err := config.Settings(c.Getenv, schema.Names()...)
	if err != nil {
		return err
	}
	settings := []config.Setting{}
	for _, s := range all {
		switch {
		case n == 0 && strings.HasPrefix(s.Name, "kinds.") && s.Source == "default" && s.Problem == "": // of many kinds
		case n == 1 && s.Name == c.args[0]:
			return c.printAnswer(s, "%s", s.Value)
		case n == 0 || strings.HasPrefix(s.Name, c.args[0]+"."):
			settings = append(settings, s)
		}
	}
	switch {
	case n == 1 && len(settings) == 0:
		return unknownSetting(c.args[0])
	case c.json:
		return c.printJSON(members{{"settings", settings}})
	}
	if p := config.Problem(c.config.Dir); p != "" {
		fmt.Fprintf(c.Out, "! %s\n", p)
	}
	printSettings(c.output, settings)
	return nil
}

func printSettings(o *output, settings []config.Setting) {
	table := tabwriter.NewWriter(o.Out, 0, 0, 2, ' ', 0)
	for _, s := range settings {
		about := s.About
		if s.Env != "" {
			about += " (" + s.Env + ")"
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", s.Name, text.Line(s.Value), s.Source, about)
		if s.Problem != "" {
			fmt.Fprintf(table, "\t! %s\n", s.Problem)
		}
	}
	_ = table.Flush() // Main returns the error
}

// setting returns the setting with this name.
func setting(c *call, name string) (config.Setting, error) {
	all, err := config.Settings(c.Getenv, schema.Names()...)
	i := slices.IndexFunc(all, func(s config.Setting) bool { return s.Name == name })
	if i < 0 {
		return config.Setting{}, cmp.Or(err, unknownSetting(name))
	}
	return all[i], err
}

// setConfig sets a setting, or with an empty value puts its default back, and prints it.
func setConfig(c *call, name, value string) error {
	if _, err := setting(c, name); err != nil {
		return err
	}
	err := config.Set(c.config.Dir, name, value)
	switch {
	case errors.Is(err, config.ErrValue):
		hint := joined(" ", "memento config", strings.TrimRight(name[:strings.LastIndexByte(name, '.')+1], "."))
		return usage(hint, "%w", err)
	case errors.Is(err, config.ErrNoObject), errors.Is(err, safefile.ErrTooLarge):
		return hinted(config.Hint(c.config.Dir), "%w", err)
	case err != nil:
		return err
	}
	s, err := setting(c, name)
	if err != nil {
		return err
	}
	if _, synced := pace.Load(c.config.Dir); name == "sync" && s.Value == string(config.SyncAuto) && !synced {
		c.note("nothing syncs yet: memento sync REMOTE --all sets it up; memento help sync")
	}
	return c.printAnswer(s, "%s is %s (%s)", s.Name, s.Value, s.Source)
}

// unknownSetting is the error for a name that no setting has.
func unknownSetting(name string) error {
	if kind, ok := strings.CutPrefix(name, "kinds."); ok {
		kind, field, _ := strings.Cut(kind, ".")
		if !slices.Contains(schema.Names(), kind) {
			return usage(oneOf(kind, schema.Names()), "no kind of record %q", kind)
		}
		return usage(oneOf(field, config.KindFields()), "no setting of a kind %q", field)
	}
	return usage(oneOf(strings.TrimPrefix(strings.ToLower(name), "memento_"), config.Names()), "no setting %q", name)
}
