package cli

import (
	"encoding/json"
	"flag"
	"fmt"

	"github.com/mementohq/memento/hooks"
	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/skills"
)

type installFlags struct{ dryRun bool }

func addInstallFlags(fs *flag.FlagSet, c *call) {
	fs.BoolVar(&c.install.dryRun, "dry-run", false, "say what would change, and change nothing")
	fs.BoolVar(&c.json, "json", false, "print JSON")
}

func installCommand() command {
	return command{
		name: "install", short: "wire this binary into Claude Code's user settings", flags: addInstallFlags,
		long: `Adds memento's hooks to settings.json, leaving everything else in it as it is, and its skill
beside it. A backup is kept; run again, it changes nothing. Those who installed the plugin need
none of this.

  memento install --dry-run
`,
		run: func(c *call) error { return c.wire(install.Install) },
	}
}

func uninstallCommand() command {
	return command{
		name: "uninstall", short: "take memento out of Claude Code's user settings; the journals stay", flags: addInstallFlags,
		long: `Puts settings.json back as it was, byte for byte when nothing else changed in it since.

  memento uninstall --dry-run
`,
		run: func(c *call) error { return c.wire(install.Uninstall) },
	}
}

// options are what the installer needs to know of this binary and this client.
func (c *call) options(dryRun bool) install.Options {
	return install.Options{
		ConfigDir: c.config.ClaudeDir, Exe: c.Exe, HooksJSON: hooks.JSON, Skill: []byte(skills.Memento), DryRun: dryRun,
		Disk: install.Disk{Read: safefile.Read, Replace: safefile.Replace, Remove: safefile.Remove, Dir: safefile.Dir},
	}
}

func (c *call) wire(do func(install.Options) (install.Report, error)) error {
	if err := c.noArgs(); err != nil {
		return err
	}
	if err := c.load(); err != nil {
		return err
	}
	r, err := do(c.options(c.install.dryRun))
	if err != nil {
		return &hintError{err: fmt.Errorf("%s: %w", c.command.name, err), hint: install.Hint(err)}
	}
	if c.json {
		data, err := json.Marshal(r)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.Out, `{"version":1,"dry_run":%t,"report":%s}`+"\n", c.install.dryRun, data)
		return nil
	}
	would := ""
	if c.install.dryRun {
		would = "would be "
	}
	path := r.Settings
	if r.Target != "" {
		path += " (a link to " + r.Target + ")"
	}
	fmt.Fprintf(c.Out, "%s %s%s\n", path, would, r.SettingsChange)
	for _, h := range r.Removed {
		fmt.Fprintf(c.Out, "  - %s%s %s\n", h.Event, only(h.If), h.Command)
	}
	for _, h := range r.Added {
		fmt.Fprintf(c.Out, "  + %s%s %s\n", h.Event, only(h.If), h.Command)
	}
	fmt.Fprintf(c.Out, "%s %s%s\n", r.Skill, would, r.SkillChange)
	if r.Backup != "" {
		kept := "is"
		if c.install.dryRun {
			kept = "would be"
		}
		fmt.Fprintf(c.Out, "settings.json as it was before %s kept in %s\n", kept, r.Backup)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(c.Out, "note: %s\n", n)
	}
	return nil
}

// only says when an entry applies, if not always.
func only(condition string) string {
	if condition == "" {
		return ""
	}
	return " (" + condition + ")"
}

// wiring reports how the client knows of memento: by its settings, by the plugin, by both, or not at all.
func (c *call) wiring() []finding {
	r, err := install.Install(c.options(true))
	switch {
	case err != nil:
		return []finding{{"bad", "settings.json cannot be read, by the client neither: " + err.Error(), "correct it by hand"}}
	case r.SettingsChange == install.Unchanged && len(r.Added)+len(r.Removed) == 0:
		out := []finding{{state: "ok", what: r.Settings + " runs this binary"}}
		for _, n := range r.Notes {
			out = append(out, finding{state: "note", what: n})
		}
		return out
	case r.Plugin != "" || c.Getenv("CLAUDE_PLUGIN_ROOT") != "":
		return []finding{{state: "ok", what: "wired as the plugin " + first(r.Plugin, "memento")}}
	case len(r.Removed) > 0:
		return []finding{{"bad", r.Settings + " runs another or an older memento, or runs it twice", "memento install"}}
	}
	return []finding{{"note", "no session runs memento: it is neither in " + r.Settings + " nor an installed plugin", "memento install, or in Claude Code: /plugin install memento@mementohq"}}
}
