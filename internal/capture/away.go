package capture

import (
	"slices"
	"time"

	"github.com/mementohq/memento/internal/erased"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/pause"
	"github.com/mementohq/memento/internal/redact"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

// awayFrom returns a func that reports whether memento looked away when a line of st's transcript was written: it was
// paused then, or its hooks were off, or what was said up to then is forgotten. Asked in the order of the file; a line
// without a time of its own counts as the one before it. While nobody can tell (pause.ErrUnreadable) nothing may be read.
func awayFrom(store journal.Store, st *session.State) (func(ts string) bool, error) {
	list := pause.Load(store.Lane.Dir)
	if list.Err() != nil {
		return nil, list.Err()
	}
	paused, away := list.Off(pause.Key(store.Lane.Slug), st.ID), false
	return func(ts string) bool {
		if at, err := time.Parse(time.RFC3339, ts); err == nil {
			away = at.Before(st.Since) || paused(at)
		}
		return away
	}, nil
}

// unerased returns e without what a person had erased.
func unerased(gone erased.List, e transcript.Entry) transcript.Entry {
	if gone.Empty() {
		return e
	}
	e.Prompts = slices.DeleteFunc(e.Prompts, func(p transcript.Prompt) bool { return gone.Ref(p.UUID) || gone.Words(redact.Clean(p.Text), p.TS) })
	e.Calls = slices.DeleteFunc(e.Calls, func(c transcript.Call) bool { return gone.Ref(c.ID) })
	e.Results = slices.DeleteFunc(e.Results, func(r transcript.Result) bool { return gone.Ref(r.ID) })
	if gone.Ref(e.PR) {
		e.PR = ""
	}
	return e
}
