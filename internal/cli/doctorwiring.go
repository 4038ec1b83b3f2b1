package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/safefile"
)

// wiring reports how the client knows of memento here: by settings of what scope, by the plugin, by several, or not at all.
// What is the matter in another project, or with one wiring while another does its work, is a note.
func (c *call) wiring() []finding {
	var out []finding
	add := func(state, hint, format string, args ...any) {
		out = append(out, finding{state, fmt.Sprintf(format, args...), hint})
	}
	o, roots := c.options(true), c.roots()
	places := install.Look(o, roots)
	wired, current, elsewhere := 0, 0, 0
	for _, s := range places {
		switch here := s.Options.Scope == install.User || s.Options.Root == roots[s.Options.Scope]; {
		case !here:
			elsewhere++
		case s.Condition == install.Current:
			current++
			wired++
		case s.Condition == install.Stale:
			wired++
		}
	}
	for _, s := range places {
		state := "bad"
		if s.Options.Scope != install.User && (current > 0 || s.Options.Root != roots[s.Options.Scope]) {
			state = "note"
		}
		switch s.Condition {
		case install.Refused:
			hint := stepFor(s.Err)
			switch {
			case errors.Is(s.Err, safefile.ErrRefused):
				hint = safefile.InPlace(s.Path)
			case hint == "":
				hint = "correct it by hand"
			}
			add(state, hint, "%s cannot be read, by the client neither: %s", s.Path, strings.TrimPrefix(worded(s.Err), "reading settings.json: "))
		case install.Stale:
			add(state, "memento doctor --fix", "%s: %s", s.Path, s.Why)
		case install.Current:
			switch {
			case s.Options.Scope == install.Project && !c.onPath():
				add("note", "add the folder of "+cmp.Or(c.Exe, "the binary")+" to your PATH", "%s runs the memento on the PATH, and there is none", s.Path)
			case s.Options.Scope == install.Project:
				add("ok", "", "%s runs the memento on the PATH", s.Path)
			case sameFile(s.Command, c.Exe):
				add("ok", "", "%s runs this binary", s.Path)
			default:
				add("ok", "", "%s runs another memento than this, %s", s.Path, s.Command)
			}
		}
	}
	for _, b := range install.Blocks(o, roots) {
		hint := "take " + b.Key + " out of " + b.Path
		if b.Managed {
			hint = "ask who manages this machine's settings"
		}
		add("bad", hint, "Claude Code runs no hook of memento: %s says %s", b.Path, b.Key)
	}
	copies := install.Installed(o)
	out = append(out, clients(o, places, copies)...)
	for _, p := range copies {
		state, what, hint := c.pluginState(p.Path)
		if state == "bad" && current > 0 {
			state = "note"
		}
		add(state, hint, "plugin %s %s in scope %s, %s: %s", p.Name, p.Version, p.Scope, p.Path, what)
		if p.Version != Version && p.Version != "" && wired > 0 {
			add("note", "bring both to one version, or keep one of them", "the plugin is memento %s, and this binary %s", p.Version, Version)
		}
	}
	plugin := install.Plugin(o)
	switch {
	case plugin != "" && wired > 0:
		add("note", "memento uninstall, or: claude plugin uninstall "+plugin, "settings and the plugin %s are both wired: each event is answered once, and one of them is enough", plugin)
	case plugin != "" || wired > 0:
	case c.bundled():
		add("ok", "", "this binary is a plugin's, for sessions started with it: claude --plugin-dir")
	case len(copies) > 0:
		add("note", "in Claude Code: /plugin", "no session runs memento: the plugin is installed, and switched off")
	case elsewhere > 0:
		add("note", "memento install", "no session here runs memento: it is wired in other projects only")
	case places[0].Condition == install.Absent:
		add("note", "memento install, or in Claude Code: /plugin install memento@mementohq", "no session runs memento: it is neither in %s nor an installed plugin", places[0].Path)
	}
	if wired > 0 {
		switch change, err := install.Skill(o); {
		case err != nil:
			add("bad", stepFor(err), "the skill cannot be read: %s", strings.TrimPrefix(worded(err), "reading the skill: "))
		case plugin != "": // which brings one
		case change == install.Created:
			add("bad", "memento doctor --fix", "the skill is missing, so Claude does not know how to write the journal")
		case change == install.Edited:
			add("bad", "memento doctor --fix", "the skill, or a slash command of its, is of another version")
		case change == install.Left:
			add("note", "rename it, then: memento doctor --fix", "another skill is called memento, so Claude does not know how to write the journal")
		}
	}
	return out
}

// clients reports the clients on this machine, and whether each can run the hooks that are wired.
func clients(o install.Options, wired []install.Status, copies []install.Copy) (out []finding) {
	programs := []string{""}
	for _, s := range wired {
		if s.Options.Scope != install.Project {
			programs = append(programs, s.Command)
		}
	}
	for _, p := range copies {
		programs = append(programs, p.Path)
	}
	for _, c := range o.Clients {
		f := finding{state: "ok", what: fmt.Sprintf("Claude Code %s at %s", c.Version, c.Path)}
		if c.Version == "" {
			f = finding{"note", fmt.Sprintf("Claude Code at %s: its files do not say its version, and memento takes %s or newer", c.Path, install.OldestClient), "claude --version"}
		}
		for _, exe := range programs {
			if err := c.Unfit(exe); err != nil {
				f = finding{"bad", err.Error(), "claude update"}
				break
			}
		}
		out = append(out, f)
	}
	if len(out) == 0 {
		out = append(out, finding{state: "ok", what: "no claude on the PATH or in its usual places; memento takes " + install.OldestClient + " or newer"})
	}
	return out
}

func sameFile(a, b string) bool {
	ai, aerr := os.Stat(a)
	bi, berr := os.Stat(b)
	return aerr == nil && berr == nil && os.SameFile(ai, bi)
}
