package hook

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/transcript"
)

// delivered finds out from the transcript whether the last block reached the model. Other hooks, a time limit or the
// client's limit on size may have stopped it.
func (h *handler) delivered() {
	if !h.state.Awaits() || h.state.Transcript == "" {
		return
	}
	since := h.state.BlockAt
	if since.After(h.env.Now) { // a clock was ahead then: any later answer counts
		since = time.Time{}
	}
	verdict, next, err := transcript.Delivered(h.state.Transcript, h.state.BlockFrom, h.state.Block, since,
		capture.Soon())
	if err != nil {
		return // there may be no transcript yet
	}
	h.state.BlockFrom = next
	h.state.Delivery = verdict
}

// undelivered reports whether the last block did not arrive whole and was not given again, or was never given because
// the hook of the compaction did not run to its end.
func (h *handler) undelivered() bool {
	return h.state.Bare || !h.state.Again && (h.state.Delivery == transcript.Cut ||
		h.state.Delivery == transcript.Missing)
}

// again returns the block that did not arrive, to go with a prompt: otherwise Claude would work without it, and the
// user would not know.
func (h *handler) again() string {
	words, bare := "", h.state.Bare
	switch {
	case bare:
		h.state.Bare = false
		words = h.compacted("The context was compacted and this was not given then, so it is given now.")
	case h.state.Delivery == transcript.Cut:
		words = h.blockOf(h.read(), block.View{Note: "This was printed when the context was restored and reached " +
			"Claude cut short, so it is given again."})
	default:
		words = h.blockOf(h.read(), block.View{Note: "This was printed when the context was restored and did not " +
			"reach Claude, so it is given again."})
	}
	if words != "" {
		h.state.Show(words, transcript.End(h.state.Transcript), h.env.Now)
		h.state.Again = !bare
		h.tellRestored(words)
	}
	return words
}

// catchUp brings the journal up to date. What fails is done at the next event.
func (h *handler) catchUp(trust capture.Trust) {
	h.survey()
	if err := capture.CatchUp(h.store, h.state, trust); err != nil &&
		!errors.Is(err, safefile.ErrBusy) && !h.toldUnkept() {
		h.state.Trouble, h.state.Unkept = "what you typed could not be noted: "+err.Error(), true
	}
	h.delivered()
}

// catchUpHolder captures the rest of the session that held this lane before. If its client died, no SessionEnd came,
// and its last prompt may be in no transcript. Words that were captured and not delivered are delivered, however it
// ended.
func (h *handler) catchUpHolder() {
	if h.session.Before == h.event.SessionID {
		return
	}
	h.captureRest(h.session.Before, h.store.Lane, wait, func(old *session.Session) bool {
		return (!old.Ended || len(old.Pending) > 0) && old.Lane == h.store.Lane.Name
	})
}

// captureRest captures the rest of a session into a lane, and notes that it is over, if isOver says so.
func (h *handler) captureRest(id string, lane project.Lane, wait time.Duration, isOver func(*session.Session) bool) {
	old, err := session.Open(h.config.Dir, id, wait)
	if err != nil {
		return
	}
	defer old.Release()
	if isOver(old) && capture.CatchUp(h.at(lane), &old.Memory, capture.TrustEnd) == nil {
		old.Lane, old.Ended = lane.Name, true
		_ = old.Save()
	}
}

// takeIn captures the rest of the sessions in the chosen lanes whose clients died with prompts waiting. Their lanes may
// never be used again.
func (h *handler) takeIn(chosen func(project.Lane) bool) {
	inTime := capture.Soon()
	for _, left := range session.Waiting(h.config, chosen, h.env.Now) {
		if left.ID != h.event.SessionID && inTime() {
			h.captureRest(left.ID, left.Lane, 0, func(old *session.Session) bool {
				return len(old.Pending) > 0 && !old.Runs(h.config, h.env.Now)
			})
		}
	}
}

// maxSummary is how much of the client's summary is read, in bytes: about thirty times the usual length.
const maxSummary = 256 << 10

// survey logs how much of memento's block the client's summary kept, too, at the last compaction. The summary is in the
// transcript only at a later event (measured on clients 2.1.329 and 2.1.330), so each event looks for it until it is
// there.
func (h *handler) survey() {
	if !h.state.Uncounted {
		return
	}
	summary, trigger, ok := transcript.Summary(h.state.Transcript, h.state.Read, capture.Soon())
	if !ok {
		return
	}
	h.answered(summary) // a client before 2.1.139 hands it to no hook
	summary = text.Fold(redact.Clean(summary[:min(len(summary), maxSummary)]))
	c := history.Compaction{Session: h.event.SessionID, Trigger: trigger, Number: h.state.Compactions}
	_, err := h.store.Update(func(j *journal.Journal) error {
		for _, f := range block.Facts(j, h.state.Block) {
			c.Facts++
			if slices.ContainsFunc(f, func(part string) bool {
				return !text.Within(summary, strings.TrimRight(text.Fold(part), ".!? "))
			}) {
				c.Lost = append(c.Lost, strings.Join(f, " "))
			} else {
				c.Kept++
			}
		}
		j.Keep(c.Entry())
		return nil
	})
	h.state.Uncounted = err != nil
}
