package hook

import "github.com/mementohq/memento/internal/capture"

// stop captures the turn as far as the transcript has it. The transcript lags behind this event: the turn's own prompt
// is often missing (measured on client 2.1.329). The next event goes on where this one stopped.
func (h *handler) stop() {
	if h.bind() == nil {
		h.catchUp(capture.TrustTranscript)
		h.keepAnswer()
	}
}
