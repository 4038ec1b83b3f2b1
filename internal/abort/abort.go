// Package abort keeps a hook from ending with exit code 2 when Go's runtime gives up: no memory, no thread, a deadlock.
// The client takes exit code 2 as an order to erase the user's prompt. It takes a hook that dies of SIGABRT as a plain
// error, and the prompt goes through (measured on clients 2.1.329 and 2.1.330).
//
// An import of the package is enough. The package itself imports very little, so that Go initialises it early: before
// that moment the runtime still ends with 2. Nothing else may come in.
package abort

import (
	"os"
	"runtime/debug"
)

func init() {
	if !isHook(os.Args, os.Getenv) {
		return // a person wants the traceback, and no client reads the exit code
	}
	debug.SetTraceback("crash")
	leaveNoTrace()
}

// Hooked reports whether this is the environment of a hook, and not that of a tool. Clients before 2.1.139 leave out a
// hook's args and set CLAUDE_PROJECT_DIR; Codex does, too, and sets CLAUDE_PLUGIN_ROOT for a plugin (0.169.0).
func Hooked(getenv func(string) string) bool {
	return getenv("CLAUDE_PROJECT_DIR") != "" || getenv("CLAUDE_PLUGIN_ROOT") != ""
}

// isHook reports whether the client runs this process for an event; one that ignores "args" gives it no arguments.
func isHook(args []string, getenv func(string) string) bool {
	return len(args) > 1 && args[1] == "hook" || len(args) == 1 && Hooked(getenv)
}
