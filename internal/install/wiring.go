package install

import (
	"errors"
	"fmt"
	"os"

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

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
