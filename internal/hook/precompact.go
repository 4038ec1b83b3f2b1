package hook

import (
	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/redact"
)

// maxBrief is the most the summariser is told, in characters: on a manual compaction the user sees it. From the second
// automatic compaction on, which nobody sees, there is room for the words that the summariser itself no longer sees:
// those from before the compaction before.
const (
	maxBrief      = 1500
	maxLaterBrief = 8000
)

// preCompact captures what was said and tells the client's own summariser what to keep. The answer is plain text: it
// goes into the summariser's request as it is, and JSON would be an error (measured on client 2.1.329).
func (h *handler) preCompact() []byte {
	if h.bind() != nil || !h.first() {
		return nil
	}
	h.catchUp(capture.TrustMissing)
	h.state.Unchecked, h.state.Misquoted = true, nil
	j := h.read()
	if j == nil || !h.mine(j) {
		return nil
	}
	said := capture.Recall(h.store.Lane, h.event.SessionID)
	words := said.Words(j)
	limit, v := maxBrief, block.View{Said: &words}
	if h.event.Trigger == "auto" && h.state.Compactions > 0 {
		limit, v.Before = maxLaterBrief, said.Before(h.state.Compacted)
	}
	h.open(j, &v)
	brief := redact.Clean(block.Brief(j, limit, v))
	if brief == "" {
		return nil
	}
	h.store.Injected("PreCompact", brief)
	return []byte(brief + "\n")
}
