package hook

import (
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/transcript"
)

// delivered looks whether the block that was last put before the model arrived: other hooks, a time limit or the client's
// limit on size may have kept it from there, and only the transcript shows it.
func (h *handler) delivered() {
	if !h.state.Awaits() || h.state.Transcript == "" {
		return
	}
	since := h.state.BlockAt
	if since.After(h.env.Now) { // noted by a clock that was ahead: any answer behind it counts
		since = time.Time{}
	}
	verdict, next, err := transcript.Delivered(h.state.Transcript, h.state.BlockFrom, h.state.Block, since, capture.Soon())
	if err != nil {
		return // there may be no transcript yet
	}
	h.state.BlockFrom = next
	if verdict != "" {
		h.state.Arrives(verdict)
	}
}

// undelivered reports whether the last block did not arrive whole and has not been given a second time, or none was given at all: the
// hook of the compaction did not run to its end.
func (h *handler) undelivered() bool {
	return h.state.Bare || !h.state.Again && (h.state.Delivery == transcript.Cut || h.state.Delivery == transcript.Missing)
}

// again is the block for a second time, beside a prompt: Claude works without it, and the user does not see that it does.
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
	words := h.block(journal.View{Note: note})
	if words != "" {
		h.state.Show(words, transcript.End(h.state.Transcript), h.env.Now, false)
		h.state.Again = true
	}
	return words
}
