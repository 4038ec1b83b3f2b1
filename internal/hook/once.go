package hook

import (
	"strconv"
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
	e := h.event
	// hooks in settings have no root: two of them that run one binary count as one
	m := session.Moment{By: text.Fingerprint(h.env.Getenv("CLAUDE_PLUGIN_ROOT"), h.env.exe())}
	pid := h.env.Getenv("CLAUDE_PID")
	prompt := ""
	// which fields tell two events apart was measured on client 2.1.329
	switch {
	case e.Name == "UserPromptSubmit" && e.PromptID != "", e.Name == "SubagentStart" && e.AgentID != "":
		m.Single = session.Together
	case e.Name == "UserPromptSubmit":
		whole := transcript.Clean(e.Prompt)
		seen := sentence.Ends(whole)
		if prompt = redact.Clean(seen); len(seen) < len(whole) { // its ends and its length stand for it
			prompt += strconv.Itoa(len(whole))
		}
	case e.Name == "PreCompact" && e.PromptID != "",
		e.Name == "SessionStart" && e.Source == "compact" && e.PromptID != "",
		e.Name == "SessionStart" && e.Source != "compact" && pid != "":
		m.Single = time.Second // a compaction takes a model's answer, and no session begins twice in one client
	}
	m.Key, m.Aside = text.Fingerprint(e.Name, pid, e.PromptID, e.AgentID, e.Source, e.Trigger, prompt),
		e.Name == "SubagentStart"
	return h.state.First(m, h.env.Now)
}
