package hook

import (
	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/sentence"
)

// calledBack returns the block of the mission that an earlier session left, if typed, the session's first words, goes
// on with it or asks what it was; "" otherwise. Whether the mission goes on here, capture decides when the transcript
// shows the prompt.
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
	return lines(h.leftBlock(left), h.noteHint())
}

// leftBlock returns the block that the session which left a mission would get after a compaction.
func (h *handler) leftBlock(left *journal.Left) string {
	from := *h
	said := capture.Recall(left.Lane, left.Session, left.Earlier...).
		Until(left.Entry.Since) // what ended it belongs to the next
	from.recalled, from.said = &said, nil
	from.event.SessionID = left.Session
	memory := capture.MemoryOf(h.store, left)
	memory.Compactions = 2 // the model has no summary of that session either
	from.state = &memory
	return from.blockOf(left.Journal, block.View{Head: earlier})
}
