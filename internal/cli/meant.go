package cli

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
)

// unknownCommand is the error for a first word that is not a command.
func unknownCommand(name string) error {
	if strings.HasPrefix(name, "-") {
		return usage("memento help", "a command comes first, and then %q", name)
	}
	return usage(suggestion(name), "unknown command %q", name)
}

// suggestion returns the hint for an unknown command: the command that the user probably meant.
func suggestion(name string) string {
	var names []string
	for _, c := range public() {
		names = append(names, c.name)
	}
	if near := text.Nearest(name, names); near != "" {
		return "did you mean \"memento " + near + "\"?"
	}
	return "memento help"
}

// oneOf returns the hint for a word that is not in known: it lists known, after the one that the user probably meant.
func oneOf(word string, known []string) string {
	hint := "one of " + strings.Join(known, ", ")
	if near := text.Nearest(word, known); near != "" {
		hint = "did you mean " + near + "? It is " + hint
	}
	return hint
}
