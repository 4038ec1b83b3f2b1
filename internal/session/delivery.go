package session

import (
	"slices"
	"time"

	"github.com/mementohq/memento/internal/transcript"
)

// maxWhole is how many blocks that arrived are remembered between two compactions.
const maxWhole = 8

// Show notes that words were put before the model at now, when the transcript ended at from. afresh says that the
// context before them is gone, by a compaction.
//
// On resume the client leaves out what a hook prints when the context has the very same text already (measured on
// client 2.1.329): such words have arrived.
func (s *State) Show(words string, from transcript.Position, now time.Time, afresh bool) {
	if afresh {
		s.Arrived = nil
	}
	s.Block, s.BlockAt, s.BlockFrom, s.Delivery, s.Again = words, now, from, "", false
	if slices.Contains(s.Arrived, mark(words)) {
		s.Delivery = transcript.Whole
	}
}

// Restored notes that the event of a compaction came, and its block was given. The client writes that compaction into
// the transcript only then (measured on client 2.1.329); one that stood there already was another's, or this one's
// where a client writes it before.
func (s *State) Restored() { s.Given, s.Bare = !s.Bare, false }

// Bounded notes that the transcript shows the next compaction.
func (s *State) Bounded() { s.Given, s.Bare = false, !s.Given }

// Awaits reports whether it is still to be seen what became of the last block.
func (s *State) Awaits() bool { return s.Block != "" && s.Delivery == "" }

// Arrives notes what became of the last block.
func (s *State) Arrives(delivery string) {
	if s.Delivery = delivery; delivery == transcript.Whole {
		s.Arrived = append(s.Arrived[max(0, len(s.Arrived)+1-maxWhole):len(s.Arrived):len(s.Arrived)], mark(s.Block))
	}
}
