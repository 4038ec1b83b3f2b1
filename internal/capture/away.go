package capture

import (
	"time"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/pause"
	"github.com/mementohq/memento/internal/session"
)

// awayFrom returns a func that reports whether memento looked away when a line of st's transcript was written: it was
// paused then, or its hooks were off, or what was said up to then is forgotten. Asked in the order of the file; a line
// without a time of its own counts as the one before it.
func awayFrom(store journal.Store, st *session.State) func(ts string) bool {
	paused := pause.Load(store.Lane.Dir).Off(pause.Key(store.Lane.Slug), st.ID)
	away := false
	return func(ts string) bool {
		if at, err := time.Parse(time.RFC3339, ts); err == nil {
			away = at.Before(st.Since) || paused(at)
		}
		return away
	}
}
