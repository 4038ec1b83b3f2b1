// Package event holds the wire types between the client and memento: one hook event in, one response out. It parses
// and prints, and decides nothing.
package event

import (
	"errors"
	"fmt"
	"io"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/jsonx"
)

// Event is what the client sends a hook on standard input. Fields the event does not carry are "". The names and
// their presence were measured on client 2.1.329.
type Event struct {
	Name           string // hook_event_name
	SessionID      string
	TranscriptPath string // may name a file that does not exist yet
	Cwd            string
	PermissionMode string
	PromptID       string // of the prompt in hand: new with every one, and with every /compact; none before the first
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

// MaxInput is how much of standard input is read, in bytes. A larger event (a pasted disk image) is none of memento's
// business; what was typed with it still reaches the transcript.
const MaxInput = 8 << 20

// maxDepth bounds nesting before anything recursive sees the input: a parser that overflows its stack ends the
// process with exit code 2, which the client takes as an order to block the user.
const maxDepth = 128

var (
	// ErrTooLarge is the reason when the event exceeds MaxInput.
	ErrTooLarge = errors.New("event is too large")
	// ErrMalformed is the reason when the event is not a JSON object.
	ErrMalformed = errors.New("event is not a JSON object")
)

// Read reads one event from r. Errors: ErrTooLarge (the rest of r has been drained, so that the writer sees no broken
// pipe), ErrMalformed, or what r said. A field of the wrong type reads as absent.
func Read(r io.Reader) (Event, error) {
	data, err := readAll(r)
	if err != nil {
		return Event{}, fmt.Errorf("reading the event: %w", err)
	}
	if len(data) > MaxInput {
		_, _ = io.Copy(io.Discard, io.LimitReader(r, 1<<30))
		return Event{}, ErrTooLarge
	}
	return Parse(data)
}

// readAll reads at most one byte more than MaxInput. What is longer than most events gets all the room there may be at
// once: memory that nothing is written to costs nothing, and growing step by step copies a long prompt ten times.
func readAll(r io.Reader) ([]byte, error) {
	data := make([]byte, 0, 4<<10)
	for {
		if len(data) == cap(data) {
			room := 64 << 10
			if len(data) >= room {
				room = MaxInput + 1
			}
			data = append(make([]byte, 0, room), data...)
		}
		n, err := r.Read(data[len(data):cap(data)])
		switch data = data[:len(data)+n]; {
		case err == io.EOF || len(data) > MaxInput:
			return data, nil
		case err != nil:
			return nil, err
		}
	}
}

// Parse reads one event from data; see Read.
func Parse(data []byte) (Event, error) {
	if !jsonx.Valid(data, maxDepth) {
		return Event{}, ErrMalformed
	}
	root := gjson.ParseBytes(data)
	if !root.IsObject() {
		return Event{}, ErrMalformed
	}
	var e Event
	root.ForEach(func(key, value gjson.Result) bool {
		var to *string
		switch key.Str {
		case "hook_event_name":
			to = &e.Name
		case "session_id":
			to = &e.SessionID
		case "transcript_path":
			to = &e.TranscriptPath
		case "cwd":
			to = &e.Cwd
		case "permission_mode":
			to = &e.PermissionMode
		case "prompt_id":
			to = &e.PromptID
		case "agent_id":
			to = &e.AgentID
		case "agent_type":
			to = &e.AgentType
		case "agent_transcript_path":
			to = &e.AgentFile
		case "last_assistant_message":
			to = &e.LastMessage
		case "source":
			to = &e.Source
		case "reason":
			to = &e.Reason
		case "trigger":
			to = &e.Trigger
		case "prompt":
			to = &e.Prompt
		case "tool_name":
			to = &e.ToolName
		case "tool_input":
			if value.IsObject() {
				e.ToolInput = value.Raw
			}
		}
		if to != nil && value.Type == gjson.String {
			*to = value.Str
		}
		return true
	})
	return e, nil
}
