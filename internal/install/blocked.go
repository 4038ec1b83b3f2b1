package install

import (
	"path/filepath"
	"runtime"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/settings"
)

// Block is a setting of the client that stops memento's hooks.
type Block struct {
	Path, Key string
	Managed   bool // the administrator of the machine sets it
}

// TestOnlyManaged replaces the folder of the managed settings in tests.
var TestOnlyManaged string

// managedSettings returns the file that holds an administrator's settings of the client.
func managedSettings() string {
	dir := "/etc/claude-code"
	switch {
	case TestOnlyManaged != "":
		dir = TestOnlyManaged
	case runtime.GOOS == "darwin":
		dir = "/Library/Application Support/ClaudeCode"
	case runtime.GOOS == "windows":
		dir = `C:\Program Files\ClaudeCode`
	}
	return filepath.Join(dir, "managed-settings.json")
}

// readForeign returns a settings file, as far as it is JSON.
func readForeign(path string) gjson.Result {
	data, _ := safefile.ReadForeign(path, maxFile)
	return parse(data)
}

// FindBlocks lists the settings that stop hooks in a session of the project, as client 2.1.330 reads them:
// disableAllHooks, where the project's own settings have the last word, and allowManagedHooksOnly in managed settings.
// FindBlocks does not see a policy that comes in parts, over the network or from the registry.
func FindBlocks(o Options) (out []Block) {
	const all, others = "disableAllHooks", "allowManagedHooksOnly"
	managed := readForeign(managedSettings())
	if managed.Get(all).Bool() {
		out = append(out, Block{managedSettings(), all, true})
	}
	if managed.Get(others).Bool() && !Managed() {
		out = append(out, Block{managedSettings(), others, true})
	}
	last := ""
	for _, path := range append([]string{o.file()}, o.Project...) {
		if v := readForeign(path).Get(all); v.Bool() {
			last = path
		} else if v.Exists() {
			last = ""
		}
	}
	if last != "" {
		out = append(out, Block{Path: last, Key: all})
	}
	return out
}

// Managed reports whether the managed settings enable memento's plugin or hold its hooks.
func Managed() bool {
	data, _ := safefile.ReadForeign(managedSettings(), maxFile)
	own, err := settings.Find(data, isOurs)
	return enabledPlugin(parse(data)) != "" || err == nil && len(own) > 0
}
