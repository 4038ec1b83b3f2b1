package hook

import (
	"time"

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

// unsynced returns, once, the line for the person when syncs have failed for days, "" otherwise. It does not quote the
// reason, which may hold words of the remote's.
func (h *handler) unsynced() string {
	if h.config.Sync != config.SyncAuto {
		return ""
	}
	p, ok := pace.Load(h.config.Dir)
	if !ok || !p.IsLong(h.env.Now) {
		return ""
	}
	if pace.Tell(h.config.Dir, h.env.Now) != nil {
		return "" // else each session would say it
	}
	return "memento: sync has failed since " + p.Failed.Local().Format(time.DateOnly) +
		"; nothing is lost: memento status says why"
}
