package capture

import (
	"sync/atomic"
	"time"
)

// patience is how much processor time one event spends on what is new in a transcript before it leaves the rest to the
// next: reading, judging, and looking for what was rewound. What it began it ends, at most a part (see manyPrompts) and
// a line.
const patience = 90 * time.Millisecond

// together is how much processor time one event spends on all of that, from its beginning: whoever looks into a
// transcript after others gets what they left of it, and least at the least.
const (
	together = 130 * time.Millisecond
	least    = 15 * time.Millisecond
)

// slow is how many times as long it may take by the clock: a busy machine or a slow disk must not cost a session its
// progress, and the client kills a hook after 5 seconds.
const slow = 10

// plenty is how much an event may read, in bytes, and still have nearly all of that time for something else.
const plenty = 1 << 20

var began = time.Now()

// testOnlyClock tells how much of the time is spent.
var testOnlyClock = spent

// spent returns a time that goes on with the processor time of this process, and slowly where that stands still.
func spent() time.Time { return time.Unix(0, int64(max(processorTime(), time.Since(began)/slow))) }

// begun is when the event in hand began, nil outside a hook. It is atomic for tests that play hooks beside each other.
var begun atomic.Pointer[time.Time]

// Begin notes that an event begins: its time is counted from here.
func Begin() {
	now := testOnlyClock()
	begun.Store(&now)
}

// Soon returns whether there is still time to go on, for who looks into a transcript beside Listen.
func Soon() func() bool { return soon() }

// soon returns whether there is still time to go on, asked now and then.
func soon() func() bool {
	now := testOnlyClock()
	until := now.Add(patience)
	if start := begun.Load(); start != nil {
		if left := start.Add(together); left.Before(until) {
			until = left
		}
		if until.Before(now.Add(least)) {
			until = now.Add(least)
		}
	}
	return func() bool { return testOnlyClock().Before(until) }
}
