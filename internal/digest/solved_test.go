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
		"`ls nowhere` -> No such file":                         true,
		"`git log nowhere`":                                    true,
		"`terraform apply` -> Error: 403 forbidden":            false,
		"`ls /mnt/share` is empty until Bob mounts it":         false,
		"`terraform apply` needs the new credentials from Bob": false,
		"the vendor has not answered":                          false,
	} {
		if got := w.solved(item); got != want {
			t.Errorf("%q: %t, want %t", item, got, want)
		}
	}
}

// What another session has done since is done.
func TestSince(t *testing.T) {
	at := time.Date(2026, 3, 14, 9, 0, 0, 0, time.UTC)
	w := Work{elsewhere: []journal.Entry{{Act: "Write a regression test", TS: "2026-03-14T10:00:00Z"},
		{Act: "Update the docs", TS: "2026-03-13T10:00:00Z"}}}
	if !w.since(at, "write a regression test") || w.since(at, "Update the docs") || w.since(at, "Ask Bob") {
		t.Error("what was done before counts, or what was done since does not")
	}
}
