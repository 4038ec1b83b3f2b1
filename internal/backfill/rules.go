package backfill

import "github.com/mementohq/memento/internal/rule"

// rules finds what a project's turns say that outlives their session, as a hook does.
func (b *Backfill) rules(slug string) error {
	return rule.Store{Dir: b.Config.Dir, Now: b.Now, Wait: b.Wait}.Refresh(slug)
}
