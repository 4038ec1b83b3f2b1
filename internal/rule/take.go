package rule

import (
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// Take adds the candidates in messages that stand in no history: those of sessions from before. lane is the lane they
// count as said in. A message that is known by its ref is left out. A file that is made again has these candidates when
// Take is called again.
func (s Store) Take(slug string, lane project.Lane, all []history.Line) error {
	unlock, err := safefile.LockIn(s.Dir, Folder, s.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	var own []line
	err = s.changeLocked(nameOf(slug), func(c *contents) bool {
		r := newReader(c, nil)
		before := len(r.lines)
		for _, l := range all {
			r.take(lane, l)
		}
		for _, l := range r.lines[before:] {
			if l.User {
				own = append(own, l)
			}
		}
		return len(r.lines) > before
	})
	if err != nil {
		return err
	}
	return s.takeOwn(own, nil)
}
