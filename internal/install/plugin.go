package install

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
)

// notes adds to the report what the user should know about the settings as they will be.
func (j *job) notes(after []byte) {
	top := gjson.ParseBytes(bytes.TrimPrefix(after, []byte("\ufeff")))
	j.report.Plugin = j.plugin(top)
	if j.report.Plugin != "" {
		j.report.Notes = append(j.report.Notes, "The plugin "+j.report.Plugin+" is installed too: both are wired, and one is enough. "+
			"Either run memento uninstall, or claude plugin uninstall "+j.report.Plugin+".")
	}
	// With it no hook of settings.json runs (measured on client 2.1.329).
	if top.Get("disableAllHooks").Bool() {
		j.report.Notes = append(j.report.Notes, "settings.json says disableAllHooks: the client runs no hook of it until that is taken out.")
	}
}

// plugin returns the name under which memento is also active as a plugin, or "". As written by client 2.1.329: for
// the user, "enabledPlugins": {"memento@mementohq": true} in settings.json, false when disabled; the installation
// itself is in plugins/installed_plugins.json, disabled or not, with a scope. In the scopes project and local it is
// the project's settings that enable it, so being installed has to do.
func (j *job) plugin(top gjson.Result) string {
	name := ""
	top.Get("enabledPlugins").ForEach(func(key, v gjson.Result) bool {
		if strings.HasPrefix(key.Str, "memento@") && v.Type != gjson.False && v.Type != gjson.Null {
			name = key.Str
		}
		return name == ""
	})
	if name != "" {
		return name
	}
	data, err := j.Disk.Read(filepath.Join(j.ConfigDir, "plugins", "installed_plugins.json"), maxFile)
	if err != nil || !gjson.ValidBytes(data) {
		return ""
	}
	gjson.GetBytes(data, "plugins").ForEach(func(key, v gjson.Result) bool {
		if !strings.HasPrefix(key.Str, "memento@") {
			return true
		}
		for _, in := range v.Array() {
			if s := in.Get("scope").Str; s == "project" || s == "local" {
				name = key.Str
			}
		}
		return name == ""
	})
	return name
}
