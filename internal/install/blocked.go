package install

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

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

// managedSettings returns the files in which the client looks for managed settings, the weakest first: the first need
// not exist, the others are the parts beside it (client 2.1.330).
func managedSettings() []string {
	dir := "/etc/claude-code"
	switch {
	case TestOnlyManaged != "":
		dir = TestOnlyManaged
	case runtime.GOOS == "darwin":
		dir = "/Library/Application Support/ClaudeCode"
	case runtime.GOOS == "windows":
		dir = `C:\Program Files\ClaudeCode`
	}
	files := []string{filepath.Join(dir, "managed-settings.json")}
	parts := filepath.Join(dir, "managed-settings.d")
	// a missing folder has none
	names, _ := safefile.Names(parts, ".json")
	for _, name := range names {
		if !strings.HasPrefix(name, ".") {
			files = append(files, filepath.Join(parts, name))
		}
	}
	slices.Sort(files[1:])
	return files
}

// FindBlocks lists the settings that stop hooks in a session of the project, as client 2.1.330 reads them:
// disableAllHooks, where the project's own settings have the last word, and allowManagedHooksOnly in managed settings.
// FindBlocks does not see a policy that comes over the network or from the registry.
func FindBlocks(o Options) (out []Block) {
	for _, path := range managedSettings() {
		data, _ := safefile.ReadForeign(path, maxFile)
		top := parse(data)
		for _, key := range []string{"disableAllHooks", "allowManagedHooksOnly"} {
			if top.Get(key).Bool() {
				out = append(out, Block{path, key, true})
			}
		}
	}
	if Managed() {
		out = slices.DeleteFunc(out, func(b Block) bool { return b.Key == "allowManagedHooksOnly" })
	}
	last := Block{}
	for _, path := range append([]string{o.file()}, o.Project...) {
		data, _ := safefile.ReadForeign(path, maxFile)
		if v := parse(data).Get("disableAllHooks"); v.Exists() {
			last = Block{}
			if v.Bool() {
				last = Block{Path: path, Key: "disableAllHooks"}
			}
		}
	}
	if last.Path != "" {
		out = append(out, last)
	}
	return out
}

// Managed reports whether the managed settings enable memento's plugin or hold its hooks.
func Managed() bool {
	return slices.ContainsFunc(managedSettings(), func(path string) bool {
		data, _ := safefile.ReadForeign(path, maxFile)
		own, err := settings.Find(data, isOurs)
		return enabledPlugin(parse(data)) != "" || err == nil && len(own) > 0
	})
}
