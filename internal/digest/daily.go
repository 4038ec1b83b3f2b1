package digest

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// maxGap is how long ago the last day may be that Daily was asked on.
const maxGap = 31 * 24 * time.Hour

// Daily reports whether it is the first to ask on this day, in memento's folder dir, and was asked within the last
// month. After a longer gap the day is only noted: what is purged does not come back, and a clock that is ahead for one
// session looks like a long time gone. When the day cannot be noted it is false too, so that what is done daily is
// never done at every turn.
func Daily(dir string, now time.Time) bool {
	path, day := filepath.Join(dir, "state", "collected"), now.UTC().Format(time.DateOnly)
	old, _ := safefile.Read(path, 64) // one that cannot be read is as good as none
	last := strings.TrimSpace(string(old))
	if last == day {
		return false
	}
	at, err := time.Parse(time.DateOnly, last)
	gap := now.Sub(at)
	return safefile.ReplaceVolatile(path, []byte(day+"\n"), 0o600) == nil && err == nil && gap > 0 && gap < maxGap
}
