// Package skills holds what Claude reads about memento: memento/SKILL.md, the skill, and beside it the slash commands
// that a person types. The plugin ships them as files; `memento install` writes them out for those who run without the
// plugin.
//
// Only skills live here, as text: facts in the third person, never orders, since text that commands from outside the
// conversation can trip the model's injection defences. What a skill says a command does is held true by that command's
// tests.
package skills

import _ "embed" // for the texts

// Memento is memento/SKILL.md, byte for byte, front matter included. It is at most 120 lines: the whole of it enters
// the model's context each time the skill is used.
//
//go:embed memento/SKILL.md
var Memento string

//go:embed remember/SKILL.md
var remember string

//go:embed recall/SKILL.md
var recall string

//go:embed handoff/SKILL.md
var handoff string

//go:embed rules/SKILL.md
var rules string

//go:embed status/SKILL.md
var status string

// Command is a slash command, /memento:NAME. Only a person invokes it, so that it takes no room in anybody's context
// until then.
type Command struct{ Name, Text string }

// Commands are the slash commands, as the files beside this one have them.
func Commands() []Command {
	return []Command{{"remember", remember}, {"recall", recall}, {"handoff", handoff}, {"rules", rules},
		{"status", status}}
}
