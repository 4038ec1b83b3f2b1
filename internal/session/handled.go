package session

import (
	"slices"
	"time"
)

// Handled is an event that a hook of this session has taken in hand.
//
// Should memento be wired more than once (a plugin and settings.json, two scopes, an entry that another version left),
// the client starts a hook of each for one event, all with the same payload, some milliseconds apart (measured on
// client 2.1.329; of entries that are the same to the letter it starts one). Whichever gets hold of the session first
// handles the event; the others find it here and say and count nothing. Only a hook that came puts anything here: that
// another one is wired says nothing, since its binary may not be there yet. One that dies before its Save leaves
// nothing, and the next handles it.
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

// Together is how far apart hooks of one event may begin: the time limit that each is wired with. One that begins later
// would not be of it.
const Together = 5 * time.Second

// maxHandled is how many events are remembered; more than one are only those of subagents that begin together.
const maxHandled = 32

// First reports whether the event is still to be handled, and notes that it is now. A session's own events follow one
// another, so that a later one, of whatever kind, is the end of those before it. When in doubt it is true: what is said
// twice is in nobody's way, and what is not said is missed.
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
