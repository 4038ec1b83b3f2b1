package session

import (
	"slices"
	"time"

	"github.com/mementohq/memento/internal/transcript"
)

// maxWhole is how many arrived blocks a session remembers between two compactions.
const maxWhole = 8

// Show notes that the block words was given to the model at now, when the transcript ended at from. afresh says that
// a compaction has removed the context before the block.
//
// On resume the client leaves out a hook's text that is already in the context (measured on client 2.1.329). Such a
// block has arrived.
func (d *delivery) Show(words string, from transcript.Position, now time.Time, afresh bool) {
	if afresh {
		d.Arrived = nil
	}
	d.Block, d.BlockAt, d.BlockFrom, d.Delivery, d.Again = words, now, from, "", false
	if slices.Contains(d.Arrived, fingerprint(words)) {
		d.Delivery = transcript.Whole
	}
}

// Restored notes that the event after a compaction came and its block was given. The client writes the compaction into
// the transcript after this event (measured on client 2.1.329). A client that writes it before has called Bounded.
func (d *delivery) Restored() { d.Given, d.Bare = !d.Bare, false }

// Bounded notes that the transcript shows the next compaction.
func (d *delivery) Bounded() { d.Given, d.Bare = false, !d.Given }

// Awaits reports whether nobody knows yet if the last block arrived.
func (d *delivery) Awaits() bool { return d.Block != "" && d.Delivery == "" }

// Arrives notes how the last block was delivered, a result of transcript.Delivered.
func (d *delivery) Arrives(delivery string) {
	if d.Delivery = delivery; delivery == transcript.Whole {
		newest := d.Arrived[max(0, len(d.Arrived)+1-maxWhole):]
		d.Arrived = append(slices.Clip(newest), fingerprint(d.Block))
	}
}
