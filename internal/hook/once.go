package hook

import (
	"time"

	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// first reports whether this process is the one that answers the event, and notes that it does: memento may be
// installed twice (see session.Handled). In a session without an id, which has no memory, each process answers.
//
// Some events do not ask. Stop, SubagentStop and SessionEnd say nothing and change nothing a second time. PreToolUse
// and PermissionRequest allow the same commands in each process. Of two rewritten commands the client takes the last
// (measured on client 2.1.329), and either runs a binary of the person's own.
func (h *handler) first() bool {
	if h.session == nil {
		return true
	}
	e, pid := h.event, h.env.Getenv("CLAUDE_PID")
	// hooks in settings have no root: two of them that run one binary count as one
	by := text.Fingerprint(h.env.Getenv("CLAUDE_PLUGIN_ROOT"), h.env.exe())
	prompt := ""
	if e.PromptID == "" { // its ends stand for it
		prompt = redact.Clean(sentence.Ends(transcript.Clean(e.Prompt)))
	}
	// which fields tell two events apart was measured on client 2.1.329
	var single time.Duration
	switch {
	case e.Name == "UserPromptSubmit" && e.PromptID != "", e.AgentID != "":
		single = session.Together
	case e.Name == "SessionStart" && e.Source != "compact" && pid != "":
		single = 300 * time.Millisecond // no session begins twice in one client so fast
	}
	key := text.Fingerprint(e.Name, pid, e.PromptID, e.AgentID, e.Source, e.Trigger, prompt)
	return h.state.First(key, by, single, h.env.Now)
}
