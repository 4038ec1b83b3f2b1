package rule

import (
	"cmp"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/sentence"
)

// fromBeginning is the value of head.again before the first session: it sorts before the key of every session.
const fromBeginning = "-"

// SaidIn returns the prompts of a session. name is that of the session's file.
func SaidIn(name string, entries []log.Entry) (said []log.Entry) {
	for _, e := range entries {
		if e.Kind == log.Typed {
			e.Session, e.Text = cmp.Or(e.Session, name), sentence.Ends(e.Text)
			said = append(said, e)
		}
	}
	return said
}

// Take adds the candidates in messages of sessions from before and of other machines. lane is the lane they
// count as said in. A message that is known by its ref is left out. found has the candidates of messages that were
// judged already, by their refs.
func (s Store) Take(slug string, lane project.Lane, all []log.Entry, found map[string][]sentence.Candidate) error {
	unlock, err := safefile.LockIn(s.Dir, Folder, s.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	var own []line
	err = s.changeLocked(nameOf(slug), func(c *contents) bool {
		r := newReader(c, nil)
		r.found = found
		before := len(r.lines)
		if before == 0 {
			c.judged = judged
		}
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
