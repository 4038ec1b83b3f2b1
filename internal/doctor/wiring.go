package doctor

import (
	"cmp"
	"errors"
	"strings"

	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/install"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

// wiring is the check of how the client runs memento: through the user's settings, through a plugin, or not at all. A
// problem of the plugin is only a Note if the settings run memento.
type wiring struct {
	*exam
	options install.Options
	install.Status
	copies []install.Copy
	plugin string // the plugin that is switched on, "" for none
	ran    bool   // whether a hook has run in this session, or would leave no trace
}

// wired reports whether the settings run memento, be it with stale hooks.
func (w *wiring) wired() bool { return w.Condition == install.Current || w.Condition == install.Stale }

func (x *exam) checkWiring() {
	w := x.readWiring()
	w.checkFaults()
	what, hint := w.idle()
	switch {
	case what != "":
		w.add(Note, hint, "%s", what)
	case w.plugin != "" && w.wired():
		const what = "settings and the plugin %s are both wired: each event is answered once, and one of them is enough"
		w.add(Note, "memento uninstall, or: claude plugin uninstall "+w.plugin, what, w.plugin)
	}
	w.checkSkill()
}

// Wiring says how sessions run memento: Note if none does, Bad if its hooks fail, OK otherwise.
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
	_, err := session.Load(x.Config.Dir, x.Session)
	return &wiring{exam: x, options: o, Status: install.ReadStatus(o), copies: install.InstalledPlugins(o),
		plugin: install.ActivePlugin(o),
		ran:    err == nil || !x.Config.Enabled || withheld.LoadPauses(x.Config.Dir).Any()}
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
		w.add(Bad, hint, "neither memento nor the client can read %s: %s", s.Path, why)
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
	if p.Version != w.Machine.Version && p.Version != "" && w.wired() {
		const hint = "bring both to one version, or keep one of them"
		w.add(Note, hint, "the plugin is memento %s, and this binary %s", p.Version, w.Machine.Version)
	}
}

// idle says why no session runs memento, or why this one does not, and what helps; "" if it does.
func (w *wiring) idle() (what, hint string) {
	isWired := w.plugin != "" || w.wired()
	switch {
	case w.ran, isWired && w.Session == "":
	case isWired:
		return "no hook of memento has run in this session of Claude Code",
			"begin another session; if none runs there either, look for disableAllHooks in the client's settings"
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
