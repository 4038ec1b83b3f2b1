package journal

import (
	"time"
)

// Subagent keeps what a subagent wrote: it goes to history under the agent's id and never touches the mission.
func (j *Journal) Subagent(agent, verb, words string) {
	j.keep("subagent", "agent", agent, "verb", verb, "text", words)
}

// Report keeps what a subagent of this type answered in session at this time, whole: an event bounds how much that is.
func (j *Journal) Report(at time.Time, session, agent, kind, words string) {
	j.keepAt(at.UTC().Format(time.RFC3339), session, "subagent", "agent", agent, "type", kind, "verb", "report", "text",
		words)
}
