package hook

import (
	"strings"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/transcript"
)

// news is words, a block of j that is about to be given, or "" when the session's context holds all that it tells: what was typed
// and done since the last compaction, and the block that was given after it.
func (h *handler) news(j *journal.Journal, words string) string {
	if j == nil || words == "" {
		return ""
	}
	var facts []transcript.Fact
	for _, f := range j.Facts(words) {
		facts = append(facts, transcript.Fact{Words: f.Words, Ref: f.Ref})
	}
	if len(capture.Lacking(h.state, facts)) == 0 {
		return ""
	}
	return words
}

// unheard leaves out of words the lines that the session's context holds.
func (h *handler) unheard(words string) string {
	if words == "" {
		return ""
	}
	var facts []transcript.Fact
	for _, line := range strings.Split(words, "\n") {
		facts = append(facts, transcript.Fact{Words: []string{line}})
	}
	out := ""
	for _, f := range capture.Lacking(h.state, facts) {
		out = withLine(out, f.Words[0])
	}
	return out
}
