package backfill

import (
	"fmt"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/rule"
)

// rules finds the sentences in a project's turns that may outlive their session, as a hook does in its history.
func (b *Backfill) rules(slug string) error {
	sessions, err := b.store().Sessions(slug)
	if err != nil {
		return err
	}
	var said []log.Entry
	for _, one := range sessions {
		entries, _ := b.store().ReadSession(one) // memento doctor names a file that cannot be read
		said = append(said, rule.SaidIn(one.ID, entries)...)
	}
	key, mark := "rules of "+slug, fmt.Sprint(len(said))
	if len(said) == 0 || b.noted[key] == mark {
		return nil
	}
	lane := project.NewLane(b.Config.Dir, slug, "", b.Config.Tag)
	if err := (rule.Store{Dir: b.Config.Dir, Now: b.Now, Wait: b.Wait}).Take(slug, lane, said, nil); err != nil {
		return err
	}
	return past.NoteTaken(b.store(), key, mark)
}
