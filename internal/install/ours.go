package install

import (
	"strings"

	"github.com/mementohq/memento/internal/settings"
)

// Ours reports whether h runs memento's hook and nothing else: the program memento with the one argument "hook", or the same
// as a line for the shell, with or without what keeps such a line quiet. Any path will do, so that a binary that moved is
// still known.
func Ours(h settings.Hook) bool {
	if h.Args != nil {
		return len(h.Args) == 1 && h.Args[0] == "hook" && isMemento(h.Command)
	}
	line := quiet(h.Command)
	words, ok := split(line)
	if ok && len(words) == 3 && words[0] == "exec" {
		words = words[1:]
	}
	if ok && len(words) == 2 && words[1] == "hook" && isMemento(words[0]) {
		return true
	}
	// On Windows the backslashes of a path are no escapes, and the program may stand unquoted.
	head, ok := strings.CutSuffix(line, " hook")
	head = strings.Trim(head, `" `)
	return ok && len(head) > 3 && head[1:3] == `:\` && !strings.ContainsAny(head, `"';&|<>`) && isMemento(head)
}

// quiet returns a line for the shell without the ends that only see to its silence and its exit code.
func quiet(line string) string {
	for {
		short := strings.TrimRight(line, " \t")
		for _, end := range []string{"2>/dev/null", "exit 0", "true", ":"} {
			rest, ok := strings.CutSuffix(short, end)
			if !ok {
				continue
			}
			rest = strings.TrimRight(rest, " \t")
			if end != "2>/dev/null" {
				if cut, ok := strings.CutSuffix(rest, "||"); ok {
					rest = cut
				} else if cut, ok := strings.CutSuffix(rest, ";"); ok {
					rest = cut
				} else {
					continue
				}
			}
			short = rest
			break
		}
		if short == line {
			return line
		}
		line = short
	}
}

func isMemento(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	return base == "memento" || strings.EqualFold(base, "memento.exe")
}

// split cuts one simple shell command into words, leaving variables as they are. It reports false for anything
// that does more than run one program.
func split(line string) (words []string, ok bool) {
	var word strings.Builder
	open, quote := false, byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\t'):
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
			continue
		case quote == 0 && strings.IndexByte("\n;&|<>()#*?", c) >= 0,
			quote != '\'' && (c == '`' || strings.HasPrefix(line[i:], "$(")):
			return nil, false
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		case quote != '\'' && c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
		default:
			word.WriteByte(c)
		}
		open = true
	}
	if open {
		words = append(words, word.String())
	}
	return words, quote == 0
}
