package hook

import (
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/digest"
	"github.com/mementohq/memento/internal/pace"
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
	_ = h.rules().Refresh(h.store.Lane.Slug)                      // what fails is done at the next start
	_ = capture.KeepAnswer(h.store, h.state, h.event.LastMessage) // what fails the next event reads in the transcript
	h.keepSession()
	if h.event.Reason == "clear" {
		if j := h.read(); j != nil && (j.Session == h.event.SessionID || j.Session == "" && h.state.Opened) {
			h.closeCleared(j.Session)
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
	if h.state.Forked || !h.unasked("session") { // a fork without a turn has only its copy
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

// stop captures the turn as far as the transcript has it. The transcript lags behind this event: the turn's own prompt
// is often missing (measured on client 2.1.329). The next event goes on where this one stopped.
func (h *handler) stop() {
	if h.bind() == nil {
		h.catchUp(capture.TrustTranscript)
		_ = capture.KeepAnswer(h.store, h.state, h.event.LastMessage) // what fails the next event reads
	}
}

// pageAge is how long a page of memento view is kept: it shows what the settings may have removed since.
const pageAge = 7 * 24 * time.Hour

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
