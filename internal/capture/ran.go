package capture

import (
	"strings"

	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/work"
)

// wasRun reports whether the call c was carried out to its end, given its answer r: everything that a tool did is asked
// here first. A call that the client, a hook, a rule or the person refused did nothing; a command that was stopped came
// to nothing that could be told. Of the tools only a shell's fail after they have run.
func wasRun(c work.Call, r transcript.Result) bool {
	switch {
	case !r.Failed:
		return !r.Interrupted()
	case r.Denied || !shellTool(c.Name):
		return false
	}
	words := r.Text()
	switch extra := r.Extra(); {
	case strings.HasPrefix(words, exitCode): // so the client reports what a command came to (clients 2.0 to 2.1)
		return true
	case extra.Exists():
		return extra.IsObject() // a command's output; of a call that was refused, the client notes the reason alone
	}
	for _, s := range refusal {
		if strings.Contains(words[:min(len(words), 400)], s) {
			return false
		}
	}
	return true
}

// exitCode is how the answer of a command that failed begins.
const exitCode = "Exit code "

// refusal are words of answers that say that a call was not carried out, for answers with nothing else beside them that
// does.
var refusal = [...]string{"<tool_use_error>", "No such tool available", "InputValidationError",
	"Sibling tool call errored", "Cancelled: parallel tool call",
	"doesn't want to proceed", "doesn't want to take this action", "Request interrupted", "requires approval",
	"needs approval", "ermission to use ", "requested permissions",
	"Permission for this action", "Permission for this tool use", "was blocked", "BLOCKED", "PreToolUse:",
	"Command running in background"}

// shellTool reports whether the tool of this name runs commands.
func shellTool(name string) bool { return name == "Bash" || name == "PowerShell" }
