package digest

import (
	"testing"
	"time"

	"github.com/mementohq/memento/internal/journal"
)

func TestSolved(t *testing.T) {
	w := Work{passed: func(cmd string) bool { return cmd == "npm test" }}
	for item, want := range map[string]bool{
		"`npm test` -> 2 failing":                              true,
		"`npm run lint` -> 2 errors":                           false,
		"`terraform apply` -> Error: 403 forbidden":            false,
		"`terraform apply` needs the new credentials from Bob": false,
		"the vendor has not answered":                          false,
	} {
		if got := w.isSolved(item); got != want {
			t.Errorf("%q: %t, want %t", item, got, want)
		}
	}
}

func TestItemThatAnotherSessionDidSinceIsDone(t *testing.T) {
	at := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	w := Work{elsewhere: []journal.Entry{{Act: "Write a regression test", TS: "2026-03-14T10:00:00Z"},
		{Act: "Update the docs", TS: "2026-03-13T10:00:00Z"}}}
	for item, want := range map[string]bool{"write a regression test": true, "Update the docs": false,
		"Ask Bob": false} {
		if got := w.isDoneElsewhere(at, item); got != want {
			t.Errorf("%q done since: %t, want %t", item, got, want)
		}
	}
}
