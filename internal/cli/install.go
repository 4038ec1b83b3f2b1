package cli

import (
	"cmp"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/settings"
	"github.com/mementohq/memento/internal/transcript"
)

type installFlags struct {
	dryRun, statusline, check bool
	scope                     string
}

func (f *installFlags) register(fs *flag.FlagSet, _ *call) {
	fs.BoolVar(&f.dryRun, "dry-run", false, "show what would change, and change nothing")
	fs.StringVar(&f.scope, "scope", "", "`SCOPE` is user, project or local")
}

func installCommand() command {
	f := &installFlags{}
	return command{
		name: "install", short: "wire this binary into Claude Code's settings",
		flags: func(fs *flag.FlagSet, c *call) {
			f.register(fs, c)
			fs.BoolVar(&f.statusline, "statusline", false, "wire memento's status line, and nothing else")
			fs.BoolVar(&f.check, "check", false, "") // of install.sh and install.ps1: wire and pass the doctor, or change nothing
		},
		long: `It adds memento's hooks to a settings file of Claude Code, and its skill and slash commands to yours.
It keeps everything else in the file, and a copy of the file that uninstall brings back. A second run
renews what is stale and changes nothing else. If you installed the plugin you need none of this.

  user      ~/.claude/settings.json: all your sessions (the default)
  local     .claude/settings.local.json of this project: your sessions in it
  project   .claude/settings.json of this project: committed, so for everybody in it

The hooks of the scope project name no path: each person's memento is found on the PATH, and without
one they are silent. Claude Code reads that file only in sessions that start in its folder.

With --statusline it wires the status line alone, which shows the mission and what is held, and only
where there is none: it says what it would replace. That works beside the plugin too.

It takes Claude Code ` + install.OldestClient + ` or newer: with an older one on this machine it wires nothing, since such a client may
drop the whole settings file for one hook that it does not know.

  memento install --dry-run
  memento install --scope project
  memento install --statusline
`,
		run: func(c *call) error { return runInstall(c, f) },
	}
}

func uninstallCommand() command {
	f := &installFlags{}
	return command{
		name: "uninstall", short: "take memento out of Claude Code's settings; the journals and records stay",
		flags: f.register,
		long: `It takes memento, hooks and status line, out of your settings, of those of every project it was installed in, and of those
of the project you are in. Each file is put back as it was, byte for byte if nothing else changed in
it. The skill, the slash commands, session memory and memento's other files go, too. Journals, records
and memento's settings stay, and so do the binary and an installed plugin: it says where they are.

With --scope it unwires only that settings file, and the skill goes with the last such file.

  memento uninstall --dry-run
`,
		run: func(c *call) error { return runUninstall(c, f) },
	}
}

// options checks the call, reads the settings and returns the options that the flags choose. Errors: *usageError;
// those of load without memento's folder; the installer's, with a hint.
func (f *installFlags) options(c *call) (o install.Options, err error) {
	if err := noArgs(c); err != nil {
		return o, err
	}
	name := c.command.name
	if err := c.load(); c.config.Dir == "" || err != nil && name == "install" {
		return o, err
	}
	o = thisMachine(c).Options(f.dryRun)
	if f.scope == "" {
		return o, nil
	}
	o.Scope = install.Scope(f.scope)
	if !slices.Contains(install.Scopes(), o.Scope) {
		return o, usage("memento help "+name, "%s: no scope %q: there are user, project and local", name, f.scope)
	}
	o.Root, err = thisMachine(c).Root(o.Scope)
	return o, c.installError(err)
}

// installError adds the installer's hint to its error; nil stays nil.
func (c *call) installError(err error) error {
	if err == nil {
		return nil
	}
	return hinted(install.Hint(err), "%s: %w", c.command.name, err)
}

func runInstall(c *call, f *installFlags) error {
	o, err := f.options(c)
	if err != nil {
		return err
	}
	if f.statusline {
		return c.installStatusLine(o, f)
	}
	exe, err := thisMachine(c).LastingPath()
	if err != nil && o.Scope != install.Project {
		return c.installError(err)
	}
	if err == nil {
		o.Exe = exe
	}
	if f.check {
		o.Check = func() error { return runDoctor(c, false) }
	}
	r, err := install.Install(o)
	if err != nil {
		return c.installError(err)
	}
	if o.Scope == install.Project && !thisMachine(c).OnPath() {
		r.Notes = append(r.Notes, "There is no memento on your PATH, so these hooks do nothing for you: "+
			"add the folder of "+cmp.Or(c.Exe, "the binary")+" to it.")
	}
	if o.Scope != install.Project && strings.Contains(exe, Version) {
		r.Notes = append(r.Notes, exe+" says the version "+Version+": where an update changes it, run memento install again.")
	}
	r.Notes = append(r.Notes, c.earlierSessions(o)...)
	return c.installed(r, f)
}

// installStatusLine wires the status line alone.
func (c *call) installStatusLine(o install.Options, f *installFlags) (err error) {
	if o.Scope == install.Project {
		return usage("memento install --statusline --scope local",
			"install: a status line names your path, and the settings of the scope project are for everybody")
	}
	if o.Status, err = thisMachine(c).StatusCommand(); err != nil {
		return c.installError(err)
	}
	r, err := install.Install(o)
	if err != nil {
		return c.installError(err)
	}
	return c.installed(r, f)
}

// earlierSessions says which sessions from before memento could take in, and what it keeps of a turn.
func (c *call) earlierSessions(o install.Options) []string {
	n, size := transcript.Count(o.ConfigDir)
	if n == 0 || c.load() != nil || c.config.Past == config.PastJournal {
		return nil
	}
	if taken, err := (past.Store{Dir: c.config.Dir}).Taken(); err != nil || len(taken) > 0 {
		return nil
	}
	kept := "what you type and what Claude answers"
	if c.config.Past == config.PastWords {
		kept = "what you type"
	}
	return []string{fmt.Sprintf("memento keeps %s on this disk alone (memento config past); memento backfill --all "+
		"takes in %s from before (%s)", kept, count(n, "session"), megabytes(size))}
}

func runUninstall(c *call, f *installFlags) error {
	o, err := f.options(c)
	if err != nil {
		return err
	}
	var r install.Report
	if f.scope == "" {
		r, err = install.UninstallAll(o, thisMachine(c).Roots())
	} else {
		r, err = install.Uninstall(o)
	}
	if err != nil {
		return c.installError(err)
	}
	return c.installed(r, f)
}

// installed prints what the installer did, or in a dry run would do.
func (c *call) installed(r install.Report, f *installFlags) error {
	would, is := "", "is"
	if f.dryRun {
		would, is = "would be ", "would be"
	}
	for _, p := range r.Places {
		path := p.Path
		if p.Target != "" {
			path += " (a link to " + p.Target + ")"
		}
		fmt.Fprintf(c.Out, "%s %s%s\n", path, would, p.Change)
		c.hooks("-", p.Removed)
		c.hooks("+", p.Added)
	}
	if r.Skill != "" {
		fmt.Fprintf(c.Out, "%s %s%s\n", r.Skill, would, r.SkillChange)
	}
	for _, k := range r.Commands {
		if k.Change != install.Unchanged {
			fmt.Fprintf(c.Out, "%s %s%s\n", k.Path, would, k.Change)
		}
	}
	for _, path := range r.Gone {
		fmt.Fprintf(c.Out, "%s %sremoved\n", path, would)
	}
	for _, p := range r.Places {
		if p.Backup != "" {
			fmt.Fprintf(c.Out, "%s as it was before %s kept in %s\n", filepath.Base(p.Path), is, p.Backup)
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

// hooks prints each command with the events that run it.
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
