package capture

import (
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/sentence"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

// Misquoted returns the words that the client's summary of the session st quotes as the user's although nothing that
// the user typed in the lane holds them: no prompt in its history or in the session's transcript, none that waits for
// the transcript, no shell command or note typed at the client, and no question that the user answered. The transcript
// also holds words that are private, paused or forgotten. Misquoted returns none when it cannot read all of them in
// time, or when the transcript does not begin with the session.
func Misquoted(lane project.Lane, st *session.Memory, summary string) []string {
	inTime, unknown := Soon(), false
	left := sentence.Untyped(sentence.Quotations(redact.Clean(summary)), func(yield func(string) bool) {
		more := true
		add := func(words string) { more = more && (words == "" || yield(words)) }
		for _, p := range st.Pending {
			add(p.Text)
		}
		for _, part := range [...]history.Part{{Session: st.ID}, {}} {
			_ = part.Read(lane, func(l history.Line) bool {
				if l.Kind == "said" && (part.Session != "") == (l.Session == st.ID) {
					add(l.Asked)
					add(l.Text)
				}
				return more && inTime()
			})
		}
		_, end, err := transcript.Follow(st.Transcript, transcript.Position{}, func() bool { return more && inTime() },
			false, func(e transcript.Entry) {
				if !more {
					return
				}
				add(redact.Clean(e.Doubtful))
				for _, p := range e.Prompts {
					unknown = unknown || p.Long
					add(redact.Clean(p.Asked))
					add(redact.Clean(p.Text))
				}
			})
		unknown = unknown || !end || err != nil || !transcript.Begins(st.Transcript, inTime) || !inTime()
	})
	if unknown {
		return nil
	}
	return left
}
