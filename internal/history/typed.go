package history

import (
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
)

// Typed returns the user's prompts, each once, oldest first.
func Typed(lane project.Lane) (typed []log.Entry, err error) {
	return TypedBeside(lane, func(log.Entry) {})
}

// TypedBeside is Typed that calls each with every entry it reads.
func TypedBeside(lane project.Lane, each func(log.Entry)) (typed []log.Entry, err error) {
	seen := map[string]bool{}
	err = Read(lane, func(e log.Entry) bool {
		if each(e); e.Kind == log.Typed && !seen[e.ID] {
			seen[e.ID] = true
			typed = append(typed, e)
		}
		return true
	})
	return typed, err
}

// maxSpoken is the longest entry that Spoken reads, in bytes: a longer message was pasted.
const maxSpoken = 256 << 10

// Spoken calls f with each entry of a session's file that is a message of the user's, or says that one was rewound or
// restored. Errors: safefile's.
func Spoken(path string, f func(log.Entry)) error {
	var all []log.Entry
	was := map[string]bool{} // the IDs of prompts before the transcript showed them
	err := log.Scan(path, maxSpoken, false, []string{log.Typed, log.Rewound, log.Restored}, func(e log.Entry) {
		all, was[e.Was] = append(all, e), e.Was != ""
	})
	for _, e := range all {
		if !was[e.ID] {
			f(e)
		}
	}
	return err
}
