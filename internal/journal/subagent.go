package journal

import "strings"

// Subagent keeps what a subagent wrote: it goes to history under the agent's id and never touches the mission.
func (j *Journal) Subagent(agent, verb, words string) {
	j.keep("subagent", "agent", agent, "verb", verb, "text", words)
}

// maxReport is how much of a subagent's report is kept, in bytes.
const maxReport = 100 << 10

// Report keeps what a subagent of this type answered in session when it was done, at most maxReport bytes of it.
func (j *Journal) Report(session, agent, kind, words string) {
	if len(words) > maxReport {
		words = strings.ToValidUTF8(words[:maxReport], "") + "…"
	}
	j.keepAt("", session, "subagent", "agent", agent, "type", kind, "verb", "report", "text", words)
}
