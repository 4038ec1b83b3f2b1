package hook

import (
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/journal"
)

// maxSummary is how much of the client's summary is looked at, in bytes: some thirty times what one has.
const maxSummary = 256 << 10

// survey logs what the client's own summary kept at the last compaction, and what memento's block carries. The summary is in the
// transcript at the event after the compaction, not yet at SessionStart (measured on clients 2.1.329 and 2.1.330); the facts were
// noted there, as what is captured or noted since could not be in it. Until the summary is there, each event looks again.
func (h *handler) survey() {
	if len(h.state.Facts) == 0 {
		return
	}
	summary, trigger, ok := capture.Summary(h.state)
	if !ok {
		return
	}
	summary = summary[:min(len(summary), maxSummary)]
	c := journal.Compaction{Session: h.event.SessionID, Trigger: trigger, Number: h.state.Compactions}
	c.Facts = capture.Survey(h.state.Facts, summary, h.state.Block)
	if _, err := h.store.Update(func(j *journal.Journal) error { j.Compacted(c); return nil }); err == nil {
		h.state.Facts = nil
	}
}
