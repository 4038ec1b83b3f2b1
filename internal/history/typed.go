package history

import (
	"strings"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// WholeMission returns the user's whole words for mission, which a journal may hold cut short. ref is the transcript
// uuid of the prompt that opened it, "" for none. It returns an error of the disk only when the mission stays cut.
func WholeMission(lane project.Lane, mission, ref string) (string, error) {
	whole := mission
	err := Read(lane, func(e log.Entry) bool {
		ours := ref != "" && e.Ref() == ref
		begins := strings.HasPrefix(e.Text, strings.TrimSuffix(mission, text.Ellipsis))
		if (e.Kind == "opened" || e.Kind == log.Typed) && ours || e.Kind == "opened" && ref == "" && begins {
			whole = e.Text
		}
		return true
	})
	if !strings.HasSuffix(whole, text.Ellipsis) {
		err = nil
	}
	return whole, err
}

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
