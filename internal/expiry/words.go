package expiry

import (
	"strings"
	"time"

	"github.com/mementohq/memento/internal/text"
)

// Sentence says for a person which transcripts the client deletes soon. lost are those of a project that memento has
// not taken in whole, at least one, the first to go first.
func Sentence(lost []Transcript, now time.Time) string {
	first := "the first on " + lost[0].Deleted.Local().Format(time.DateOnly)
	if !lost[0].Deleted.After(now) {
		first = "the first at any time"
	}
	if len(lost) == 1 {
		first = strings.TrimPrefix(first, "the first ")
	}
	return "within a week Claude Code deletes " + text.Count(len(lost), "transcript") +
		" of this project that memento has not taken in whole (" + first + ")"
}

// Step returns the step that helps.
func Step(lost []Transcript) string {
	if len(lost) == 1 {
		return "memento backfill keeps its turns"
	}
	return "memento backfill keeps their turns"
}
