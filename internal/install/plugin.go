package install

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/safefile"
)

func parse(data []byte) gjson.Result {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !gjson.ValidBytes(data) {
		return gjson.Result{}
	}
	return gjson.ParseBytes(data)
}

// ActivePlugin returns the name under which memento is active as a plugin, or "".
// Client 2.1.329 writes, for the user, "enabledPlugins": {"memento@mementohq": true} into settings.json, and false for
// a disabled plugin. plugins/installed_plugins.json lists each installation with its scope, disabled or not. For the
// scopes project and local the project's settings enable the plugin, so an installation counts as active there.
func ActivePlugin(o Options) string {
	user, _ := safefile.Read(o.file(), maxFile)
	if name := enabledPlugin(parse(user)); name != "" {
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

// Copy is one installed plugin called memento, as client 2.1.329 lists it in plugins/installed_plugins.json.
type Copy struct {
	Name    string // "memento@mementohq"
	Scope   string // "user", "project" or "local"
	Version string
	Path    string // the folder of the plugin
}

// Program returns the path of the program that the plugin's hooks run: the binary, or a launcher that fetches it.
func (c Copy) Program() string {
	path := filepath.Join(c.Path, "bin", "memento")
	if IsMissing(path) {
		path += ".exe"
	}
	return path
}

// InstalledPlugins lists the copies of the plugin, enabled or not.
func InstalledPlugins(o Options) (out []Copy) {
	data, err := safefile.Read(filepath.Join(o.ConfigDir, "plugins", "installed_plugins.json"), maxFile)
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
