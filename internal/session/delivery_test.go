package session

import (
	"fmt"
	"testing"

	"github.com/mementohq/memento/internal/transcript"
)

func TestShow(t *testing.T) {
	var s Memory
	awaits := func(want bool) {
		t.Helper()
		if s.Awaits() != want {
			t.Errorf("%q, %q: Awaits = %t", s.Block, s.Delivery, !want)
		}
	}
	awaits(false) // nothing was shown
	s.Show("the first block", transcript.Position{Offset: 7}, morning, true)
	awaits(true)
	s.Arrives(transcript.Whole)
	awaits(false)
	// On resume the client leaves out a text that the context already has.
	s.Show("another", transcript.Position{}, morning, false)
	awaits(true)
	s.Show("the first block", transcript.Position{}, morning, false)
	if s.Delivery != transcript.Whole {
		t.Errorf("the same block again is %q", s.Delivery)
	}
	// A block that did not arrive is not in the context. After a compaction no block is.
	s.Show("a third", transcript.Position{}, morning, false)
	s.Arrives(transcript.Missing)
	s.Again = true
	s.Show("a third", transcript.Position{}, morning, false)
	awaits(true)
	if s.Again {
		t.Error("a new block counts as given again")
	}
	s.Show("the first block", transcript.Position{}, morning, true)
	awaits(true)
	for i := range 100 {
		s.Show(fmt.Sprintf("block %d", i), transcript.Position{}, morning, false)
		s.Arrives(transcript.Whole)
	}
	if len(s.Arrived) != maxWhole || s.Arrived[maxWhole-1] != fingerprint("block 99") {
		t.Errorf("%d marks are kept, the last %s", len(s.Arrived), s.Arrived[len(s.Arrived)-1])
	}
}
