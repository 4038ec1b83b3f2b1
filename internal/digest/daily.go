package digest

import (
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
)

// maxGap is the longest pause between two calls of Daily after which the later call may be true.
const maxGap = 31 * 24 * time.Hour

// Daily reports whether this is the first call today (UTC) and an earlier call came within the last month. dir is
// memento's folder, where Daily notes the day. After a longer pause Daily notes the day and returns false: deleted
// records do not come back, and a clock that is wrong for one session looks like a long pause. Where the day cannot be
// noted, Daily returns false, so that daily work is never done at every turn.
func Daily(dir string, now time.Time) bool {
	path, day := filepath.Join(dir, safefile.Cache, "collected"), now.UTC().Format(time.DateOnly)
	old, _ := safefile.Read(path, 64) // a file that cannot be read counts as a missing one
	last := strings.TrimSpace(string(old))
	if last == day {
		return false
	}
	at, err := time.Parse(time.DateOnly, last)
	gap := now.Sub(at)
	return safefile.ReplaceVolatile(path, []byte(day+"\n"), 0o600) == nil && err == nil && gap > 0 && gap < maxGap
}
