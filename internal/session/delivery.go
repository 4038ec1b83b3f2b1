package session

import (
	"time"

	"github.com/mementohq/memento/internal/transcript"
)

// Show notes that the block words was given to the model at now, when the transcript ended at from.
func (s *Memory) Show(words string, from transcript.Position, now time.Time) {
	s.Block, s.BlockAt, s.BlockFrom, s.Delivery, s.Again = words, now, from, "", false
}

// Restored notes that the event after a compaction came and its block was given. The client writes the compaction into
// the transcript after this event (measured on client 2.1.329). A client that writes it before has called Bounded.
func (s *Memory) Restored() { s.Given, s.Bare = !s.Bare, false }

// Bounded notes that the transcript shows the next compaction.
func (s *Memory) Bounded() { s.Given, s.Bare = false, !s.Given }

// Awaits reports whether nobody knows yet if the last block arrived.
func (s *Memory) Awaits() bool { return s.Block != "" && s.Delivery == "" }
