package hook

import (
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/digest"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/text"
)

// sessionEnd captures the rest of the session and, after /clear, closes its mission.
func (h *handler) sessionEnd() {
	if h.bind() != nil {
		return
	}
	h.catchUp(capture.TrustEnd)
	if !h.undelivered() {
		h.state.Left = text.Fingerprint(h.blockOf(h.read(), block.View{}))
	}
	_ = h.rules().Refresh(h.store.Lane.Slug) // what fails is done at the next start
	h.keepAnswer()
	h.keepSession()
	if h.event.Reason == "clear" {
		if j := h.read(); j != nil && (j.Session == h.event.SessionID || j.Session == "" && h.state.Opened) {
			_, _ = h.store.Update(func(j *journal.Journal) error {
				j.Close("cleared", "")
				return nil
			})
		}
	}
	if h.config.Past != config.PastAnswers {
		h.state.Work.Told, h.state.Work.Proposed = "", "" // nothing that Claude said is kept
	}
	h.state.Ended, h.state.Handled = true, nil
}

// endWait is how long the end of a session waits for the records. All hooks of a session's end have 1.5 s together
// (measured on client 2.1.329).
const endWait = 600 * time.Millisecond

// keepSession writes a record of the session. If that fails, the journal and its history still hold the session, and
// its next end writes the record.
func (h *handler) keepSession() {
	if h.session == nil || h.state.Forked || !h.unasked("session") { // a fork without a turn has only its copy
		return
	}
	store, project := h.keeping()
	store.Wait, store.Again = endWait, true // the log holds the session
	if kept, err := digest.Session(store, project, digest.Gather(h.store.Lane, h.read(), h.state),
		h.state.Record); err == nil {
		h.state.Record = kept
		h.collect() // only so many stay active
	}
}

// collect retires and archives the records that the index names as due. Others wait for memento gc.
func (h *handler) collect() {
	store, _ := h.keeping()
	g := retrieve.Rules(h.config)
	if g.IDs = retrieve.Due(store, g); len(g.IDs) > 0 {
		_, _ = store.Collect(g)
	}
}
