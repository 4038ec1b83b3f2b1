// Package abort keeps a hook from ending with exit code 2 when Go's runtime gives up: out of memory, no thread to be
// had, a deadlock. The client takes 2 for an order to erase the user's prompt; a hook that dies of SIGABRT it takes for
// a plain error, and the prompt goes through (measured on clients 2.1.329 and 2.1.330).
//
// The package works by being imported. It imports next to nothing, so that Go initialises it early: before it runs, the
// runtime still ends with 2. Nothing else may come in.
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

// isHook reports whether the client runs this process for an event. A client that ignores "args" runs it without
// arguments.
func isHook(args []string, getenv func(string) string) bool {
	return len(args) > 1 && args[1] == "hook" || len(args) == 1 && getenv("CLAUDE_PROJECT_DIR") != ""
}
