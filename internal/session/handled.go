package session

import (
	"slices"
	"time"
)

// Handled is an event that a hook of this session has handled.
//
// memento may be wired more than once: by a plugin and settings.json, or in two scopes. The client then starts one hook
// for each entry at every event, with the same payload, some milliseconds apart (measured on client 2.1.329, which
// starts one hook for entries with the same text). The first hook that locks the session handles the event; the others
// find the event here and do nothing. A hook that dies before Save leaves nothing here, so that the next one handles
// the event.
type Handled struct {
	Key string    // identifies the event, as far as its payload does
	By  []string  // the installations whose hooks were called for it
	At  time.Time // when the first of them was called
}

// Together is how far apart the hooks of one event may begin: the time limit that each hook is wired with.
const Together = 5 * time.Second

// maxHandled is how many events the memory keeps. Only subagents that begin together need more than one.
const maxHandled = 32

// First reports whether nobody has handled the event with this key, and notes that the installation by does now. Within
// single no second event has the key; later a second call of one installation is for another event. When in doubt First
// returns true: a line given twice does less harm than a line not given.
func (s *Memory) First(key, by string, single time.Duration, now time.Time) bool {
	list := slices.DeleteFunc(slices.Clone(s.Handled), func(h Handled) bool { return now.Sub(h.At).Abs() > Together })
	at := slices.IndexFunc(list, func(h Handled) bool { return h.Key == key })
	first := at < 0 || slices.Contains(list[at].By, by) && now.Sub(list[at].At).Abs() >= single
	switch {
	case !first:
		list[at].By = append(slices.Clone(list[at].By), by)
	case at >= 0:
		list[at] = Handled{Key: key, By: []string{by}, At: now}
	default:
		list = append(list, Handled{Key: key, By: []string{by}, At: now})
	}
	s.Handled = list[max(0, len(list)-maxHandled):]
	return first
}
