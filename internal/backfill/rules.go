package backfill

import (
	"fmt"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/past"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/rule"
)

// rules finds the sentences in a project's turns that may outlive their session, as a hook does in its history.
func (b *Backfill) rules(slug string) error {
	var said []history.Line
	if err := b.store().Each(slug, func(t past.Turn) { said = append(said, rule.SaidIn(t)) }); err != nil {
		return err
	}
	key, mark := "rules of "+slug, fmt.Sprint(len(said))
	if len(said) == 0 || b.noted[key] == mark {
		return nil
	}
	lane := project.NewLane(b.Config.Dir, slug, "", b.Config.Tag)
	if err := (rule.Store{Dir: b.Config.Dir, Now: b.Now, Wait: b.Wait}).Take(slug, lane, said, nil); err != nil {
		return err
	}
	return b.store().NoteTaken(key, mark)
}
