package hook

import (
	"fmt"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/text"
)

// summarized checks the summary that the client's summariser has just written. From client 2.1.139 on, the summariser
// sends a SubagentStop without a type, between PreCompact and SessionStart (measured on 2.1.139 and 2.1.330); the block
// can then name the misquotes. Client 2.1.9 sends no such event: the next prompt names them.
func (h *handler) summarized() {
	if h.bind() == nil {
		h.checkSummary(h.event.LastMessage)
	}
}

// checkSummary compares the summary of the last compaction with the user's prompts, once.
func (h *handler) checkSummary(summary string) {
	if !h.state.Unchecked || summary == "" {
		return
	}
	h.state.Unchecked = false
	h.state.Misquoted = capture.Misquoted(h.store.Lane, h.state, summary[:min(len(summary), maxSummary)])
}

const (
	maxMisquoted = 3   // quotations that are named
	maxMisquote  = 120 // quarters of a token of one
)

// misquoted returns, once, a line with the words that the summary wrongly quotes as the user's, "" for none.
func (h *handler) misquoted() string {
	all := h.state.Misquoted
	if len(all) == 0 {
		return ""
	}
	h.state.Misquoted = nil
	words := "Not the user's words, though the summary quotes them as such:"
	for i, q := range all[:min(len(all), maxMisquoted)] {
		if i > 0 {
			words += " ·"
		}
		q, _ = text.Cut(q, maxMisquote*text.Runes(q)/max(1, text.Quarters(q)))
		words += " " + text.Quote(q)
	}
	if n := len(all) - maxMisquoted; n > 0 {
		words += fmt.Sprintf(" (and %d more)", n)
	}
	return words
}
