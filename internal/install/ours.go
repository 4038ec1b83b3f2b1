package install

import (
	"strings"

	"github.com/mementohq/memento/internal/settings"
)

// isOurs reports whether h runs memento's hook and nothing else. The program is called memento and its only argument is
// "hook". The same as a line for the shell counts too, with the quiet ending of the scope project or without it. The
// folder does not matter, so that the hooks of a binary that moved are still known.
func isOurs(h settings.Hook) bool {
	if h.Args != nil {
		return len(h.Args) == 1 && h.Args[0] == "hook" && isMemento(h.Command)
	}
	line := strings.TrimSuffix(strings.TrimRight(h.Command, " \t"), quietEnd)
	program, ok := strings.CutSuffix(line, "hook")
	word := strings.Trim(program, " \t")
	return ok && strings.TrimRight(program, " \t") != program && isOneWord(word) &&
		isMemento(strings.TrimRight(word, `"'`))
}

func isMemento(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	return base == "memento" || strings.EqualFold(base, "memento.exe")
}

// isOneWord reports whether a shell takes s for one word and runs nothing in it. The word may be quoted, hold
// variables, or hold the backslashes of Windows.
func isOneWord(s string) bool {
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '`' || strings.HasPrefix(s[i:], "$("):
			return false
		case c == '\\' && quote != '\'':
			i++
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		case quote == 0 && strings.IndexByte(" \t\n;&|<>()#*?", c) >= 0:
			return false
		}
	}
	return quote == 0
}
