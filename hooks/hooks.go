// Package hooks is the list of events memento is wired to, in the one file that states it: hooks.json, as Claude Code
// loads it from the plugin and as `memento install` writes it into a person's settings.json.
//
// Nothing but that file belongs here. What a hook does is internal/hook; how settings.json is edited is
// internal/settings.
//
// What hooks.json holds to, and why (measured on client 2.1.329):
//   - events that every supported client knows: one that a client does not know makes it drop the whole file (client
//     2.0.30);
//   - exec form (command plus args): no shell is started, so a space in a path needs no quoting and a millisecond is
//     saved. Clients before 2.1.139 run the command in a shell, without args, and those up to 2.1.78 ignore the `if`:
//     memento alone answers the event too;
//   - a timeout of 5 seconds on every entry: the client's own default is 600, during which a person waits;
//   - the `if` on PreToolUse: the client starts the hook only for commands that look like ours. It is a filter, not a
//     boundary: `memento done x && touch pwned` passes it, and internal/permit is what judges the command;
//   - the same for PowerShell, the only shell of a client on Windows without Git Bash. It is the client that has
//     PowerShell split the line for the `if`; of one that it cannot split, every hook is told;
//   - both PreToolUse and PermissionRequest: the latter never fires in the modes auto, plan and dontAsk.
package hooks

import _ "embed" // for JSON

// JSON is hooks.json, byte for byte; nobody may change it. The linker places it, so it costs a hook's start-up nothing.
//
//go:embed hooks.json
var JSON []byte
