package capture

import (
	"strings"

	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/work"
)

// wasRun reports whether the call c with the answer r was carried out to its end. A call that the client, a hook, a
// rule or the person refused was not, and neither was a command that was stopped or goes on in the background. Only
// the tools of a shell can run and fail.
func wasRun(c work.Call, r transcript.Result) bool {
	switch {
	case !r.Failed:
		return !r.Interrupted() && !r.GoesOn()
	case r.Denied || !shellTool(c.Name):
		return false
	}
	words := r.Text()
	switch extra := r.Extra(); {
	case strings.HasPrefix(words, exitCode): // the client's report of a failed command (clients 2.0 to 2.1)
		return true
	case extra.Exists():
		return extra.IsObject() // the output of a command; a refused call has a string with the reason
	}
	return !text.ContainsOne(words[:min(len(words), 400)], refusalWords[:]...)
}

// exitCode begins the answer of a command that failed.
const exitCode = "Exit code "

// refusalWords stand in answers of calls that were not carried out. They count when no field of the answer says more.
var refusalWords = [...]string{"<tool_use_error>", "No such tool available", "InputValidationError",
	"Sibling tool call errored", "Cancelled: parallel tool call",
	"doesn't want to proceed", "doesn't want to take this action", "Request interrupted", "requires approval",
	"needs approval", "ermission to use ", "requested permissions",
	"Permission for this action", "Permission for this tool use", "was blocked", "BLOCKED", "PreToolUse:",
	"Command running in background"}

// shellTool reports whether the tool of this name runs commands.
func shellTool(name string) bool { return name == "Bash" || name == "PowerShell" }
