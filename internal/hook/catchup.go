package hook

import (
	"errors"
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

// delivered looks whether the block that was last put before the model arrived: other hooks, a time limit or the
// client's limit on size may have kept it from there, and only the transcript shows it.
func (h *handler) delivered() {
	if !h.state.Awaits() || h.state.Transcript == "" {
		return
	}
	since := h.state.BlockAt
	if since.After(h.env.Now) { // noted by a clock that was ahead: any answer behind it counts
		since = time.Time{}
	}
	verdict, next, err := transcript.Delivered(h.state.Transcript, h.state.BlockFrom, h.state.Block, since,
		capture.Soon())
	if err != nil {
		return // there may be no transcript yet
	}
	h.state.BlockFrom = next
	if verdict != "" {
		h.state.Arrives(verdict)
	}
}

// undelivered reports whether the last block did not arrive whole and has not been given a second time, or none was
// given at all: the hook of the compaction did not run to its end.
func (h *handler) undelivered() bool {
	return h.state.Bare || !h.state.Again && (h.state.Delivery == transcript.Cut ||
		h.state.Delivery == transcript.Missing)
}

// again is the block for a second time, beside a prompt: Claude works without it, and the user does not see that it
// does.
func (h *handler) again() string {
	if h.state.Bare {
		h.state.Bare = false
		words := h.compacted("The context was compacted and this was not given then, so it is given now.")
		if words != "" {
			h.state.Show(words, transcript.End(h.state.Transcript), h.env.Now, true)
		}
		return words
	}
	note := "This was printed when the context was restored and did not reach Claude, so it is given again."
	if h.state.Delivery == transcript.Cut {
		note = "This was printed when the context was restored and reached Claude cut short, so it is given again."
	}
	words := h.block(block.View{Note: note})
	if words != "" {
		h.state.Show(words, transcript.End(h.state.Transcript), h.env.Now, false)
		h.state.Again = true
	}
	return words
}

// catchUp brings the journal up to date; what fails now is done at the next event.
func (h *handler) catchUp(trust capture.Trust) {
	if h.session == nil {
		return
	}
	h.survey()
	if err := capture.Listen(h.store, h.state, trust, h.triage(h.state, h.store.Lane)); err != nil &&
		!errors.Is(err, safefile.ErrBusy) && !h.toldUnkept() {
		h.state.Trouble, h.state.Unkept = "what you typed could not be noted: "+err.Error(), true
	}
	h.noted()
	h.delivered()
	h.keepReports()
}

// catchUpHolder captures what the session that held this lane before had not captured when its client died: no
// SessionEnd came then, and its last prompt may be in no transcript. What was captured and could not be handed on is
// handed on, however it ended.
func (h *handler) catchUpHolder() {
	if h.session == nil || h.session.Before == "" || h.session.Before == h.event.SessionID {
		return
	}
	old, err := session.Open(h.config.Dir, h.session.Before, wait)
	if err != nil {
		return
	}
	defer old.Release()
	if old.Ended && old.Unheard == nil && len(old.Pending) == 0 || old.Lane != h.store.Lane.Name {
		return
	}
	if capture.Listen(h.store, &old.Memory, capture.TrustEnd, h.triage(&old.Memory, h.store.Lane)) == nil {
		old.Ended = true
		_ = old.Save()
	}
}

// takeIn captures what sessions in the chosen lanes had been told and had not captured when their clients died: a lane
// beside another may never be used again.
func (h *handler) takeIn(chosen func(project.Lane) bool) {
	inTime := capture.Soon()
	for _, id := range session.Waiting(h.config, chosen, h.env.Now) {
		if id == h.event.SessionID || !inTime() {
			continue
		}
		old, err := session.Open(h.config.Dir, id, 0)
		if err != nil {
			continue
		}
		lane, ok := project.LaneNamed(h.config.Dir, old.Lane)
		if ok && len(old.Pending) > 0 && !old.Runs(h.config, h.env.Now) &&
			capture.Listen(h.at(lane), &old.Memory, capture.TrustEnd, h.triage(&old.Memory, lane)) == nil {
			old.Ended = true
			_ = old.Save()
		}
		old.Release()
	}
}

// maxSummary is how much of the client's summary is looked at, in bytes: some thirty times what one has.
const maxSummary = 256 << 10

// survey logs what the client's own summary kept at the last compaction, and what memento's block carries. The summary
// is in the transcript at the event after the compaction, not yet at SessionStart (measured on clients 2.1.329 and
// 2.1.330); the facts were noted there, as what is captured or noted since could not be in it. Until the summary is
// there, each event looks again.
func (h *handler) survey() {
	if len(h.state.Facts) == 0 && !h.state.Unchecked {
		return
	}
	summary, trigger, ok := capture.Summary(h.state)
	if !ok {
		return
	}
	h.checkSummary(summary)
	if len(h.state.Facts) == 0 {
		return
	}
	summary = summary[:min(len(summary), maxSummary)]
	c := history.Compaction{Session: h.event.SessionID, Trigger: trigger, Number: h.state.Compactions}
	c.Facts = capture.Survey(h.state.Facts, summary, h.state.Block)
	if _, err := h.store.Update(func(j *journal.Journal) error { j.Compacted(c); return nil }); err == nil {
		h.state.Facts = nil
	}
}
