package hook

import (
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/view"
)

// keepTurns stores the turns that ended. What fails is done at the next event.
func (h *handler) keepTurns() {
	if h.session != nil {
		_ = capture.KeepTurns(h.config, h.store.Lane, h.state, h.env.Now, wait, h.event.LastMessage)
	}
}

// endTurns notes that the turns of the session, which is over, are kept, and compresses them if they are too many to be
// compressed at another session's start.
func (h *handler) endTurns() {
	if h.session != nil {
		_ = capture.NoteKept(h.config, h.state, wait)
		_ = past.Store{Dir: h.config.Dir, Wait: wait}.CloseLarge(h.store.Lane.Slug, h.event.SessionID)
	}
}

// idleTurns is how long the turns of a session may lie uncompressed after its last turn.
const idleTurns = 24 * time.Hour

// pageAge is how long a page of memento view is kept: it shows what the settings may have removed since.
const pageAge = 7 * 24 * time.Hour

// tidyPages removes old pages of memento view.
func (h *handler) tidyPages() { _ = view.Sweep(h.config.Dir, pageAge, h.env.Now) } // the next sweep does the rest

// tidyTurns compresses the turns of sessions that are over, and removes what is older than the settings say.
func (h *handler) tidyTurns() {
	_ = past.Store{Dir: h.config.Dir, Wait: wait}.Tidy(capture.TurnLimits(h.config, h.env.Now), h.env.Now, idleTurns,
		capture.Soon())
}
