package hook

import "github.com/mementohq/memento/internal/capture"

// stop captures what the turn said. The transcript lags behind this event (measured on client 2.1.329: the turn's own
// prompt is often not in it yet), so the next event goes on where this one stopped.
func (h *handler) stop() {
	if h.bind() == nil {
		h.catchUp(capture.TrustTranscript)
		h.fillLate()
	}
}
