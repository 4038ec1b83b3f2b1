package hook

import (
	"strings"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
)

// asideBudget is what a subagent is told at most, in tokens: it has a task of its own.
const asideBudget = 120

// subagentStart tells a subagent the mission it works for, the user's rules, and what records there are.
func (h *handler) subagentStart() []byte {
	if h.bind() != nil || !h.first() {
		return nil
	}
	h.catchUp(capture.TrustPrompt)
	records := h.catalogue()
	words := ""
	if j := h.read(); j != nil && j.Session != "" && j.Session == h.event.SessionID {
		words = j.Aside(asideBudget - (text.Quarters(records)+4)/4)
	}
	if words == "" && records != "" {
		records = "[MEMENTO] " + records
	}
	words = withLine(words, records)
	if words == "" {
		return nil
	}
	h.store.Injected("SubagentStart", words)
	return event.Context("SubagentStart", words)
}

// subagentStop keeps what a subagent answered. An event that names no type of agent is the client's own summariser
// (measured on client 2.1.329).
func (h *handler) subagentStop() {
	words := strings.TrimSpace(text.Private(redact.Clean(h.event.LastMessage)))
	if h.event.AgentType == "" || words == "" || h.bind() != nil || h.state.Reported(h.event.AgentID, words) {
		return
	}
	h.keepSubagent(words)
	if _, err := h.store.Update(func(j *journal.Journal) error {
		j.Report(h.event.SessionID, h.event.AgentID, h.event.AgentType, words)
		return nil
	}); err == nil {
		h.state.Report(h.event.AgentID, words)
	}
}
