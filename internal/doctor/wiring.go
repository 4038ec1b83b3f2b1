package doctor

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// wiring is the check of how the client runs memento: through the user's settings, through a plugin, or not at all. A
// problem of the plugin is only a Note if the settings run memento.
type wiring struct {
	*exam
	options install.Options
	install.Status
	copies []install.Copy
	plugin string // the plugin that is switched on, "" for none
}

// wired reports whether the settings run memento, be it with stale hooks.
func (w *wiring) wired() bool { return w.Condition == install.Current || w.Condition == install.Stale }

func (x *exam) checkWiring() {
	w := x.readWiring()
	w.checkFaults()
	w.checkRuns()
	w.checkSkill()
}

// Wiring says how a session in the folder runs memento: Note if none does, Bad if its hooks fail, OK otherwise.
func Wiring(env Env) Finding {
	w := (&exam{Env: env}).readWiring()
	if what, hint := w.idle(); what != "" {
		return Finding{Note, what, hint}
	}
	w.checkFaults()
	for _, f := range w.findings {
		if f.State == Bad {
			return f
		}
	}
	return Finding{State: OK}
}

func (x *exam) readWiring() *wiring {
	o := x.Machine.Options(true)
	return &wiring{exam: x, options: o, Status: install.ReadStatus(o), copies: install.InstalledPlugins(o),
		plugin: install.ActivePlugin(o)}
}

// checkFaults checks each way in which memento is wired.
func (w *wiring) checkFaults() {
	switch {
	case w.StatusGone:
		w.add(Note, "memento install --statusline", "the status line in %s runs a memento that is not there: %s", w.Path,
			w.StatusLine)
	case w.StatusLine != "":
		w.ok("%s has memento's status line", w.Path)
	}
	w.checkSettingsFile(w.Status)
	for _, b := range install.FindBlocks(w.options) {
		hint := "take " + b.Key + " out of " + b.Path
		if b.Managed {
			hint = "ask who manages this machine's settings"
		}
		w.add(Bad, hint, "Claude Code runs no hook of memento: %s says %s", b.Path, b.Key)
	}
	for _, o := range w.Machine.All(true) {
		if o.Client != client.Codex {
			continue
		}
		s := install.ReadStatus(o)
		if w.checkSettingsFile(s); s.Condition == install.Absent {
			w.add(Note, "memento install", "Codex is here, and runs no memento: %s has none of its hooks", s.Path)
		}
	}
	for _, p := range w.copies {
		w.checkPlugin(p)
	}
}

// checkSettingsFile reports how a client's settings run memento, if they do.
func (w *wiring) checkSettingsFile(s install.Status) {
	switch s.Condition {
	case install.Refused:
		hint := cmp.Or(safefile.Step(s.Err), "correct it by hand")
		if errors.Is(s.Err, safefile.ErrRefused) {
			hint = safefile.InPlace(s.Path)
		}
		why := strings.TrimPrefix(text.Reason(s.Err), "reading settings.json: ")
		w.add(Bad, hint, "%s cannot be read, by the client neither: %s", s.Path, why)
	case install.Stale:
		w.add(Bad, "memento install", "%s: %s", s.Path, s.Why)
	case install.Current:
		if install.SameFile(s.Command, w.Machine.Exe) {
			w.ok("%s runs this binary", s.Path)
		} else {
			w.ok("%s runs another memento than this, %s", s.Path, s.Command)
		}
	}
}

// checkPlugin reports whether an installed plugin has its program, and whether it has this binary's version.
func (w *wiring) checkPlugin(p install.Copy) {
	state, what, hint := OK, "its program is in place", ""
	if isMissing := install.IsMissing(p.Program()); isMissing {
		state, what, hint = Bad, "it has no bin/memento, so every hook fails", "in Claude Code: /plugin, and install it again"
		if w.Condition == install.Current {
			state = Note
		}
	}
	w.add(state, hint, "plugin %s %s in scope %s, %s: %s", p.Name, p.Version, p.Scope, p.Path, what)
	if p.Version != w.Version && p.Version != "" && w.wired() {
		const hint = "bring both to one version, or keep one of them"
		w.add(Note, hint, "the plugin is memento %s, and this binary %s", p.Version, w.Version)
	}
}

// checkRuns reports whether sessions here run memento, and whether they run it twice.
func (w *wiring) checkRuns() {
	named, path := install.ProjectPlugin(w.options)
	what, hint := w.idle()
	switch {
	case what != "":
		w.add(Note, hint, "%s", what)
	case w.plugin != "" && w.wired():
		const what = "settings and the plugin %s are both wired: each event is answered once, and one of them is enough"
		w.add(Note, "memento uninstall, or: claude plugin uninstall "+w.plugin, what, w.plugin)
	case w.plugin != "" || w.wired():
	case install.Managed():
		w.ok("the managed settings of this machine run memento")
	case named != "":
		w.ok("%s enables the plugin %s: the client fetches it once you trust the folder", path, named)
	case w.Machine.Bundled():
		w.ok("this binary is a plugin's, for sessions started with it: claude --plugin-dir")
	}
}

// idle says why no session here runs memento, and what helps; "" if one does.
func (w *wiring) idle() (what, hint string) {
	named, _ := install.ProjectPlugin(w.options)
	installed := slices.ContainsFunc(w.copies, func(p install.Copy) bool {
		return install.SameFile(filepath.Join(p.Path, "bin", filepath.Base(w.Machine.Exe)), w.Machine.Exe)
	})
	switch {
	case w.plugin != "" || w.wired() || named != "" || install.Managed() || w.Machine.Bundled() && !installed:
	case len(w.copies) > 0:
		return "no session of Claude Code runs memento: the plugin is installed, and switched off", "in Claude Code: /plugin"
	case w.Condition == install.Absent:
		return "no session of Claude Code runs memento: it is neither in " + w.Path + " nor an installed plugin",
			"memento install, or in Claude Code: /plugin marketplace add mementohq/memento, then " +
				"/plugin install memento@mementohq"
	}
	return "", ""
}

func (w *wiring) checkSkill() {
	if !w.wired() {
		return
	}
	const unaware = "so Claude does not know how to write the journal"
	switch change, err := install.SkillStatus(w.options); {
	case err != nil:
		why := strings.TrimPrefix(text.Reason(err), "reading the skill: ")
		w.add(Bad, safefile.Step(err), "the skill cannot be read: %s", why)
	case w.plugin != "": // which brings one
	case change == install.Created:
		w.add(Bad, "memento install", "the skill is missing, %s", unaware)
	case change == install.Edited:
		w.add(Bad, "memento install", "the skill, or a slash command of its, is of another version")
	case change == install.Left:
		w.add(Note, "rename it, then: memento install", "another skill is called memento, %s", unaware)
	}
}
