package cli

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

func configCommand() command {
	unset := false
	return command{
		name: "config", json: true, args: "[NAME [VALUE]]", short: "show the settings, or set one",
		long: `With a NAME alone it prints that value, and at a terminal what it is for. The settings of a kind of record
are kinds.KIND.FIELD; the list shows those that were set, memento config kinds shows all.

  memento config
  memento config remind never
  memento config --unset remind
  memento config kinds.decision.threshold 0.6
  memento config kinds
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			fs.BoolVar(&unset, "unset", false, "put the setting NAME back to its default")
		},
		run: func(c *call) error { return runConfig(c, unset) },
	}
}

func runConfig(c *call, unset bool) error {
	if err := c.load(); err != nil {
		return err
	}
	switch {
	case unset && len(c.args) == 1:
		return c.setConfig(c.args[0], "")
	case !unset && len(c.args) == 2 && c.args[1] != "":
		return c.setConfig(c.args[0], c.args[1])
	case len(c.args) == 2 && !unset:
		return usage("memento config --unset "+safefile.ShellWord(text.Line(c.args[0]))+" puts the default back",
			"config: the value is empty")
	case len(c.args) > 1 || unset:
		return usage("memento help config", "config: takes a name and a value, or --unset and a name")
	}
	all, err := config.Settings(c.Getenv, schema.Names()...)
	if err != nil {
		return err
	}
	all = slices.Insert(all, len(config.Names()), c.pausedSetting())
	of := "" // the beginning of the names to list
	if len(c.args) > 0 {
		of = c.args[0] + "."
		kind, isKind := strings.CutPrefix(c.args[0], "kinds.")
		if c.args[0] != "kinds" && !(isKind && slices.Contains(schema.Names(), kind)) {
			return c.oneSetting(all)
		}
	}
	settings := slices.DeleteFunc(all, func(s config.Setting) bool {
		if of == "" { // of the kinds' settings only those that were set
			return strings.HasPrefix(s.Name, "kinds.") && s.Source == "default" && s.Problem == ""
		}
		return !strings.HasPrefix(s.Name, of)
	})
	if c.json {
		c.printJSON(members{{"settings", array(settings)}})
		return nil
	}
	c.printSettings(settings)
	return nil
}

func (c *call) printSettings(settings []config.Setting) {
	if p := config.Problem(c.config.Dir, schema.Names()...); p != "" {
		fmt.Fprintf(c.Out, "! %s\n", p)
	}
	var names, values, sources []string
	for _, s := range settings {
		names, values, sources = append(names, s.Name), append(values, text.Line(s.Value)), append(sources, s.Source)
	}
	nameWide, valueWide, sourceWide := widest(names), widest(values), widest(sources)
	for _, s := range settings {
		about, value := ownRule(s), text.Line(s.Value)
		if s.Env != "" {
			about += " (" + s.Env + ")"
		}
		fmt.Fprintln(c.Out, strings.TrimRight(pad(s.Name, nameWide)+" "+
			pad(value, valueWide)+"  "+pad(s.Source, sourceWide)+"  "+about, " "))
		if s.Problem != "" {
			fmt.Fprintf(c.Out, "%s ! %s\n", pad("", nameWide), s.Problem)
		}
	}
}

// ownRule returns the description of a setting. When the default is the kind's own rule, the description names that
// rule.
func ownRule(s config.Setting) string {
	parts := strings.Split(s.Name, ".")
	k, ok := schema.Named(parts[min(1, len(parts)-1)])
	if !ok {
		return s.About
	}
	says := "all"
	switch parts[len(parts)-1] {
	case "retention_days":
		if says = "never"; k.Keep > 0 {
			says = strconv.Itoa(int(k.Keep / (24 * time.Hour)))
		}
	case "max":
		if k.Window > 0 {
			says = strconv.Itoa(k.Window)
		}
	}
	return strings.Replace(s.About, "as the kind itself says", says+", as the kind itself says", 1)
}

func (c *call) oneSetting(settings []config.Setting) error {
	i := slices.IndexFunc(settings, func(s config.Setting) bool { return s.Name == c.args[0] || s.Env == c.args[0] })
	switch {
	case i < 0:
		return unknownSetting(c.args[0])
	case c.json:
		c.printJSON(settings[i])
	default:
		fmt.Fprintln(c.Out, settings[i].Value)
		if c.Watched != nil && c.Watched() { // a script gets the value alone
			fmt.Fprintf(c.Err, "memento: %s (%s)\n", ownRule(settings[i]), settings[i].Source)
		}
	}
	return nil
}

func (c *call) setConfig(name, value string) error {
	if name == "paused" {
		return usage("memento pause, memento pause --end", "config: paused is not set here")
	}
	known, ok := config.Name(name)
	if kind, _, _ := strings.Cut(strings.TrimPrefix(name, "kinds."), "."); ok && strings.HasPrefix(name, "kinds.") {
		_, ok = schema.Named(kind)
	}
	if !ok {
		return unknownSetting(name)
	}
	name = known
	err := config.Set(c.config.Dir, name, value)
	switch {
	case errors.Is(err, config.ErrValue):
		hint := "memento config"
		if i := strings.LastIndexByte(name, '.'); i > 0 {
			hint += " " + name[:i]
		}
		return usage(hint, "config: %s", err.Error())
	case errors.Is(err, config.ErrNoObject), errors.Is(err, safefile.ErrTooLarge):
		return hinted(config.Hint(c.config.Dir), "config: %w", err)
	case err != nil:
		return fmt.Errorf("config: %w", err)
	}
	settings, err := config.Settings(c.Getenv, schema.Names()...)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(settings, func(s config.Setting) bool { return s.Name == name })
	if s := settings[i]; c.json {
		c.printJSON(s)
	} else {
		fmt.Fprintf(c.Out, "%s is %s (%s)\n", s.Name, s.Value, s.Source)
	}
	if _, synced := pace.Load(c.config.Dir); name == "sync" && settings[i].Value == string(config.SyncAuto) && !synced {
		fmt.Fprintln(c.Err, "memento: note: nothing syncs yet: memento sync REMOTE --all sets it up; memento help sync")
	}
	return nil
}

func unknownSetting(name string) error {
	if rest, ok := strings.CutPrefix(name, "kinds."); ok || name == "kinds" {
		kind, field, _ := strings.Cut(rest, ".")
		if _, ok := schema.Named(kind); !ok {
			return usage(meantSetting(kind, schema.Names(), "kinds.", "memento config kinds"),
				"config: no kind of record %q; there are %s", kind, strings.Join(schema.Names(), ", "))
		}
		fields := config.KindFields()
		return usage(meantSetting(field, fields, "kinds."+kind+".", "memento config kinds."+kind),
			"config: a kind has no setting %q; there are %s", field, strings.Join(fields, ", "))
	}
	known := config.Names()
	bare := strings.TrimPrefix(strings.ToLower(name), "memento_")
	hint := meantSetting(bare, append(known, "kinds"), "", "memento config")
	return usage(hint, "config: no setting %q; there are %s", name, strings.Join(known, ", "))
}

// meantSetting returns the hint for an unknown name: the known name next to it, else the command that lists them.
func meantSetting(name string, known []string, before, list string) string {
	if near := nearest(name, known); near != "" {
		return "did you mean \"memento config " + before + near + "\"?"
	}
	return list
}
