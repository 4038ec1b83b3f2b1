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
func (d *delivery) Show(words string, from transcript.Position, now time.Time, afresh bool) {
	if afresh {
		d.Arrived = nil
	}
	d.Block, d.BlockAt, d.BlockFrom, d.Delivery, d.Again = words, now, from, "", false
	if slices.Contains(d.Arrived, fingerprint(words)) {
		d.Delivery = transcript.Whole
	}
}

// Restored notes that the event of a compaction came, and its block was given. The client writes that compaction into
// the transcript only then (measured on client 2.1.329); one that stood there already was another's, or this one's
// where a client writes it before.
func (d *delivery) Restored() { d.Given, d.Bare = !d.Bare, false }

// Bounded notes that the transcript shows the next compaction.
func (d *delivery) Bounded() { d.Given, d.Bare = false, !d.Given }

// Awaits reports whether it is still to be seen what became of the last block.
func (d *delivery) Awaits() bool { return d.Block != "" && d.Delivery == "" }

// Arrives notes what became of the last block.
func (d *delivery) Arrives(delivery string) {
	if d.Delivery = delivery; delivery == transcript.Whole {
		newest := d.Arrived[max(0, len(d.Arrived)+1-maxWhole):]
		d.Arrived = append(slices.Clip(newest), fingerprint(d.Block))
	}
}
