package session

import (
	"fmt"
	"testing"
)

func TestShow(t *testing.T) {
	var s State
	awaits := func(want bool) {
		t.Helper()
		if s.Awaits() != want {
			t.Errorf("%q, %q: Awaits = %t", s.Block, s.Delivery, !want)
		}
	}
	awaits(false) // nothing was shown
	s.Show("the first block", Position{Offset: 7}, morning, true)
	awaits(true)
	s.Arrives(Whole)
	awaits(false)
	// On resume what the context has already is left out by the client.
	s.Show("another", Position{}, morning, false)
	awaits(true)
	s.Show("the first block", Position{}, morning, false)
	if s.Delivery != Whole {
		t.Errorf("the same block again is %q", s.Delivery)
	}
	// What did not arrive is not in the context, nor is anything after a compaction.
	s.Show("a third", Position{}, morning, false)
	s.Arrives(Missing)
	s.Again = true
	s.Show("a third", Position{}, morning, false)
	awaits(true)
	if s.Again {
		t.Error("a new block counts as given again")
	}
	s.Show("the first block", Position{}, morning, true)
	awaits(true)
	for i := range 100 {
		s.Show(fmt.Sprintf("block %d", i), Position{}, morning, false)
		s.Arrives(Whole)
	}
	if len(s.Arrived) != maxWhole || s.Arrived[maxWhole-1] != mark("block 99") {
		t.Errorf("%d marks are kept, the last %s", len(s.Arrived), s.Arrived[len(s.Arrived)-1])
	}
}
