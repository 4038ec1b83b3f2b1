package hook

import (
	"time"

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
