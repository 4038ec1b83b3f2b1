package install

import (
	"strings"

	"github.com/mementohq/memento/internal/settings"
)

// isOurs reports whether h runs memento's hook and nothing else: the program memento with the one argument "hook", or
// the same as a line for the shell, with or without what keeps such a line quiet. Any path will do, so that a binary
// that moved is still known.
func isOurs(h settings.Hook) bool {
	if h.Args != nil {
		return len(h.Args) == 1 && h.Args[0] == "hook" && isMemento(h.Command)
	}
	line, ok := strings.CutSuffix(quiet(h.Command), "hook")
	word := strings.Trim(line, " \t")
	if before, with := strings.CutPrefix(word, "exec "); with {
		word = strings.TrimLeft(before, " \t")
	}
	return ok && strings.TrimRight(line, " \t") != line && isOneWord(word) && isMemento(strings.TrimRight(word, `"'`))
}

// quiet returns a line for the shell without the ends that only see to its silence and its exit code.
func quiet(line string) string {
	for {
		short := strings.TrimRight(line, " \t")
		line = strings.TrimSuffix(short, "2>/dev/null")
		for _, end := range []string{"exit 0", "true", ":"} {
			rest, ok := strings.CutSuffix(short, end)
			rest = strings.TrimRight(rest, " \t")
			for _, join := range []string{"||", ";"} {
				if before, joined := strings.CutSuffix(rest, join); ok && joined {
					line = before
				}
			}
		}
		if line == short {
			return line
		}
	}
}

func isMemento(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	return base == "memento" || strings.EqualFold(base, "memento.exe")
}

// isOneWord reports whether a shell takes s for one word that runs nothing: quoted or not, with variables, and with the
// backslashes of Windows.
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
