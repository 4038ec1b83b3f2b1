package capture

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"
)

// How much of a command is looked at, in bytes, and how many of its words.
const (
	maxLine  = 4 << 10
	maxNamed = 2
)

// About returns the words that say what a call is about: the programs of a command, and what each is told to do, or the
// name of a file. least is how many of them another text must share to be about the same thing. Commands that only look
// are about nothing.
func About(tool, input string) (words []string, least int) {
	switch tool {
	case "Bash", "PowerShell":
		line := gjson.Get(input, "command").String()
		for _, command := range parseCommand(line[:min(len(line), maxLine)]).commands {
			if program := programOf(command); !looks(program) {
				words = append(words, program)
				words = append(words, named(command[1:])...)
			}
		}
		return words, 1
	case "Edit", "Write", "MultiEdit":
		name := filepath.ToSlash(gjson.Get(input, "file_path").String())
		base := path.Base(name)
		parts := strings.FieldsFunc(strings.TrimSuffix(base, path.Ext(base)), func(r rune) bool {
			return strings.ContainsRune("-_. ", r)
		})
		return append(parts, base, path.Base(path.Dir(name))), 2
	}
	return nil, 0
}

// named returns the first words of a command's arguments that are names: no options, paths or values.
func named(args []string) (out []string) {
	for _, a := range args {
		plain := strings.Trim(strings.ToLower(a), "abcdefghijklmnopqrstuvwxyz-:") == ""
		if plain && a != "" && a[0] != '-' && len(out) < maxNamed {
			out = append(out, strings.ReplaceAll(a, ":", " "))
		}
	}
	return out
}
