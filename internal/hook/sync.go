package hook

import (
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/pace"
)

// sync starts a sync at the start and the end of a session, if a person has set sync to auto and the last failure is
// not recent. At a start it also leaves out a sync right after a good one, at an end it does not: the words of a short
// session have to go. Nobody waits for the sync. With sync off it opens no file.
func (h *handler) sync() {
	if h.config.Sync != config.SyncAuto || h.env.Sync == nil {
		return
	}
	p, ok := pace.Load(h.config.Dir)
	isDue := p.IsDue(h.env.Now)
	if h.event.Name == "SessionEnd" {
		isDue = !p.IsHeld(h.env.Now)
	}
	if ok && isDue {
		_ = h.env.Sync(h.config.Dir) // memento status says what fails
	}
}
