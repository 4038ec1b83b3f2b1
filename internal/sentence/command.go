package sentence

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// ownCommand is how the names of memento's slash commands begin.
const ownCommand = "memento:"

// IsCommand reports whether s is a command of the client's own, or any with nothing behind it. What is typed behind a
// plugin's or a skill's is typed; behind memento's own it is for memento, and asks for no work.
func IsCommand(s string) bool {
	if !strings.HasPrefix(s, "/") {
		return false
	}
	name, args, _ := strings.Cut(s[1:], " ")
	if name == "" || strings.ContainsAny(name, "/.\n") {
		return false
	}
	return strings.TrimSpace(args) == "" || strings.HasPrefix(name, ownCommand) ||
		text.OneOf(name, "add-dir", "agents", "compact", "config", "context", "cost", "doctor", "exit", "export",
			"help",
			"hooks", "ide", "login", "logout", "mcp", "memory", "model", "output-style", "permissions", "plugin",
			"rename", "resume", "rewind", "status", "statusline", "tasks", "theme", "usage", "vim")
}
