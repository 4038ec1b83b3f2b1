// Package skills holds what Claude reads about memento: memento/SKILL.md, which the plugin ships as a file and
// `memento install` writes out for those who run without the plugin.
//
// Only skills live here, as text: facts in the third person, never orders, since text that commands from outside the
// conversation can trip the model's injection defences. What a skill says a command does is held true by that command's tests.
package skills

import _ "embed" // for Memento

// Memento is memento/SKILL.md, byte for byte, front matter included. It is at most 120 lines: the whole of it enters the
// model's context each time the skill is used.
//
//go:embed memento/SKILL.md
var Memento string
