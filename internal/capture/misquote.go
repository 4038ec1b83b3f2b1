package capture

import (
	"iter"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

// Misquoted returns the words that the client's summary of the session st quotes as the user's although neither the
// lane's history nor the session's transcript holds them. The transcript also holds words that are private, paused or
// forgotten. Misquoted returns none when the transcript cannot be read whole or does not begin with the session.
func Misquoted(lane project.Lane, st *session.Memory, summary string) []string {
	left := sentence.Quotations(redact.Clean(summary))
	unknown := false
	for _, typed := range [...]iter.Seq[string]{
		saidIn(lane, history.Part{Session: st.ID}),
		saidIn(lane, history.Part{}),
		func(yield func(string) bool) {
			inTime, more := Soon(), true
			_, end, err := transcript.Follow(st.Transcript, transcript.Position{},
				func() bool { return more && inTime() }, false,
				func(e transcript.Entry) {
					for _, p := range e.Prompts {
						unknown = unknown || p.Long
						more = more && yield(redact.Clean(p.Text))
					}
				})
			unknown = unknown || !end || err != nil || !transcript.Begins(st.Transcript)
		},
	} {
		if left = sentence.Untyped(left, typed); len(left) == 0 {
			return nil
		}
	}
	if unknown {
		return nil
	}
	return left
}

// saidIn yields the user's prompts in a part of the lane's history.
func saidIn(lane project.Lane, part history.Part) iter.Seq[string] {
	return func(yield func(string) bool) {
		_ = part.Read(lane, func(l history.Line) bool { return l.Kind != "said" || yield(l.Text) })
	}
}
