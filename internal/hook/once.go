package hook

import "github.com/mementohq/memento/internal/text"

// first reports whether this process is the one that answers the event, and notes that it does: memento may be
// installed twice (see session.Handled). Each process answers an event whose payload does not tell it from the next one
// of its kind.
//
// Some events do not ask. Stop, SubagentStop and SessionEnd say nothing and change nothing a second time. PreToolUse
// and PermissionRequest allow the same commands in each process. Of two rewritten commands the client takes the last
// (measured on client 2.1.329), and either runs a binary of the person's own.
func (h *handler) first() bool {
	e, pid := h.event, h.env.Getenv("CLAUDE_PID")
	begins := e.Name == "SessionStart" && e.Source != "compact" && pid != "" // once in a client
	if e.PromptID == "" && e.AgentID == "" && !begins {
		return true
	}
	return h.state.First(text.Fingerprint(e.Name, pid, e.PromptID, e.AgentID, e.Source, e.Trigger), h.env.Now)
}
