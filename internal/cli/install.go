package cli

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/settings"
)

type installFlags struct {
	dryRun, statusline, check bool
}

func (f *installFlags) register(fs *flag.FlagSet) {
	fs.BoolVar(&f.dryRun, "dry-run", false, "show what would change, and change nothing")
}

func installCommand() command {
	f := &installFlags{}
	return command{
		name: "install", bare: true, short: "wire this binary into Claude Code and Codex",
		flags: func(fs *flag.FlagSet) {
			f.register(fs)
			fs.BoolVar(&f.statusline, "statusline", false, "wire memento's status line alone, where there is none")
			fs.BoolVar(&f.check, "check", false, "") // of the install scripts: pass the doctor, or change nothing
		},
		long: `It adds memento's hooks to your settings of Claude Code, ~/.claude/settings.json, and its skill and slash commands
beside them, and changes no other byte of the file. If you installed the plugin you need none of this. A second run
renews what is stale. Claude Code has to be 2.1.9 or newer: an older one may drop the whole file for one hook that it
does not know.

Where Codex is, in $CODEX_HOME or ~/.codex, it adds its hooks to hooks.json there, and the skill. Codex asks once
whether you trust them.

  memento install --dry-run
  memento install --statusline
`,
		run: func(c *call) error { return installError(runInstall(c, f)) },
	}
}

func uninstallCommand() command {
	f := &installFlags{}
	return command{
		name: "uninstall", bare: true, short: "take memento out of the clients' settings; the journals and records stay",
		flags: f.register,
		long: `It changes no other byte of the settings. The skill and the slash commands go, too. memento's folder, the binary and an
installed plugin stay: it says where they are.

  memento uninstall --dry-run
`,
		run: func(c *call) error { return installError(runUninstall(c, f)) },
	}
}

// options reads the settings and returns the options that the flags choose. Errors: those of load without memento's
// folder; the installer's, with a hint.
func (f *installFlags) options(c *call) (o install.Options, err error) {
	if err := c.load(); c.config.Dir == "" || err != nil && c.command.name == "install" {
		return o, err
	}
	return thisMachine(c).Options(f.dryRun), nil
}

// installError adds the installer's hint to its error.
func installError(err error) error {
	if hint := install.Hint(err); hint != "" {
		return hinted(hint, "%w", err)
	}
	return err
}

func runInstall(c *call, f *installFlags) error {
	o, err := f.options(c)
	if err == nil && f.statusline {
		o.Status, err = thisMachine(c).StatusCommand()
	} else if err == nil {
		o.Exe, err = thisMachine(c).LastingPath()
	}
	if err != nil {
		return err
	}
	all := thisMachine(c).All(true)
	if f.statusline { // which Codex has none of
		all = []install.Options{o}
	}
	for i := range all { // nothing is written before all can be
		all[i].Exe, all[i].Status, all[i].DryRun = o.Exe, o.Status, true
		if _, err := install.Install(all[i]); err != nil {
			return err
		}
	}
	earlier := earlierSessions(c)
	var checked bytes.Buffer // what the doctor says comes last: it ends with the block
	for i, one := range all {
		if one.DryRun = f.dryRun; f.check && i == len(all)-1 {
			one.Check = func() error {
				out := c.Out
				defer func() { c.Out = out }()
				c.Out = &checked
				return runDoctor(c)
			}
		}
		r, err := install.Install(one)
		if err != nil {
			checked.WriteTo(c.Out)
			return err
		}
		if !f.statusline {
			if i == 0 && strings.Contains(o.Exe, Version) {
				r.Notes = append(r.Notes, o.Exe+" says the version "+Version+
					": where an update changes it, run memento install again.")
			}
			if i == len(all)-1 && earlier != "" {
				kept := map[bool]string{false: "what you type and what Claude answers", true: "what you type"}
				r.Notes = append(r.Notes, fmt.Sprintf("memento keeps %s on this disk alone (memento config past); %s",
					kept[c.config.Past == config.PastWords], earlier))
			}
		}
		printInstalled(c, r, f)
	}
	if checked.Len() > 0 {
		fmt.Fprintf(c.Out, "\n%s\n", &checked)
	}
	if earlier != "" && c.Terminal && !f.dryRun && !f.statusline {
		err = runBackfill(c, backfillFlags{all: true})
		if errors.Is(err, errSilent) { // a no is no failure
			return nil
		}
	}
	return err
}

// earlierSessions says how many sessions of both clients memento has nothing of, and which command takes them in; ""
// where there are none, or a backfill ran before.
func earlierSessions(c *call) string {
	store, kept := log.Store{Dir: c.config.Dir}, map[string]bool{}
	if taken, err := past.Taken(store); err != nil || len(taken) > 0 ||
		c.config.Past == config.PastJournal {
		return "" // before the transcripts are looked at: there may be thousands
	}
	projects, _ := store.Projects()
	for _, name := range projects {
		sessions, _ := store.Sessions(name)
		for _, one := range sessions {
			kept[one.ID] = true
		}
	}
	n, size := 0, int64(0)
	for _, path := range append(client.ClaudeCode.Sessions(c.config.ClaudeDir),
		client.Codex.Sessions(client.Codex.Dir(c.Getenv, c.home()))...) {
		name := strings.TrimSuffix(path, ".jsonl")
		id := name[max(0, len(name)-len("00000000-0000-0000-0000-000000000000")):] // Codex has a time before it
		if info, err := os.Stat(path); err == nil && !kept[id] {
			n, size = n+1, size+info.Size()
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("memento backfill --all takes in %s from before (%s)", count(n, "session"), megabytes(size))
}

func runUninstall(c *call, f *installFlags) error {
	o, err := f.options(c)
	if err != nil {
		return err
	}
	for _, one := range thisMachine(c).All(o.DryRun) {
		r, err := install.Uninstall(one)
		if err != nil {
			return err
		}
		printInstalled(c, r, f)
	}
	return nil
}

// printInstalled prints what the installer did, or in a dry run would do.
func printInstalled(c *call, r install.Report, f *installFlags) {
	would := map[bool]string{true: "would be "}[f.dryRun]
	p := r.Place
	path := p.Path
	if p.Target != "" {
		path += " (a link to " + p.Target + ")"
	}
	fmt.Fprintf(c.Out, "%s %s%s\n", path, would, p.Change)
	printHooks(c, "-", p.Removed)
	printHooks(c, "+", p.Added)
	for _, k := range r.Files {
		if k.Change != install.Unchanged {
			fmt.Fprintf(c.Out, "%s %s%s\n", k.Path, would, k.Change)
		}
	}
	for _, s := range r.Stays {
		fmt.Fprintf(c.Out, "stays: %s\n", s)
	}
	for _, n := range r.Notes {
		fmt.Fprintf(c.Out, "note: %s\n", n)
	}
}

// printHooks prints each command with the events that run it.
func printHooks(c *call, sign string, w settings.Wiring) {
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
