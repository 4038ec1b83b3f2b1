package rule

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/sentence"
)

// readEnds is how much of a very long message is judged, in bytes from its beginning and from its end.
const readEnds = 8 << 10

// maxMessages is how many messages one Refresh judges within InTime's time. The next one goes on.
const maxMessages = 1000

// Refresh takes in what the histories of a project have of new messages. The first time it reads them from their
// beginning, and then the turns of package past: those that a backfill took in stand in no history. When InTime says
// that time is over, it writes what it has; the next call goes on. lanes limits it to lanes that were read before and
// to these; with none it looks for all lanes of the project.
func (s Store) Refresh(slug string, lanes ...project.Lane) error {
	name := nameOf(slug)
	known := s.progress(name)
	if len(lanes) == 0 {
		lanes = s.lanesOf(slug)
	} else {
		lanes = slices.Clone(lanes)
		for _, p := range known.read {
			if lane, ok := project.LaneNamed(s.Dir, p.lane); ok && !slices.Contains(lanes, lane) {
				lanes = append(lanes, lane)
			}
		}
	}
	if !slices.ContainsFunc(lanes, known.lacks) {
		return nil
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
			c.head = head{judged: judged, again: fromBeginning, others: c.head.others}
			c.lines = slices.DeleteFunc(c.lines, func(l line) bool { return l.decision == "" })
		}
		r := newReader(c, s.InTime)
		for _, lane := range lanes {
			if failed = r.readLane(lane); failed != nil {
				break
			}
		}
		if failed == nil && r.again != "" && r.inTime() {
			r.takePast(log.Store{Dir: s.Dir}, slug, lanes[0])
		}
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

// lanesOf returns the lanes of a project that have a history.
func (s Store) lanesOf(slug string) (out []project.Lane) {
	entries, err := safefile.ListFolder(s.Dir + string(os.PathSeparator) + "history")
	if err != nil {
		return nil
	}
	for _, e := range entries {
		name, isHistory := strings.CutSuffix(e.Name(), ".jsonl")
		if lane, ok := project.LaneNamed(s.Dir, name); isHistory && ok && lane.Slug == slug {
			out = append(out, lane)
		}
	}
	return out
}

// lacks reports whether the history of a lane is longer or shorter than what was read of it.
func (h head) lacks(lane project.Lane) bool {
	info, err := os.Lstat(lane.History())
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	return h.judged != judged || h.again != "" || info.Size() != h.position(lane)
}

func (h head) position(lane project.Lane) int64 {
	for _, p := range h.read {
		if p.lane == lane.Name {
			return p.next
		}
	}
	return 0
}

// reader adds to the contents of a file what the histories have.
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

// readLane reads on in the history of one lane.
func (r *reader) readLane(lane project.Lane) error {
	from := r.position(lane)
	if info, err := os.Lstat(lane.History()); err != nil || info.Size() == from {
		return nil
	}
	next, err := history.SpokenSince(lane, from, readEnds, func(l history.Line) bool {
		if !r.inTime() {
			return false
		}
		r.take(lane, l)
		return true
	})
	if err != nil {
		return err
	}
	r.read = append(slices.DeleteFunc(r.read, func(p position) bool { return p.lane == lane.Name }),
		position{lane.Name, next})
	return nil
}

// take adds the candidates of a message, or what became of a message.
func (r *reader) take(lane project.Lane, l history.Line) {
	switch l.Kind {
	case "said":
		r.takeMessage(lane, l)
	case "confirmed":
		for i := range r.lines {
			if x := &r.lines[i]; x.ref == "" && x.Session == l.Session && x.At == utc(l.TS) {
				isNew := r.isNew(*x)
				x.ref = l.Ref
				r.has[l.Ref], r.added[l.Ref] = true, isNew
			}
		}
	case "rewound", "restored":
		gone := l.Kind == "rewound"
		r.rewound[l.Ref] = gone
		for i := range r.lines {
			if x := &r.lines[i]; l.Ref != "" && x.ref == l.Ref {
				x.gone = gone
			}
		}
	}
}

func (r *reader) takeMessage(lane project.Lane, l history.Line) {
	said := line{ref: l.Ref, lane: lane.Name}
	said.Session, said.At = l.Session, utc(l.TS)
	if r.has[said.message()] {
		return
	}
	r.has[said.message()], r.added[said.message()] = true, true
	all, isJudged := r.found[l.Ref]
	if !isJudged {
		all = sentence.Candidates(l.Text, l.Asked != "")
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
