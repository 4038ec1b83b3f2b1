package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/settings"
)

// wiring returns the plugin's hooks as the settings hold them, so that plugin and settings wire the same events.
func (o Options) wiring(exe string) (settings.Wiring, error) {
	w, err := settings.Find(o.HooksJSON, func(settings.Hook) bool { return true })
	if err == nil && len(w) == 0 {
		err = errors.New("there are none")
	}
	if err != nil {
		return nil, fmt.Errorf("reading the plugin's hooks: %w", err)
	}
	for i := range w {
		if w[i].Command = exe; o.Client.ShellHooks {
			w[i] = inCodex(w[i])
		}
	}
	return w, nil
}

// projectSettings returns the settings files of a project that a session in dir reads beside the user's: the committed
// one, and this user's. A session reads .claude/settings.json of the folder in which it was started, and of no folder
// above, and .claude/settings.local.json of that folder and of the top of the repository's main working tree (measured
// on client 2.1.329). Outside a project there are none; the home folder has no project.
func projectSettings(dir, home, configDir string) []string {
	p := project.Find(dir, home)
	if p.None() {
		return nil
	}
	own, top := p.Root, p.Root
	if isFolder(filepath.Join(dir, ".claude")) {
		own = filepath.Clean(dir)
	}
	if isFolder(filepath.Join(p.Main, ".git")) {
		top = p.Main
	}
	own, top = filepath.Join(own, ".claude"), filepath.Join(top, ".claude")
	if SameFile(own, configDir) || SameFile(top, configDir) {
		return nil
	}
	return []string{filepath.Join(own, "settings.json"), filepath.Join(top, "settings.local.json")}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
