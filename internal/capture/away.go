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
// paused then, or its hooks were off, or what was said up to then is forgotten. Asked in the order of the file, with where the
// line begins; a line without a time of its own counts as the one before it. While nobody can tell (pause.ErrUnreadable)
// nothing may be read.
func awayFrom(store journal.Store, st *session.State) (func(ts string, offset int64) bool, error) {
	list := pause.Load(store.Lane.Dir)
	if list.Err() != nil {
		return nil, list.Err()
	}
	same := func(offset int64, file string) bool {
		return transcript.Continues(st.Transcript, session.Position{Offset: offset, File: file})
	}
	paused, away := list.Off(pause.Key(store.Lane.Slug), st.ID, store.Now, same), false
	return func(ts string, offset int64) bool {
		if at, err := time.Parse(time.RFC3339, ts); err == nil {
			away = forgotten(st, at, store.Now) || paused(at, offset)
		}
		return away
	}, nil
}

// forgotten reports whether what was typed at a time is forgotten. A clock that was ahead when that was noted does not keep from
// hearing what was typed since it was put right.
func forgotten(st *session.State, at, now time.Time) bool {
	return at.Before(st.Since) && !(st.Since.After(now) && !at.After(now))
}

// Written tells how far the transcript at path is written.
func Written(path string) pause.Place {
	end := transcript.End(path)
	return pause.Place{Transcript: path, Offset: end.Offset, File: end.File}
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
