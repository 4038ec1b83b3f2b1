package history

import (
	"slices"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// once are the kinds whose entries of a prompt or call count once, whenever they were written.
var once = []string{"opened", "approved", "applied"}

// Bind says that entries are of a lane, and gives those without an ID one: the same words that leave a journal twice,
// after a kill between two writes, have one and count once.
func Bind(lane project.Lane, entries []log.Entry) {
	for i := range entries {
		e := &entries[i]
		if e.Lane = key(lane); e.ID != "" {
			continue
		}
		parts := []string{e.Lane, e.Kind, e.Session, e.Text, e.Of, e.Body, e.Agent, e.Verb}
		if !(e.Kind == "done" || e.Of != "" && slices.Contains(once, e.Kind) || e.Verb == "report") {
			parts = append(parts, e.Stamp())
		}
		e.ID = text.Fingerprint(parts...)
	}
}
