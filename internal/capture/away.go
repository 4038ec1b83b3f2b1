package capture

import (
	"slices"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
	"github.com/mementohq/memento/internal/withheld"
)

// gateOf opens what tells which lines of st's transcript may be taken in. Errors: withheld.Open's; nothing may be read then.
func gateOf(store journal.Store, st *session.State) (*withheld.Gate, error) {
	path := st.Transcript
	same := func(offset int64, file string) bool {
		return transcript.Continues(path, session.Position{Offset: offset, File: file})
	}
	return withheld.Open(store.Lane.Dir, withheld.Session{ID: st.ID, Slug: store.Lane.Slug, Since: st.Since, Same: same}, store.Now)
}

// Written tells how far the transcript at path is written.
func Written(path string) withheld.Place {
	end := transcript.End(path)
	return withheld.Place{Transcript: path, Offset: end.Offset, File: end.File}
}

// unerased returns e without what a person had erased.
func unerased(gate *withheld.Gate, e transcript.Entry) transcript.Entry {
	if gate.NothingErased() {
		return e
	}
	e.Prompts = slices.DeleteFunc(e.Prompts, func(p transcript.Prompt) bool {
		return gate.Erased(p.UUID) || gate.ErasedWords(redact.Clean(p.Text), p.TS)
	})
	e.Calls = slices.DeleteFunc(e.Calls, func(c transcript.Call) bool { return gate.Erased(c.ID) })
	e.Results = slices.DeleteFunc(e.Results, func(r transcript.Result) bool { return gate.Erased(r.ID) })
	if gate.Erased(e.PR) {
		e.PR = ""
	}
	return e
}
