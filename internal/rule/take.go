package rule

import (
	"cmp"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/sentence"
)

// fromBeginning is the value of head.again before the first session: it sorts before the key of every session.
const fromBeginning = "-"

// SaidIn returns the prompts of a session as lines of a history. name is that of the session's file.
func SaidIn(name string, entries []log.Entry) (lines []history.Line) {
	for _, e := range entries {
		if e.Kind == log.Typed {
			lines = append(lines, history.Line{Kind: "said", Session: cmp.Or(e.Session, name),
				Text: sentence.Ends(e.Text), Asked: e.Asked, Ref: e.ID, TS: e.Time.UTC().Format(time.RFC3339Nano)})
		}
	}
	return lines
}

// takePast adds the candidates in the turns of a project's sessions. It stops after a session when time is over; the
// next call goes on. It leaves out a session that cannot be read: memento doctor names the session.
func (r *reader) takePast(store log.Store, slug string, lane project.Lane) {
	sessions, err := store.Sessions(slug)
	if err != nil {
		return
	}
	for _, one := range sessions {
		key := one.Month + "/" + one.ID
		if key <= r.again {
			continue
		}
		entries, _ := store.ReadSession(one)
		for _, l := range SaidIn(one.ID, entries) {
			r.take(lane, l)
		}
		if r.again = key; !r.inTime() {
			return
		}
	}
	r.again = ""
}

// Take adds the candidates in messages that stand in no history: those of sessions from before. lane is the lane they
// count as said in. A message that is known by its ref is left out. found has the candidates of messages that were
// judged already, by their refs.
func (s Store) Take(slug string, lane project.Lane, all []history.Line, found map[string][]sentence.Candidate) error {
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
