package history

import (
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// Bind says that entries are of a lane, and gives those without an ID one: the same words that leave a journal twice,
// after a kill between two writes, have one and count once. What opened or was approved or applied counts once for a
// prompt or call, whenever it was written.
func Bind(lane project.Lane, entries []log.Entry) {
	for i := range entries {
		e := &entries[i]
		if e.Lane = key(lane); e.ID != "" {
			continue
		}
		parts := []string{e.Lane, e.Kind, e.Session, e.Text, e.Of, e.Body, e.Agent, e.Verb}
		if !(e.Kind == "done" || e.Verb == "report" ||
			e.Of != "" && text.OneOf(e.Kind, "opened", "approved", "applied")) {
			parts = append(parts, e.Stamp())
		}
		e.ID = text.Fingerprint(parts...)
	}
}
