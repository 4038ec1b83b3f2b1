package capture

import (
	"testing"
	"time"
)

// An event's time advances with the work of this process, and at a tenth of the clock's pace.
func TestSpent(t *testing.T) {
	from, last := processorTime(), spent()
	for i := 0; processorTime() < from+20*time.Millisecond; i++ {
		if now := spent(); now.Before(last) {
			t.Fatalf("it went back from %v to %v", last, now)
		} else {
			last = now
		}
		if i > 100_000_000 {
			t.Fatal("work took no time")
		}
	}
	began = began.Add(-time.Hour)
	t.Cleanup(func() { began = began.Add(time.Hour) })
	if got := spent().Sub(time.Unix(0, 0)); got < time.Hour/slow {
		t.Errorf("after an hour without work %v were spent", got)
	}
}

// TestTogether: a later reader gets the time that the earlier ones left, but no less than least.
func TestTogether(t *testing.T) {
	now := time.Unix(100, 0)
	testOnlyClock = func() time.Time { return now }
	t.Cleanup(func() { testOnlyClock = spent; begun.Store(nil) })
	has := func(want time.Duration) {
		t.Helper()
		start, inTime := now, Soon()
		now = start.Add(want - 1)
		if !inTime() {
			t.Errorf("after %v there is no time any more", want-1)
		}
		if now = start.Add(want); inTime() {
			t.Errorf("after %v there is time", want)
		}
	}
	has(patience)
	has(patience) // outside an event each has its own
	Begin()
	has(patience)
	has(together - patience)
	has(least)
	Begin()
	now = now.Add(together / 2) // the event itself took long to read
	has(together - together/2)
}
