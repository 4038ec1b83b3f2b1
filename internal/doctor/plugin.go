package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

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
	stores := launcherStores(root, cache)
	places := []string{filepath.Join(root, "bin", runtime.GOOS+"-"+runtime.GOARCH)}
	for _, store := range stores {
		fetched, _ := safefile.List(filepath.Join(store, "bin"))
		for _, sum := range fetched {
			places = append(places, filepath.Join(store, "bin", sum.Name()))
		}
		places = append(places, filepath.Join(store, "build"+root))
	}
	for _, place := range places {
		binary := filepath.Join(place, "memento")
		if _, err := os.Lstat(binary); err == nil {
			return OK, "its launcher runs " + binary, ""
		}
	}
	for _, store := range stores {
		if words := lastLine(filepath.Join(store, "build"+root, "log")); words != "" {
			const hint = "start a new session, which tries again and says what is missing"
			return Bad, "it has no binary yet: " + words, hint
		}
	}
	return Note, "it has no binary yet", "start a session: its launcher fetches one in the background"
}

// launcherStores lists the folders where the launcher of the plugin at root may keep its downloads: the plugin's data
// folder, whose path follows from root (measured on client 2.1.329), or memento's folder in the cache.
func launcherStores(root, cache string) (stores []string) {
	version := filepath.Dir(root) // <config>/plugins/cache/<market>/<plugin>/<version>
	market := filepath.Dir(version)
	if plugins := filepath.Dir(market); filepath.Base(plugins) == "cache" {
		data := filepath.Join(filepath.Dir(plugins), "data")
		stores = append(stores, filepath.Join(data, filepath.Base(version)+"-"+filepath.Base(market)))
	}
	if cache != "" {
		stores = append(stores, cache)
	}
	return stores
}

// lastLine returns the last line of a log of at most 64 KB, "" if there is no log.
func lastLine(path string) string {
	data, err := safefile.ReadStart(path, 64<<10)
	if err != nil {
		return ""
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	return text.Line(strings.TrimPrefix(lines[len(lines)-1], "memento: "))
}
