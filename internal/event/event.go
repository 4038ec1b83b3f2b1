// Package event has the wire types between the client and memento: one hook event in, one response out. It parses and
// prints; decisions may not come in.
package event

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
)

// Event is the message that the client sends a hook on standard input. A field is "" when the event does not have it.
// Which event has which field was measured on client 2.1.329.
type Event struct {
	Name           string // hook_event_name
	SessionID      string
	TranscriptPath string // may name a file that does not exist yet
	Cwd            string
	PermissionMode string
	PromptID       string // changes with every prompt and every /compact; "" before the first
	AgentID        string // set for calls made by a subagent, which shares its parent's session id
	AgentType      string // SubagentStart, SubagentStop: "" for the client's own summariser
	AgentFile      string // SubagentStop: agent_transcript_path
	LastMessage    string // Stop, SubagentStop: last_assistant_message

	Source  string // SessionStart: startup, resume, clear, compact, fork
	Reason  string // SessionEnd: clear, other, …
	Trigger string // PreCompact: manual, auto
	Prompt  string // UserPromptSubmit

	ToolName  string // PreToolUse, PermissionRequest
	ToolInput string // the same: the raw JSON object
}

// MaxInput is the largest event that is read, in bytes. The prompt of a larger one still reaches the transcript.
const MaxInput = 8 << 20

// maxDepth bounds the nesting of an event before a recursive parser sees it: a stack overflow ends the process with
// exit code 2, by which the client blocks the user's prompt.
const maxDepth = 128

var (
	// ErrTooLarge says that the event exceeds MaxInput.
	ErrTooLarge = errors.New("event is too large")
	// ErrMalformed says that the event is not a JSON object.
	ErrMalformed = errors.New("event is not a JSON object")
)

// Read reads one event from r. Its errors are ErrTooLarge, ErrMalformed and those of r. After ErrTooLarge, r is
// drained, so that the writer sees no broken pipe. A field of the wrong type counts as missing.
func Read(r io.Reader) (Event, error) {
	data, err := readAll(io.LimitReader(r, MaxInput+1))
	if err != nil {
		return Event{}, fmt.Errorf("reading the event: %w", err)
	}
	if len(data) > MaxInput {
		_, _ = io.Copy(io.Discard, io.LimitReader(r, 1<<30))
		return Event{}, ErrTooLarge
	}
	return Parse(data)
}

// readAll reads r to its end. A long event gets a buffer for the largest one at once: memory costs nothing until it is
// written to, and growing in steps would copy a long prompt ten times.
func readAll(r io.Reader) ([]byte, error) {
	var data bytes.Buffer
	_, err := io.CopyN(&data, r, 64<<10)
	if err == nil {
		data.Grow(MaxInput)
		_, err = data.ReadFrom(r)
	} else if err == io.EOF {
		err = nil
	}
	return data.Bytes(), err
}

// Parse reads one event from data; see Read.
func Parse(data []byte) (Event, error) {
	root, ok := jsonx.Parse(data, maxDepth)
	if !ok {
		return Event{}, ErrMalformed
	}
	var e Event
	texts := map[string]*string{
		"hook_event_name": &e.Name, "session_id": &e.SessionID, "transcript_path": &e.TranscriptPath, "cwd": &e.Cwd,
		"permission_mode": &e.PermissionMode, "prompt_id": &e.PromptID, "agent_id": &e.AgentID,
		"agent_type": &e.AgentType, "agent_transcript_path": &e.AgentFile, "last_assistant_message": &e.LastMessage,
		"source": &e.Source, "reason": &e.Reason, "trigger": &e.Trigger, "prompt": &e.Prompt, "tool_name": &e.ToolName,
	}
	root.ForEach(func(key, value gjson.Result) bool {
		if to := texts[key.Str]; to != nil && value.Type == gjson.String {
			*to = value.Str
		}
		if key.Str == "tool_input" && value.IsObject() {
			e.ToolInput = value.Raw
		}
		return true
	})
	return e, nil
}
