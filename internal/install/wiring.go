package install

import (
	"errors"
	"fmt"
	"os"
	"strings"

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

// ours reports whether h runs memento's hook, or is its status line, and nothing else. The folder of the program does
// not matter, so that the hooks of a binary that moved are still known.
func (o Options) ours(h settings.Hook) bool {
	switch {
	case o.Client.ShellHooks:
		return h.Args == nil && strings.HasSuffix(h.Command, hookEnd) && isMemento(hookProgram(h))
	case h.Event == settings.StatusLine:
		return isOurStatusLine(h.Command)
	}
	return len(h.Args) == 1 && h.Args[0] == "hook" && isMemento(h.Command)
}

func isMemento(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	return base == "memento" || strings.EqualFold(base, "memento.exe")
}
