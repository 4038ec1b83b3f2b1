package session

import (
	"time"

	"github.com/mementohq/memento/internal/transcript"
)

// Show notes that the block words was given to the model at now, when the transcript ended at from.
func (d *delivery) Show(words string, from transcript.Position, now time.Time) {
	d.Block, d.BlockAt, d.BlockFrom, d.Delivery, d.Again = words, now, from, "", false
}

// Restored notes that the event after a compaction came and its block was given. The client writes the compaction into
// the transcript after this event (measured on client 2.1.329). A client that writes it before has called Bounded.
func (d *delivery) Restored() { d.Given, d.Bare = !d.Bare, false }

// Bounded notes that the transcript shows the next compaction.
func (d *delivery) Bounded() { d.Given, d.Bare = false, !d.Given }

// Awaits reports whether nobody knows yet if the last block arrived.
func (d *delivery) Awaits() bool { return d.Block != "" && d.Delivery == "" }
