package session

import (
	"slices"
	"time"
)

// Handled is an event that a hook of this session has handled.
//
// memento may be wired more than once: by a plugin and settings.json, in two scopes, or by an entry of an older
// version. The client then starts one hook for each entry at every event, with the same payload, some milliseconds
// apart (measured on client 2.1.329, which starts one hook for entries with the same text). The first hook that locks
// the session handles the event; the others find the event here and do nothing. A hook that dies before Save leaves
// nothing here, so that the next one handles the event.
type Handled struct {
	Key   string    // tells the event apart, as far as its payload does
	By    []string  // who came for it
	At    time.Time // when the first of them did
	Aside bool      // it is a subagent's, and may happen while the session's own events do
}

// Moment is an event as one hook was told of it.
type Moment struct {
	Key   string
	By    string // which installation the hook is of, where that can be told
	Aside bool
	// Single is for how long a second event cannot have this key: what comes then is the same one, whoever it is told
	// by. 0 is for a payload that says nothing of when it was: told twice by the same one, it happened twice.
	Single time.Duration
}

// Together is how far apart the hooks of one event may begin: the time limit that each hook is wired with.
const Together = 5 * time.Second

// maxHandled is how many events are remembered. Only subagents that begin together have more than one.
const maxHandled = 32

// First reports whether nobody has handled the event, and notes that it is handled now. A session's own events follow
// one another, so First forgets all earlier ones. When in doubt it returns true: a line given twice does less harm than
// a line not given.
func (s *Memory) First(m Moment, now time.Time) bool {
	list := slices.DeleteFunc(slices.Clone(s.Handled), func(h Handled) bool {
		return now.Sub(h.At).Abs() > Together || h.Key != m.Key && !h.Aside && !m.Aside
	})
	at := slices.IndexFunc(list, func(h Handled) bool { return h.Key == m.Key })
	first := true
	switch {
	case at < 0:
	case !slices.Contains(list[at].By, m.By):
		list[at].By = append(slices.Clone(list[at].By), m.By)
		first = false
	case now.Sub(list[at].At).Abs() < m.Single:
		first = false
	default:
		list = slices.Delete(list, at, at+1)
	}
	if first {
		list = append(list, Handled{Key: m.Key, By: []string{m.By}, At: now, Aside: m.Aside})
	}
	s.Handled = list[max(0, len(list)-maxHandled):]
	return first
}
