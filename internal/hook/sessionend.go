package hook

import (
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/digest"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/retrieve"
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
				j.Close("cleared", "")
				return nil
			})
		}
	}
	h.state.Ended, h.state.Handled = true, nil
}

// endWait is how long the end of a session waits for the records: nobody waits for it, and all hooks of a session's end
// have 1.5 s together (measured on client 2.1.329).
const endWait = 600 * time.Millisecond

// keepSession keeps what the session came to as a record. What cannot be written is in the journal and its history all
// the same, and is written when the session ends once more.
func (h *handler) keepSession() {
	if h.session == nil || h.state.Forked || !h.unasked("session") { // a fork without a turn has only what it copied
		return
	}
	store, project := h.keeping()
	store = store.Deferred() // what it holds stands in the journal and its history, too
	store.Wait = endWait
	if kept, err := digest.Session(store, project, digest.Look(h.store.Lane, h.read(), h.state),
		h.state.Record); err == nil {
		h.state.Record = kept
	}
	h.collect(store)
}

// collect retires and archives what is due, once a day at most. It reads the records that the index names, and no
// others, so that it costs next to nothing on nearly all days; what is not in the index waits for memento gc.
func (h *handler) collect(store record.Store) {
	if !retrieve.Indexed(h.config.Dir) {
		return
	}
	if !digest.Daily(h.config.Dir, h.env.Now) {
		return
	}
	g := retrieve.Rules(h.config)
	if g.IDs = retrieve.Due(store, g); len(g.IDs) > 0 {
		_, _ = store.Collect(g)
	}
}
