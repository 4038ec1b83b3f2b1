package digest

import (
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
)

// Daily reports whether it is the first to ask on this day, in memento's folder dir. When that cannot be noted it is not, so that
// what is done daily is never done at every turn.
func Daily(dir, day string) bool {
	path := filepath.Join(dir, "state", "collected")
	if old, err := safefile.Read(path, 64); err == nil && strings.TrimSpace(string(old)) == day {
		return false
	}
	return safefile.ReplaceVolatile(path, []byte(day+"\n"), 0o600) == nil
}
