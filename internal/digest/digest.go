// Package digest makes the records that are written without being asked, from what the journal and the session's tools
// have shown: what a session came to, where the next one goes on, what a subagent answered. It adds no word of its own
// but headings.
package digest
