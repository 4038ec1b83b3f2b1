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
	Key   string    // identifies the event, as far as its payload does
	By    []string  // the hooks that were called for it
	At    time.Time // when the first of them was called
	Aside bool      // it is a subagent's event, which may happen during the session's own events
}

// Moment is an event as one hook received it.
type Moment struct {
	Key   string
	By    string // the installation that the hook belongs to, if known
	Aside bool
	// Single is the time in which no second event can have this key: a second call in that time is for the same
	// event, whichever hook it comes from. 0 is for a payload without a time: two calls of one hook are two events
	// then.
	Single time.Duration
}

// Together is how far apart the hooks of one event may begin: the time limit that each hook is wired with.
const Together = 5 * time.Second

// maxHandled is how many events the memory keeps. Only subagents that begin together need more than one.
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
