package hook

import (
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/session"
)

// deed tells Claude, with a tool's result, the kept rule that the call concerns, each rule once a session. The hook
// runs before each call of these tools, so it holds no session and writes nothing unless it tells one. The client hands
// the words on with the result (measured on clients 2.1.9, 2.1.61, 2.1.139 and 2.1.330).
func (h *handler) deed() []byte {
	about, least := capture.About(h.event.ToolName, h.event.ToolInput)
	if len(about) == 0 || h.config.MaxInject < 1 || h.event.AgentID != "" {
		return nil
	}
	st, err := session.Load(h.config.Dir, h.event.SessionID)
	lane, known := project.LaneNamed(h.config.Dir, st.Lane)
	if err != nil || !known {
		return nil
	}
	isTold := func(r rule.Rule) bool {
		return r.Session == h.event.SessionID || st.WasBrought(ruleID(r), ruleTold)
	}
	r, found := h.rules().Naming(lane.Slug, about, least, isTold)
	if !found || h.bind() != nil || h.state.WasBrought(ruleID(r), ruleTold) {
		return nil
	}
	h.state.Bring(ruleID(r), ruleTold)
	words := "[MEMENTO] " + rulesLabel + quoteRule(r, h.env.Now)
	h.store.Injected(h.event.SessionID, h.event.Name, words)
	return event.Context(h.event.Name, words)
}
