package hook

import (
	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/text"
)

// The most characters that the summariser is told: few at a manual compaction, where the client prints them all
// (measured on client 2.1.330). From the second automatic compaction on there is room for the words from before the
// last compaction, which it no longer sees.
const (
	maxShownBrief = 1000
	maxBrief      = 1500
	maxLaterBrief = 8000
)

// preCompact brings the journal up to date and tells the client's summariser what to keep. The answer is plain text,
// which becomes a part of the summariser's request; JSON would be an error (measured on client 2.1.329).
func (h *handler) preCompact() []byte {
	if h.bind() != nil || !h.first() {
		return nil
	}
	h.catchUp(capture.TrustMissing)
	j := h.read()
	if j == nil || !h.mine(j) || !h.client.ReadsBrief {
		return nil
	}
	words := h.words(j)
	limit := maxBrief
	switch {
	case h.event.Trigger == "auto" && h.state.Compactions > 0:
		limit = maxLaterBrief
	case h.event.Trigger == "manual":
		limit, words.Before = maxShownBrief, 0
	default:
		words.Before = 0
	}
	v := block.View{Budget: h.budget(), Said: words}
	h.open(j, &v)
	brief := redact.Clean(block.Brief(j, limit, v))
	brief = lines(brief, h.askAtCompaction(limit-text.Runes(brief)))
	if brief == "" {
		return nil
	}
	h.store.Injected(h.event.SessionID, "PreCompact", brief)
	return []byte(brief + "\n")
}
