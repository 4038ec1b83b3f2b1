package install

import (
	"strings"

	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/settings"
)

// forCodex returns o for Codex, whose folder is dir. It keeps its hooks in hooks.json, and reads the same skill there,
// but no slash commands. A person says once, in Codex, that the hooks are trusted (measured on Codex 0.169.0).
func (o Options) forCodex(dir string) Options {
	o.Client, o.ConfigDir, o.Commands = client.Codex, dir, nil
	return o
}

// hookEnd ends each command of memento's in Codex's hooks, which are lines for a shell.
const hookEnd = " hook"

// inCodex returns the hook h as Codex's hooks.json holds it: Codex knows neither args nor if, and gives the end of a
// session three seconds (measured on Codex 0.169.0).
func inCodex(h settings.Hook) settings.Hook {
	h.Command, h.Args, h.If = safefile.ShellWord(h.Command)+hookEnd, nil, ""
	if h.Event == "SessionEnd" {
		h.Timeout = 3
	}
	return h
}

// hookProgram returns the path of the program that the hook h runs, as Install writes it for either client.
func hookProgram(h settings.Hook) string {
	if h.Args == nil && strings.HasSuffix(h.Command, hookEnd) {
		return unquoted(strings.TrimSuffix(h.Command, hookEnd))
	}
	return h.Command
}
