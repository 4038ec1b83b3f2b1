package hook

import (
	"time"

	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/session"
)

// foldAfter is how long a lane beside another has to be idle before it is folded into that one.
const foldAfter = 7 * 24 * time.Hour

// maxFolded is the number of lanes that one sweep folds. The next sweep goes on.
const maxFolded = 200

// foldLanes moves the journals of idle lanes into the history of the lane that they ran beside, and removes their
// files. A session that returns finds its mission there.
func (h *handler) foldLanes() {
	lanes := session.Idle(h.config, h.env.Now, foldAfter)
	for _, lane := range lanes[:min(len(lanes), maxFolded)] {
		if h.at(lane).Fold() == nil { // a lane that could not be folded stays
			session.Raze(lane)
		}
	}
}

// keepForeignReports keeps the reports that have waited for other sessions for leftFor.
func (h *handler) keepForeignReports() {
	for _, r := range session.Reports(h.config.Dir, "") {
		if r.Session == h.event.SessionID || h.env.Now.Sub(r.At) < leftFor {
			continue
		}
		s, err := session.Open(h.config.Dir, r.Session, wait)
		if err != nil {
			continue
		}
		other := &handler{env: h.env, config: h.config, store: h.store, session: s, state: &s.Memory,
			client: client.Of(s.Transcript)}
		other.event.SessionID = r.Session
		lane, ok := project.LaneNamed(h.config.Dir, s.Lane)
		if !ok {
			lane, ok = project.LaneNamed(h.config.Dir, r.Lane)
		}
		other.store = h.at(lane)
		if other.store.Branch = nil; ok { // the branch of that session is unknown
			other.keepReports()
		}
		if s.Lane == "" { // it had no memory, and gets none
			s.Release()
			continue
		}
		_ = s.Save()
	}
}

// leftFor is how long a report waits for its own session.
const leftFor = 24 * time.Hour
