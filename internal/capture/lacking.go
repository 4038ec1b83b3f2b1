package capture

import (
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

// Lacking returns those of facts that the context of the session st does not hold, as far as that can be seen in a
// moment; see transcript.Lacks.
func Lacking(st *session.Memory, facts []transcript.Fact) []transcript.Fact {
	if len(facts) == 0 || st.Transcript == "" {
		return facts
	}
	return transcript.Lacks(st.Transcript, facts, soon())
}
