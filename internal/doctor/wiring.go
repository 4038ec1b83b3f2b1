package doctor

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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
	w.checkSettingsFile()
	w.checkBlocks()
	w.checkClients()
	w.checkCodex()
	for _, p := range w.copies {
		w.checkPlugin(p)
	}
}

func (w *wiring) checkSettingsFile() {
	switch {
	case w.StatusGone:
		w.add(Note, "memento install --statusline", "the status line in %s runs a memento that is not there: %s", w.Path,
			w.StatusLine)
	case w.StatusLine != "":
		w.ok("%s has memento's status line", w.Path)
	}
	switch w.Condition {
	case install.Refused:
		hint := cmp.Or(safefile.Step(w.Err), "correct it by hand")
		if errors.Is(w.Err, safefile.ErrRefused) {
			hint = safefile.InPlace(w.Path)
		}
		why := strings.TrimPrefix(text.Reason(w.Err), "reading settings.json: ")
		w.add(Bad, hint, "%s cannot be read, by the client neither: %s", w.Path, why)
	case install.Stale:
		w.add(Bad, "memento doctor --fix", "%s: %s", w.Path, w.Why)
	case install.Current:
		if sameFile(w.Command, w.Machine.Exe) {
			w.ok("%s runs this binary", w.Path)
		} else {
			w.ok("%s runs another memento than this, %s", w.Path, w.Command)
		}
	}
}

// checkBlocks reports settings that keep the client from running any hook.
func (w *wiring) checkBlocks() {
	for _, b := range install.FindBlocks(w.options) {
		hint := "take " + b.Key + " out of " + b.Path
		if b.Managed {
			hint = "ask who manages this machine's settings"
		}
		w.add(Bad, hint, "Claude Code runs no hook of memento: %s says %s", b.Path, b.Key)
	}
}

// checkClients reports the clients on this machine, and whether each can run the installed hooks.
func (w *wiring) checkClients() {
	programs := []string{w.Command}
	for _, p := range w.copies {
		programs = append(programs, p.Path)
	}
	for _, c := range w.options.Clients {
		var unfit error
		for _, exe := range programs {
			if unfit = c.CheckFit(exe); unfit != nil {
				break
			}
		}
		const unknown = "Claude Code at %s: its files do not say its version, and memento takes %s or newer"
		switch {
		case unfit != nil:
			w.add(Bad, "claude update", "%v", unfit)
		case c.Version == "":
			w.add(Note, "claude --version", unknown, c.Path, install.OldestClient)
		default:
			w.ok("Claude Code %s at %s", c.Version, c.Path)
		}
	}
	if len(w.options.Clients) == 0 {
		w.add(Note, "", "no claude on the PATH or in its usual places; memento takes %s or newer", install.OldestClient)
	}
}

// checkCodex reports how Codex runs memento, if it is on this machine.
func (w *wiring) checkCodex() {
	for _, o := range w.Machine.All(true) {
		if o.Client != client.Codex {
			continue
		}
		switch s := install.ReadStatus(o); s.Condition {
		case install.Refused:
			w.add(Bad, "correct it by hand", "%s cannot be read: %s", s.Path, text.Reason(s.Err))
		case install.Stale:
			w.add(Bad, "memento install", "%s: %s", s.Path, s.Why)
		case install.Absent:
			w.add(Note, "memento install", "Codex is here, and runs no memento: %s has none of its hooks", s.Path)
		case install.Current:
			w.ok("%s runs %s, once you trust it in Codex", s.Path, s.Command)
		}
	}
}

// checkPlugin reports whether an installed plugin has its binary, and whether it has this binary's version.
func (w *wiring) checkPlugin(p install.Copy) {
	state, what, hint := pluginBinary(p.Path, w.options.Cache)
	if state == Bad && w.Condition == install.Current {
		state = Note
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
		return sameFile(filepath.Join(p.Path, "bin", filepath.Base(w.Machine.Exe)), w.Machine.Exe)
	})
	switch {
	case w.plugin != "" || w.wired() || named != "" || install.Managed() || w.Machine.Bundled() && !installed:
	case len(w.copies) > 0:
		return "no session runs memento: the plugin is installed, and switched off", "in Claude Code: /plugin"
	case w.Condition == install.Absent:
		return "no session runs memento: it is neither in " + w.Path + " nor an installed plugin",
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
		w.add(Bad, "memento doctor --fix", "the skill is missing, %s", unaware)
	case change == install.Edited:
		w.add(Bad, "memento doctor --fix", "the skill, or a slash command of its, is of another version")
	case change == install.Left:
		w.add(Note, "rename it, then: memento doctor --fix", "another skill is called memento, %s", unaware)
	}
}

func sameFile(a, b string) bool {
	ai, aerr := os.Stat(a)
	bi, berr := os.Stat(b)
	return aerr == nil && berr == nil && os.SameFile(ai, bi)
}

// pluginBinary checks bin/memento of the plugin at root. That file is the binary, or a launcher that finds or fetches
// the binary. cache is memento's folder in the user's cache, "" if it is not known.
func pluginBinary(root, cache string) (state State, what, hint string) {
	head, err := safefile.ReadStart(filepath.Join(root, "bin", "memento"), 2)
	if errors.Is(err, fs.ErrNotExist) {
		head, err = safefile.ReadStart(filepath.Join(root, "bin", "memento.exe"), 2)
	}
	switch {
	case err != nil:
		return Bad, "it has no bin/memento, so every hook fails", "in Claude Code: /plugin, and install it again"
	case string(head) != "#!":
		return OK, "its binary is in place", ""
	}
	// The launcher keeps its downloads in the plugin's data folder, whose path follows from root, which is
	// <config>/plugins/cache/<market>/<plugin>/<version> (measured on client 2.1.329), or in the cache.
	plugin := filepath.Dir(root)
	market := filepath.Dir(plugin)
	data := filepath.Join(filepath.Dir(filepath.Dir(market)), "data", filepath.Base(plugin)+"-"+filepath.Base(market))
	places, log := []string{filepath.Join(root, "bin", runtime.GOOS+"-"+runtime.GOARCH)}, ""
	for _, store := range [...]string{data, cache} {
		fetched, _ := safefile.List(filepath.Join(store, "bin"))
		for _, sum := range fetched {
			places = append(places, filepath.Join(store, "bin", sum.Name()))
		}
		built := filepath.Join(store, "build"+root)
		words, _ := safefile.ReadStart(filepath.Join(built, "log"), 64<<10)
		places, log = append(places, built), cmp.Or(log, strings.TrimSpace(string(words)))
	}
	for _, place := range places {
		binary := filepath.Join(place, "memento")
		if _, err := os.Lstat(binary); err == nil {
			return OK, "its launcher runs " + binary, ""
		}
	}
	if log != "" {
		why := strings.TrimPrefix(log[strings.LastIndexByte(log, '\n')+1:], "memento: ")
		return Bad, "it has no binary yet: " + text.Line(why), "start a new session, which tries again"
	}
	return Note, "it has no binary yet", "start a session: its launcher fetches one in the background"
}
