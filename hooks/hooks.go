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
//   - The `if` on PreToolUse: the client starts the hook only for lines with a part that has `memento ` in it. This is
//     a filter and no boundary: `memento done x && touch pwned` passes. Package internal/permit judges the command.
//     Without the first star the client leaves out `/path/to/memento x`, `env memento x` and `sh -c "memento x"`; with
//     it, only text that it does not take for a command, such as that of a here-document, or that does not hold the
//     name (clients 2.1.100, 2.1.139 and 2.1.330).
//   - An `if` for PowerShell, the only shell of a client on Windows without Git Bash. The client has PowerShell split the
//     line; if PowerShell cannot, every hook runs. A first star was not tried there.
//   - Both PreToolUse and PermissionRequest: the latter never comes in the modes auto, plan and dontAsk.
package hooks

import _ "embed" // for JSON

// JSON is hooks.json, byte for byte; no caller may change it. The linker places it, so a hook's start pays nothing.
//
//go:embed hooks.json
var JSON []byte
