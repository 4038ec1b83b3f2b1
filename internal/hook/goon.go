package hook

import (
	"strings"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
)

// calledBack returns the block of the mission that an earlier session left, without what the start told, if typed, the
// session's first words, goes on with it or asks what it was; "" otherwise. Whether the mission goes on here, capture
// decides when the transcript shows the prompt.
func (h *handler) calledBack(typed string, first bool) string {
	if !first {
		return ""
	}
	j := h.read()
	if h.blind || !sentence.MayRecall(typed) {
		return ""
	}
	if j == nil {
		j = &journal.Journal{}
	}
	left, _ := capture.CallBack(h.store, h.state, j, typed)
	if left == nil {
		return ""
	}
	words := h.leftBlock(left)
	if h.session.HasFile() { // the session has begun with a start
		words = withoutTold(words, block.Previous(h.leftHere(j), h.store.Lane.Journal(), h.store.Now))
	}
	return lines(words, h.noteHint())
}

// withoutTold leaves out of a block the lines that its session was told at its start, in these words: nothing is told
// twice.
func withoutTold(words, told string) string {
	head, rest, _ := strings.Cut(words, "\n")
	mission, _, _ := strings.Cut(strings.TrimPrefix(head, "[MEMENTO] "+earlier+": "), " | ")
	if !strings.Contains(told, ": "+mission+" | ") {
		return words
	}
	out := ""
	for line := range strings.SplitSeq(rest, "\n") {
		_, said, _ := strings.Cut(line, ": ") // the label may be another
		if !strings.Contains(told+"\n", ": "+said+"\n") {
			out = lines(out, line)
		}
	}
	if out == "" {
		return ""
	}
	return "[MEMENTO] That mission left:\n" + out
}

// leftBlock returns the block that the session which left a mission would get after a compaction.
func (h *handler) leftBlock(left *journal.Left) string {
	from := *h
	said := capture.Recall(left.Lane, left.Session, left.Earlier...).
		Until(left.Entry.Since) // what ended it belongs to the next
	from.recalled = &said
	from.event.SessionID = left.Session
	memory := capture.MemoryOf(h.store, left)
	memory.Compactions = 2 // the model has no summary of that session either
	from.state = &memory
	return from.blockOf(left.Journal, block.View{Head: earlier})
}
