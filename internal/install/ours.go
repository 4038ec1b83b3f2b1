package install

import (
	"strings"

	"github.com/mementohq/memento/internal/settings"
)

// isOurs reports whether h runs memento's hook, or is its status line, and nothing else. The folder of the program does
// not matter, so that the hooks of a binary that moved are still known.
func isOurs(h settings.Hook) bool {
	switch {
	case h.Event == settings.StatusLine:
		return isOurStatusLine(h.Command)
	}
	return len(h.Args) == 1 && h.Args[0] == "hook" && isMemento(h.Command)
}

// ours is isOurs for the client that o is for.
func (o Options) ours(h settings.Hook) bool {
	if o.Client.ShellHooks {
		return h.Args == nil && strings.HasSuffix(h.Command, hookEnd) && isMemento(hookProgram(h))
	}
	return isOurs(h)
}

func isMemento(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	return base == "memento" || strings.EqualFold(base, "memento.exe")
}
