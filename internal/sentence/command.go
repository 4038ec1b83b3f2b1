package sentence

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// ownCommand is how the names of memento's own slash commands begin.
const ownCommand = "memento:"

// IsCommand reports whether s is one of the client's own slash commands, one of memento's, or any slash command without
// arguments. The arguments of a plugin's or a skill's command are the person's words.
func IsCommand(s string) bool {
	if !strings.HasPrefix(s, "/") {
		return false
	}
	name, args, _ := strings.Cut(s[1:], " ")
	if name == "" || strings.ContainsAny(name, "/.\n") {
		return false
	}
	return strings.TrimSpace(args) == "" || strings.HasPrefix(name, ownCommand) ||
		text.OneOf(name, "add-dir", "agents", "compact", "config", "context", "cost", "doctor", "effort", "exit", "export",
			"help",
			"hooks", "ide", "login", "logout", "mcp", "memory", "model", "output-style", "permissions", "plugin",
			"rename", "resume", "rewind", "status", "statusline", "tasks", "theme", "usage", "vim")
}
