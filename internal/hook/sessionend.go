package hook

import "github.com/mementohq/memento/internal/capture"

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
			h.closeMission("cleared")
		}
	}
	h.state.Ended, h.state.Handled = true, nil
}
