// Package hooks holds hooks.json, the list of events that memento is wired to. Claude Code loads the file from the
// plugin, and `memento install` writes its hooks into a person's settings.json.
//
// Only that file belongs here. Package internal/hook does what a hook does; internal/settings edits settings.json.
//
// The rules of hooks.json, and why (measured on client 2.1.329):
//   - Only events that every supported client knows: client 2.0.30 drops the whole file because of an unknown one.
//   - Exec form, command plus args: the client starts no shell, so a path may hold spaces, and a hook is a millisecond
//     faster. Clients before 2.1.139 run the command in a shell, without args, and those up to 2.1.78 ignore the `if`:
//     memento without arguments answers the event too.
//   - A timeout of 5 seconds on every entry: the client's own is 600, and a person waits that long.
//   - PreToolUse without an `if` for the tools that change something: beside a call, Claude is told the rule that it
//     concerns. Which commands of memento's may run unasked is judged by package internal/permit: an `if` is no
//     boundary, `memento done x && touch pwned` passes it. PowerShell is the only shell of a client on Windows without
//     Git Bash.
//   - Both PreToolUse and PermissionRequest: the latter never comes in the modes auto, plan and dontAsk.
package hooks

import _ "embed" // for JSON

// JSON is hooks.json, byte for byte; no caller may change it. The linker places it, so a hook's start pays nothing.
//
//go:embed hooks.json
var JSON []byte
