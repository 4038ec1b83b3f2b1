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
