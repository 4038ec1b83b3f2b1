package hook

import (
	"errors"
	"math"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
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
//
// Many subagents may end at one moment, and only one process at a time holds the session. A process that does not get
// it leaves its report in a file; one that got it looks for such files once more after it has let go, so that none
// stays behind.
func (h *handler) subagentStop() {
	r := session.Report{
		Session: h.event.SessionID, Agent: h.event.AgentID, Type: h.event.AgentType, File: h.event.AgentFile, At: h.env.Now,
		Words: strings.TrimSpace(text.Private(redact.Clean(h.event.LastMessage))),
	}
	if r.Type == "" || r.Words == "" {
		return
	}
	if h.bind() == nil {
		h.keepReports(r)
	} else {
		st, _ := session.Load(h.config.Dir, r.Session) // unknown, it has no lane yet
		r.Lane = st.Lane
		_ = r.Leave(h.config.Dir)
	}
	for waiting := math.MaxInt; r.Session != ""; {
		if h.session != nil {
			_ = h.session.Save()
			h.session = nil
		}
		before := waiting
		if waiting = len(session.Reports(h.config.Dir, r.Session)); waiting == 0 || waiting >= before || h.bind() != nil {
			return
		}
		h.keepReports()
	}
}

// maxReports is how many reports that were left one event keeps: so many take about as long as a hook may.
const maxReports = 64

// keepReports keeps these reports, and those that were left for the session: as a record each, and in the history. What
// another process keeps from being written is left for the next event.
func (h *handler) keepReports(all ...session.Report) {
	if h.session != nil {
		all = append(all, session.Reports(h.config.Dir, h.session.ID)...)
	}
	if len(all) == 0 {
		return
	}
	all = all[:min(len(all), maxReports)]
	leave := func(r session.Report) {
		if r.Lane = h.store.Lane.Name; !r.Left() {
			_ = r.Leave(h.config.Dir)
		}
	}
	marks := make([]string, len(all))
	for i, r := range all {
		marks[i] = r.Mark()
	}
	if _, err := h.store.Update(func(j *journal.Journal) error {
		for i, r := range all {
			if !h.state.Reported(marks[i]) {
				j.Report(r.At, r.Session, r.Agent, r.Type, r.Words)
			}
		}
		return nil
	}); err != nil {
		for _, r := range all {
			leave(r)
		}
		return
	}
	for i, r := range all {
		known := h.state.Reported(marks[i])
		if !known {
			h.state.Report(marks[i])
		}
		if (!known || r.Left()) && errors.Is(h.keepSubagent(r), safefile.ErrBusy) {
			leave(r)
			continue
		}
		r.Done()
	}
}

// keepForeignReports keeps what was left for sessions that have sent no event for a day since.
func (h *handler) keepForeignReports() {
	for _, r := range session.Reports(h.config.Dir, "") {
		if r.Session == h.event.SessionID || h.env.Now.Sub(r.At) < leftFor {
			continue
		}
		s, err := session.Open(h.config.Dir, r.Session, wait)
		if err != nil {
			continue
		}
		other := &handler{env: h.env, config: h.config, store: h.store, session: s, state: &s.State}
		other.event.SessionID = r.Session
		lane, ok := project.LaneNamed(h.config.Dir, s.Lane)
		if !ok {
			lane, ok = project.LaneNamed(h.config.Dir, r.Lane)
		}
		other.store = h.at(lane)
		if other.store.Branch = nil; ok { // nobody knows what was checked out there
			other.keepReports()
		}
		if s.Lane == "" { // nothing was known of it, and nothing is to be
			s.Release()
			continue
		}
		_ = s.Save()
	}
}

// leftFor is how long a report waits for its own session.
const leftFor = 24 * time.Hour
