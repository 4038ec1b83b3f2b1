package capture

import (
	"sync/atomic"
	"time"
)

// patience is the processor time in which one event reads and judges a transcript. The rest is left to the next event.
// A part (see manyPrompts) and a line that were begun are finished.
const patience = 90 * time.Millisecond

// together is the processor time for all reading of transcripts in one event, counted from its beginning. A later
// reader gets the time that the earlier ones left, but no less than least.
const (
	together = 130 * time.Millisecond
	least    = 15 * time.Millisecond
)

// slow is how many times longer than its processor time an event may take by the clock. A session makes progress on a
// busy machine or a slow disk too; the client kills a hook after 5 seconds.
const slow = 10

// plenty is how many bytes an event may read in next to no time.
const plenty = 1 << 20

var began = time.Now()

// testOnlyClock is the clock that Soon reads.
var testOnlyClock = spent

// TestOnlyStopClock lets every event have time enough until the returned function is called. What an event does then
// depends on its input alone, and not on what else the machine does.
func TestOnlyStopClock() (restart func()) {
	now := spent()
	testOnlyClock = func() time.Time { return now }
	return func() { testOnlyClock = spent }
}

// spent returns a time that advances with the processor time of this process, and slowly while the process waits.
func spent() time.Time { return time.Unix(0, int64(max(processorTime(), time.Since(began)/slow))) }

// begun is when the current event began, nil outside a hook. Tests that run hooks in parallel need it to be atomic.
var begun atomic.Pointer[time.Time]

// Begin starts the time of an event.
func Begin() {
	now := testOnlyClock()
	begun.Store(&now)
}

// Soon returns a function that reports whether the current event has time to go on reading.
func Soon() func() bool {
	now, left := testOnlyClock(), patience
	if start := begun.Load(); start != nil {
		left = min(patience, max(least, together-now.Sub(*start)))
	}
	until := now.Add(left)
	return func() bool { return testOnlyClock().Before(until) }
}
