package install

import (
	"bytes"
	"cmp"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/safefile"
)

// notes adds to the report what the user should know. after is the settings file as it will be.
func (j *job) notes(after []byte) {
	top := parse(after)
	j.report.Plugin = j.plugin(top)
	if j.report.Plugin != "" {
		j.report.note("The plugin %[1]s is installed too: both are wired, each event is answered once, and one of "+
			"them is enough. "+
			"Either run memento uninstall, or claude plugin uninstall %[1]s.", j.report.Plugin)
	}
	// disableAllHooks stops the hooks of every settings file (measured on client 2.1.329).
	if top.Get("disableAllHooks").Bool() {
		j.report.note("%s says disableAllHooks: the client runs no hook of it until that is taken out.",
			filepath.Base(j.place.Path))
	}
	switch {
	case j.Scope == Project && j.place.Change != Unchanged:
		j.report.note("%s is for everybody in the project: commit it. Who has no memento on the PATH notices "+
			"nothing. It is read in sessions started in %s.", j.place.Path, j.Root)
	case j.Scope == Local && j.place.Change == Created:
		j.report.note("%s is yours alone and names your path: keep it out of the repository.", j.place.Path)
	}
	if j.place.Change == Unchanged {
		return
	}
	for _, other := range j.knownPlaces() {
		// Settings of two projects never meet in one session.
		meets := other.Scope == User || j.Scope == User || other.Root == j.Root
		if meets && other.file() != j.file() && other.isWired() {
			j.report.note("%s is wired too: each event is answered once, and one of them is enough.", other.file())
		}
	}
}

func parse(data []byte) gjson.Result {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !gjson.ValidBytes(data) {
		return gjson.Result{}
	}
	return gjson.ParseBytes(data)
}

// ActivePlugin returns the name under which memento is active as a plugin, or "".
func ActivePlugin(o Options) string { return o.plugin(gjson.Result{}) }

// plugin returns the name under which memento is active as a plugin, or "". top is the settings file as it will be.
// Client 2.1.329 writes, for the user, "enabledPlugins": {"memento@mementohq": true} into settings.json, and false for
// a disabled plugin. plugins/installed_plugins.json lists each installation with its scope, disabled or not. For the
// scopes project and local the project's settings enable the plugin, so an installation counts as active there.
func (o Options) plugin(top gjson.Result) string {
	user, _ := o.Disk.Read(o.in(User, "").file(), maxFile)
	if name := cmp.Or(enabledPlugin(top), enabledPlugin(parse(user))); name != "" {
		return name
	}
	for _, p := range InstalledPlugins(o) {
		if p.Scope == "project" || p.Scope == "local" {
			return p.Name
		}
	}
	return ""
}

// enabledPlugin returns the name of memento's plugin that a settings file enables, or "".
func enabledPlugin(settings gjson.Result) (name string) {
	settings.Get("enabledPlugins").ForEach(func(key, v gjson.Result) bool {
		if strings.HasPrefix(key.Str, "memento@") && v.Type != gjson.False && v.Type != gjson.Null {
			name = key.Str
		}
		return name == ""
	})
	return name
}

// ProjectPlugin returns the name of memento's plugin that the project's settings enable, and their path; "" for none.
// Once a person trusts the folder, the client fetches such a plugin by itself, and does not list it among the installed
// ones. claude plugin disable --scope local sets it to false beside them (measured on client 2.1.330).
func ProjectPlugin(o Options, roots map[Scope]string) (name, path string) {
	var off map[string]gjson.Result
	for _, scope := range []Scope{Local, Project} {
		if roots[scope] == "" {
			continue
		}
		path := o.in(scope, roots[scope]).file()
		data, _ := safefile.ReadForeign(path, maxFile)
		top := parse(data)
		if name := enabledPlugin(top); name != "" && off[name].Type != gjson.False {
			return name, path
		}
		off = top.Get("enabledPlugins").Map()
	}
	return "", ""
}

// Copy is one installed plugin called memento, as client 2.1.329 lists it in plugins/installed_plugins.json.
type Copy struct {
	Name    string // "memento@mementohq"
	Scope   string // "user", "project" or "local"
	Version string
	Path    string // the folder of the plugin
}

// InstalledPlugins lists the copies of the plugin, enabled or not.
func InstalledPlugins(o Options) (out []Copy) {
	data, err := o.Disk.Read(filepath.Join(o.ConfigDir, "plugins", "installed_plugins.json"), maxFile)
	if err != nil {
		return nil
	}
	parse(data).Get("plugins").ForEach(func(key, v gjson.Result) bool {
		if strings.HasPrefix(key.Str, "memento@") {
			for _, in := range v.Array() {
				out = append(out, Copy{key.Str, in.Get("scope").Str, in.Get("version").Str, in.Get("installPath").Str})
			}
		}
		return true
	})
	return out
}
