// Package digest writes the records that nobody asks for: a session's outcome, a handoff to the next session, a
// subagent's answer. It takes their words from the journal, the history and the session's tools. No words of its own
// may come in but headings, and no judgement of what the user's words mean.
package digest
