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
	Key string // identifies the event
	At  time.Time
}

// together is how far apart the hooks of one event may begin: the time limit that each hook is wired with.
const together = 5 * time.Second

// maxHandled is how many events the memory keeps. Only subagents that begin together need more than one.
const maxHandled = 32

// First reports whether nobody has handled the event with this key, and notes that it is handled now.
func (s *Memory) First(key string, now time.Time) bool {
	list := slices.DeleteFunc(slices.Clone(s.Handled), func(h Handled) bool { return now.Sub(h.At).Abs() > together })
	if slices.ContainsFunc(list, func(h Handled) bool { return h.Key == key }) {
		return false
	}
	list = append(list, Handled{key, now})
	s.Handled = list[max(0, len(list)-maxHandled):]
	return true
}
