package digest

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mementohq/memento/internal/fixture"
)

// TestDaily checks that Daily is true once a day, and not after a jump of the clock.
func TestDaily(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "cache"), 0o700); err != nil {
		t.Fatal(err)
	}
	const day = 24 * time.Hour
	noon := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		what string
		at   time.Duration
		want bool
	}{
		{"never before", 0, false},
		{"the same day", time.Hour, false},
		{"the next day", day, true},
		{"again", day + time.Hour, false},
		{"in another time zone", day + 2*time.Hour, false},
		{"a session dated 400 days ahead", 401 * day, false},
		{"another of that day", 401*day + time.Hour, false},
		{"the clock put right", day + 3*time.Hour, false},
		{"the day after", 2 * day, true},
		{"after a holiday", 20 * day, true},
		{"after months", 120 * day, false},
		{"and the day after", 121 * day, true},
	} {
		at := noon.Add(tt.at)
		if tt.what == "in another time zone" {
			at = at.In(time.FixedZone("", 14*3600)) // in that zone the date is the 16th
		}
		if got := Daily(dir, at); got != tt.want {
			t.Errorf("%s: %t", tt.what, got)
		}
	}
	fixture.Write(t, filepath.Join(dir, "cache", "collected"), "soon")
	if Daily(dir, noon) || !Daily(dir, noon.Add(day)) {
		t.Error("a note that says nothing is taken for something, or stops everything for good")
	}
}
