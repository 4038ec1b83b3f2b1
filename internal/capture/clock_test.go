package capture

import (
	"testing"
	"time"
)

// The time an event has goes on with the work of this process, and with the clock at a tenth of its pace.
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
