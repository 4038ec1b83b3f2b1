package hook

import (
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/journal"
)

// sessionEnd captures what is left and, when the session was cleared, closes its mission.
func (h *handler) sessionEnd() {
	if h.bind() != nil {
		return
	}
	h.catchUp(capture.TrustEnd)
	h.fillLate()
	h.keepSession()
	if h.event.Reason == "clear" {
		if j := h.read(); j != nil && (j.Session == h.event.SessionID || j.Session == "" && h.state.Opened) {
			_, _ = h.store.Update(func(j *journal.Journal) error {
				j.Close("cleared")
				return nil
			})
		}
	}
	h.state.Ended, h.state.Handled = true, nil
}
