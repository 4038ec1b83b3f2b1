package hook

import (
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/journal"
)

// maxSummary is how much of the client's summary is looked at, in bytes: some thirty times what one has.
const maxSummary = 256 << 10

// postCompact logs what the client's own summary kept, and what memento's block carries. The event comes behind
// SessionStart, which printed the block, and has the whole summary (measured on client 2.1.329).
func (h *handler) postCompact() {
	if h.bind() != nil || h.session == nil || h.state.Compactions <= h.state.Surveyed {
		return
	}
	j := h.read()
	if j == nil || !h.mine(j) {
		j = &journal.Journal{}
	}
	c := journal.Compaction{Session: h.event.SessionID, Trigger: h.event.Trigger, Number: h.state.Compactions}
	summary := h.event.Summary[:min(len(h.event.Summary), maxSummary)]
	c.Facts = capture.Survey(h.store, h.state, j, summary, h.state.Block)
	if _, err := h.store.Update(func(j *journal.Journal) error { j.Compacted(c); return nil }); err == nil {
		h.state.Surveyed = h.state.Compactions
	}
}
