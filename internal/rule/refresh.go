package rule

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/sentence"
)

// maxMessages is how many messages one Refresh judges within InTime's time. The next one goes on.
const maxMessages = 1000

// Refresh takes in what the log of a lane's project has of new messages. The first time it reads the files of all
// sessions from their beginning. Then it reads on in those of sessions, and of those that it read before; without
// sessions in all that were written since all were read. When InTime says that time is over, it writes what it has;
// the next call goes on. What another machine sent counts as said in lane.
func (s Store) Refresh(lane project.Lane, sessions ...string) error {
	name := nameOf(lane.Slug)
	known, all := s.progress(name), log.Store{Dir: s.Dir}
	listed, isAll := time.Now().Add(-time.Second), len(sessions) == 0 // the clock of files may be coarse
	if isAll && known.judged == judged {                              // else all are read again
		sessions = s.changed(known.until, lane.Slug)
	}
	for _, p := range known.read {
		if !slices.Contains(sessions, p.session) {
			sessions = append(sessions, p.session)
		}
	}
	paths := map[string]string{} // of the sessions that have something new
	for _, id := range sessions {
		path, err := all.File(lane.Slug, id)
		if info, statErr := os.Lstat(path); err == nil && statErr == nil && info.Size() != known.position(id) {
			paths[id] = path
		}
	}
	if len(paths) == 0 {
		isRead := known.judged == judged && known.again == ""
		if !isRead {
			first, err := all.Sessions(lane.Slug)
			isRead = err == nil && len(first) == 0
		}
		if isRead {
			return nil
		}
	}
	unlock, err := safefile.LockIn(s.Dir, Folder, s.Wait)
	if err != nil {
		return err
	}
	defer unlock()
	var own []line
	var failed error
	rewound := map[string]bool{}
	err = s.changeLocked(name, func(c *contents) bool {
		if c.judged != judged {
			c.head = head{judged: judged, until: listed, again: fromBeginning, others: c.head.others}
			c.lines = slices.DeleteFunc(c.lines, func(l line) bool { return l.decision == "" })
		}
		r := newReader(c, s.InTime)
		for _, id := range sessions {
			path := paths[id]
			if path == "" {
				continue
			}
			if failed != nil || !r.inTime() {
				isAll = false
				break
			}
			failed = r.readSession(lane, id, path)
		}
		if isAll && failed == nil {
			r.until = listed
		}
		if failed == nil && r.again != "" && r.inTime() {
			r.readAll(all, lane)
		}
		r.read = r.read[max(0, len(r.read)-maxRead):]
		for i := range c.lines {
			if l := c.lines[i]; l.User && l.decision == "" && r.isNew(l) {
				own = append(own, l)
			}
		}
		rewound = r.rewound
		return true
	})
	if err == nil {
		err = s.takeOwn(own, rewound)
	}
	return errors.Join(err, failed)
}

// maxRead is of how many sessions a file notes how far they were read, the last ones: more do not run at once.
const maxRead = 16

// changed returns the sessions of a project that were written since then.
func (s Store) changed(since time.Time, slug string) (out []string) {
	sessions, _ := log.Store{Dir: s.Dir}.Sessions(slug) // what cannot be listed is read later
	for _, one := range sessions {
		if one.Changed.After(since) {
			out = append(out, one.ID)
		}
	}
	return out
}

// takeOwn brings the user's own file up to date with what is about the person. It runs under the lock.
func (s Store) takeOwn(own []line, rewound map[string]bool) error {
	if len(own) == 0 && len(rewound) == 0 {
		return nil
	}
	return s.changeLocked(ownName, func(c *contents) (changed bool) {
		c.judged = judged
		has := map[string]bool{}
		for i := range c.lines {
			l := &c.lines[i]
			has[l.key()] = true
			if gone, is := rewound[l.ref]; is && l.ref != "" && l.gone != gone {
				l.gone, changed = gone, true
			}
		}
		for _, l := range own {
			if !has[l.key()] {
				c.lines, changed = append(c.lines, l), true
			}
		}
		return changed
	})
}

func (h head) position(session string) int64 {
	for _, p := range h.read {
		if p.session == session {
			return p.next
		}
	}
	return 0
}

// reader adds to the contents of a file what the log has.
type reader struct {
	*contents
	inTime  func() bool
	has     map[string]bool // keys of the messages that are known
	added   map[string]bool // keys of the messages that were read now
	rewound map[string]bool // by uuid: true for rewound, false for restored

	found map[string][]sentence.Candidate // of messages that were judged before, by their refs
}

func newReader(c *contents, inTime func() bool) *reader {
	r := &reader{contents: c, has: map[string]bool{}, added: map[string]bool{},
		rewound: map[string]bool{}}
	r.inTime = func() bool { return inTime == nil || len(r.added) < maxMessages && inTime() }
	for _, l := range c.lines {
		if l.decision == "" {
			r.has[l.message()] = true
		}
	}
	return r
}

// message returns what tells the message of a candidate from others. A resumed or forked session repeats the uuids of
// its parent.
func (l line) message() string {
	if l.ref != "" {
		return l.ref
	}
	return l.Session + " " + l.At
}

// key returns what tells a candidate from others.
func (l line) key() string { return l.message() + " " + l.decision + " " + l.Text }

func (r *reader) isNew(l line) bool { return r.added[l.message()] }

// readSession reads the file of a session, and notes how far.
func (r *reader) readSession(lane project.Lane, id, path string) error {
	info, statErr := os.Lstat(path) // what is added now is read next time
	err := history.Spoken(path, func(e log.Entry) {
		at := lane
		if e.Lane != "" {
			at.Name = history.LaneName(lane.Slug, e.Lane)
		}
		e.Session = cmp.Or(e.Session, id)
		r.take(at, e)
	})
	if err == nil && statErr == nil {
		r.read = append(slices.DeleteFunc(r.read, func(p position) bool { return p.session == id }),
			position{id, info.Size()})
	}
	return err
}

// readAll reads the files of all sessions. It stops after a session when time is over; the next call goes on. It leaves
// out a session that cannot be read: memento doctor names the session.
func (r *reader) readAll(store log.Store, lane project.Lane) {
	sessions, err := store.Sessions(lane.Slug)
	if err != nil {
		return
	}
	for _, one := range sessions {
		key := one.Month + "/" + one.ID
		if key <= r.again {
			continue
		}
		_ = r.readSession(lane, one.ID, one.Path)
		if r.again = key; !r.inTime() {
			return
		}
	}
	r.again = ""
}

// take adds the candidates of a message, or what became of a message.
func (r *reader) take(lane project.Lane, l log.Entry) {
	switch l.Kind {
	case log.Typed:
		r.takeMessage(lane, l)
	case log.Rewound, log.Restored:
		gone := l.Kind == log.Rewound
		r.rewound[l.Of] = gone
		for i := range r.lines {
			if x := &r.lines[i]; x.ref == l.Of {
				x.gone = gone
			}
		}
	}
}

func (r *reader) takeMessage(lane project.Lane, l log.Entry) {
	said := line{ref: l.ID, lane: lane.Name}
	said.Session, said.At = l.Session, utc(l.Stamp())
	if r.has[said.message()] {
		return
	}
	if l.Was != "" && r.has[l.Was] { // it was judged before the transcript had shown it
		for i := range r.lines {
			if x := &r.lines[i]; x.ref == l.Was {
				x.ref = l.ID
			}
		}
		r.has[l.ID], r.added[l.ID] = true, r.added[l.Was]
		return
	}
	r.has[said.message()], r.added[said.message()] = true, true
	all, isJudged := r.found[l.ID]
	if !isJudged {
		all = sentence.Candidates(sentence.Ends(l.Text), l.Asked != "")
	}
	for _, c := range all {
		said.Candidate = c
		r.lines = append(r.lines, said)
	}
}

// utc returns a time in universal time, in which strings compare as times do.
func utc(ts string) string {
	at, err := time.Parse(time.RFC3339, ts)
	if err != nil {
		return ts
	}
	return at.UTC().Format(time.RFC3339)
}
