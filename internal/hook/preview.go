package hook

import (
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/session"
)

// Preview returns what Claude would get now in the lane of s: the session of its mission after a compaction (after is
// true then), or with no open mission a session that begins. j is the lane's journal, nil for none, and m the memory of
// its session. Preview changes nothing. What other sessions, the folder and the repository would add is left out.
func Preview(s journal.Store, j *journal.Journal, m session.Memory, now time.Time) (words string, after bool) {
	h := &handler{env: Env{Now: now}, config: s.Config, store: s, state: &m,
		event: event.Event{Source: "startup"}, client: client.Of(m.Transcript)}
	records, project := h.records()
	begun := retrieve.Begin(records, project, h.shown)
	h.begun = &begun
	if j != nil && j.Open() {
		h.event.Source, h.event.SessionID = "compact", j.Session
		m.Compactions++
		words, after = h.blockOf(j, block.View{}), true
	} else {
		if j == nil {
			j = &journal.Journal{Project: s.Lane.Slug}
		}
		words = lines(block.Previous(j, s.Lane.Journal(), now), h.elsewhere(j), h.handoff(j))
	}
	return lines(words, h.notesOf(begun, words)), after
}
