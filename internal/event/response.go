package event

import (
	"github.com/tidwall/pretty"

	"github.com/mementohq/memento/internal/jsonx"
)

// MaxOutput is the most characters that a response may put before the model. The client replaces more than 10,000 by a
// preview and a file path (measured on client 2.1.329).
const MaxOutput = 9000

// Context returns the response of the event called name that puts text before the model.
func Context(name, text string) []byte {
	return object(name, `,"additionalContext":`, jsonx.Quote(text))
}

// AddMessage returns a response that also shows message to the person. response is a JSON object, or nil for none.
func AddMessage(response []byte, message string) []byte {
	out := append([]byte(`{"systemMessage":`), jsonx.Quote(message)...)
	if len(response) == 0 {
		return append(out, "}\n"...)
	}
	return append(append(out, ','), response[1:]...)
}

// AllowTool answers PreToolUse: the call runs without a dialog, with input (a raw JSON object) in place of its own.
func AllowTool(input string) []byte {
	return object("PreToolUse",
		`,"permissionDecision":"allow","permissionDecisionReason":"memento keeps its own journal","updatedInput":`,
		oneLine(input))
}

// AskTool answers PreToolUse: the client asks the person, in every permission mode.
func AskTool() []byte {
	return object("PreToolUse", `,"permissionDecision":"ask","permissionDecisionReason":`,
		`"memento leaves this command to you"`)
}

// AllowRequest answers PermissionRequest: the call is approved; input, when not "", replaces its own.
func AllowRequest(input string) []byte {
	decision := `{"behavior":"allow"`
	if input != "" {
		decision += `,"updatedInput":` + oneLine(input)
	}
	return object("PermissionRequest", `,"decision":`, decision+"}")
}

func object(name, key, value string) []byte {
	return []byte(`{"hookSpecificOutput":{"hookEventName":` + jsonx.Quote(name) + key + value + "}}\n")
}

// oneLine returns raw JSON without line ends between its values: a response is one line.
func oneLine(raw string) string { return string(pretty.Ugly([]byte(raw))) }
