package cli

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/settings"
)

type installFlags struct {
	dryRun bool
	diff   bool
	scope  string
	exe    string
}

func (f *installFlags) register(fs *flag.FlagSet, c *call) {
	fs.BoolVar(&f.dryRun, "dry-run", false, "show what would change, and change nothing")
	fs.BoolVar(&f.diff, "diff", false, "with --dry-run, show every line that would change")
	fs.StringVar(&f.scope, "scope", "", "`SCOPE` is user, project or local")
	fs.BoolVar(&c.json, "json", false, "print JSON")
}

func installCommand() command {
	f := &installFlags{}
	return command{
		name: "install", short: "wire this binary into Claude Code's settings",
		flags: func(fs *flag.FlagSet, c *call) {
			f.register(fs, c)
			fs.StringVar(&f.exe, "exe", "", "with --dry-run, as if this binary were at `PATH`")
		},
		long: `Adds memento's hooks to a settings file of Claude Code, leaving everything else in it as it is,
and its skill and slash commands to your own. What was there is kept, for uninstall to bring back.
Run again, it renews what is stale and changes nothing else. Those who installed the plugin need
none of this.

  user      ~/.claude/settings.json: all your sessions (the default)
  local     .claude/settings.local.json of this project: your sessions in it
  project   .claude/settings.json of this project: committed, so for everybody in it

What the scope project writes names no path: it runs the memento on each person's PATH, and is
silent where there is none. Claude Code reads that file in sessions started in its folder only.

It takes Claude Code ` + install.OldestClient + ` or newer: with an older one on this machine nothing is wired, as such a client may drop
the whole settings file for a hook that it does not know.

  memento install --dry-run
  memento install --scope project
`,
		run: func(c *call) error { return runInstall(c, f) },
	}
}

func uninstallCommand() command {
	f := &installFlags{}
	return command{
		name: "uninstall", short: "take memento out of Claude Code's settings; the journals and records stay",
		flags: f.register,
		long: `Takes memento out of your settings, of those of every project it was installed in, and of those
of the project you are in; each is put back as it was, byte for byte when nothing else changed in
it since. The skill, the slash commands, session memory and whatever else is memento's go
too. Journals, records and settings of memento's stay, and so do the binary and an installed
plugin: it says where they are.

With --scope only that one settings file is unwired, and the skill goes with the last of them.

  memento uninstall --dry-run
`,
		run: func(c *call) error { return runUninstall(c, f) },
	}
}

// setScope sets the scope of o to what --scope says.
func (f *installFlags) setScope(c *call, o *install.Options) error {
	if f.scope == "" {
		return nil
	}
	o.Scope = install.Scope(f.scope)
	known := false
	for _, s := range install.Scopes() {
		known = known || s == o.Scope
	}
	if !known {
		return usage("memento help "+c.command.name, "%s: no scope %q: there are user, project and local",
			c.command.name, f.scope)
	}
	root, err := c.machine().Root(o.Scope)
	if err != nil {
		return c.installError(err)
	}
	o.Root = root
	return nil
}

func (c *call) installError(err error) error {
	return hinted(install.Hint(err), "%s: %w", c.command.name, err)
}

func runInstall(c *call, f *installFlags) error {
	if err := c.noArgs(); err != nil {
		return err
	}
	if err := f.check(c.command.name); err != nil {
		return err
	}
	if err := c.load(); err != nil {
		return err
	}
	if f.exe != "" {
		// install.sh asks a binary that is in a temporary folder yet what it would write once it is in its place.
		if !f.dryRun {
			return usage("memento install --dry-run --exe "+safefile.ShellWord(f.exe),
				"install: --exe goes with --dry-run")
		}
		c.Exe, c.Called = f.exe, f.exe
	}
	o := c.machine().Options(f.dryRun)
	if err := f.setScope(c, &o); err != nil {
		return err
	}
	exe, err := c.machine().LastingPath()
	if err != nil && o.Scope != install.Project {
		return c.installError(err)
	}
	if err == nil {
		o.Exe = exe
	}
	r, err := install.Install(o)
	if err != nil {
		return c.installError(err)
	}
	if o.Scope == install.Project && !c.machine().OnPath() {
		r.Notes = append(r.Notes, "There is no memento on your PATH, so these hooks do nothing for you: "+
			"add the folder of "+cmp.Or(c.Exe, "the binary")+" to it.")
	}
	return c.installed(r, f)
}

// check refuses --diff for a run that changes something.
func (f *installFlags) check(command string) error {
	if f.diff && !f.dryRun {
		return usage("memento "+command+" --dry-run --diff", "%s: --diff goes with --dry-run", command)
	}
	return nil
}

func runUninstall(c *call, f *installFlags) error {
	if err := c.noArgs(); err != nil {
		return err
	}
	if err := f.check(c.command.name); err != nil {
		return err
	}
	if err := c.load(); c.config.Dir == "" { // what its settings are does not matter
		return err
	}
	o := c.machine().Options(f.dryRun)
	if err := f.setScope(c, &o); err != nil {
		return err
	}
	var r install.Report
	var err error
	if f.scope == "" {
		r, err = install.UninstallAll(o, c.machine().Roots())
	} else {
		r, err = install.Uninstall(o)
	}
	if err != nil {
		return c.installError(err)
	}
	return c.installed(r, f)
}

// installed says what was done or would be.
func (c *call) installed(r install.Report, f *installFlags) error {
	if c.json {
		data, err := json.Marshal(r)
		if err != nil {
			return err
		}
		c.printJSON(members{{"dry_run", f.dryRun}, {"report", json.RawMessage(data)}})
		return nil
	}
	would := ""
	if f.dryRun {
		would = "would be "
	}
	for _, p := range r.Places {
		path := p.Path
		if p.Target != "" {
			path += " (a link to " + p.Target + ")"
		}
		fmt.Fprintf(c.Out, "%s %s%s\n", path, would, p.Change)
		if f.diff {
			fmt.Fprint(c.Out, p.Diff)
			continue
		}
		c.hooks("-", p.Removed)
		c.hooks("+", p.Added)
	}
	fmt.Fprintf(c.Out, "%s %s%s\n", r.Skill, would, r.SkillChange)
	if f.diff {
		fmt.Fprint(c.Out, r.SkillDiff)
	}
	for _, k := range r.Commands {
		if k.Change != install.Unchanged {
			fmt.Fprintf(c.Out, "%s %s%s\n", k.Path, would, k.Change)
		}
		if f.diff {
			fmt.Fprint(c.Out, k.Diff)
		}
	}
	for _, what := range gathered(r.Gone) {
		fmt.Fprintf(c.Out, "%s %sremoved\n", what, would)
	}
	for _, p := range r.Places {
		if p.Backup != "" {
			kept := "is"
			if f.dryRun {
				kept = "would be"
			}
			fmt.Fprintf(c.Out, "%s as it was before %s kept in %s\n", filepath.Base(p.Path), kept, p.Backup)
		}
	}
	for _, s := range r.Stays {
		fmt.Fprintf(c.Out, "stays: %s\n", s)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(c.Out, "note: %s\n", n)
	}
	return nil
}

// gathered names many files of one folder by that and their number.
func gathered(paths []string) (out []string) {
	in := map[string]int{}
	for _, path := range paths {
		in[filepath.Dir(path)]++
	}
	for _, path := range paths {
		switch folder := filepath.Dir(path); {
		case in[folder] == 0: // said
		case in[folder] < 4:
			out = append(out, path)
		default:
			out = append(out, fmt.Sprintf("%s: %s", folder, count(in[folder], "file")))
			in[folder] = 0
		}
	}
	return out
}

// hooks lists what each command is run for, a line a command.
func (c *call) hooks(sign string, w settings.Wiring) {
	events := map[string][]string{}
	var commands []string
	for _, h := range w {
		if events[h.Command] == nil {
			commands = append(commands, h.Command)
		}
		if !slices.Contains(events[h.Command], h.Event) {
			events[h.Command] = append(events[h.Command], h.Event)
		}
	}
	for _, command := range commands {
		fmt.Fprintf(c.Out, "  %s %s: %s\n", sign, command, strings.Join(events[command], ", "))
	}
}
