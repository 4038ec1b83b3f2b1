package journal

import (
	"slices"

	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/sentence"
)

// Left is an open mission of a lane, or one that an earlier session left, with its facts as they were then.
type Left struct {
	*Journal
	Lane   project.Lane // whose journal or history holds it
	Entry  log.Entry    // of the log; the zero Entry while a journal holds the mission
	reason string
}

// Ended reports whether the mission was ended, and not only left.
func (l *Left) Ended() bool { return history.Ended(l.reason) }

// FindLeft returns the mission that another session than own left last in the store's lane, nil for none. j is the
// lane's journal. It skips missions of sessions that runs reports as running, and a program's mission if there is
// another. If own put a mission away last, FindLeft returns nil. Errors are those of reading.
func (s Store) FindLeft(j *Journal, own string, runs func(session string) bool) (*Left, error) {
	var programs *Left
	other := func(j *Journal) bool { return j != nil && j.Open() && (j.Session != own || own == "") }
	if other(j) {
		if programs = (&Left{Journal: j, Lane: s.Lane}); !j.IsProgram() {
			return programs, nil
		}
	}
	var base *Journal
	if lane := s.Lane.Base(); lane != s.Lane {
		base, _ = s.beside(lane).Read()
	}
	var all []log.Entry
	err := history.Part{Kinds: []string{log.Mission}}.Read(s.Lane, func(l log.Entry) bool {
		if l.Reason != "rewound" {
			all = append(all, l)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	for _, l := range slices.Backward(all) {
		if l.Session == own && own != "" {
			break
		}
		if l.Reason == "parked" && runs(l.Session) || other(base) && base.Mission == l.Text {
			continue
		}
		old, err := Snapshot(l)
		if err != nil || old.IsProgram() {
			continue
		}
		return &Left{Journal: old, Lane: s.Lane, Entry: l, reason: l.Reason}, nil
	}
	return programs, nil
}

// Beside returns the open mission that was written last in these lanes, among those that are chosen and no program's,
// nil for none. It has to be newer than that of j, the lane's own journal: which lane a session got depended on the
// windows that were open.
func (s Store) Beside(j *Journal, lanes []project.Lane, chosen func(*Journal) bool) (newest *Left) {
	last := int64(0)
	if written, err := safefile.Stat(s.Lane.Journal()); err == nil && j != nil && j.Mission != "" {
		last = written.Time
	}
	for _, lane := range lanes {
		written, err := safefile.Stat(lane.Journal())
		if err != nil || written.Time <= last {
			continue
		}
		if b, err := s.beside(lane).Read(); err == nil && b.Open() && !b.IsProgram() && chosen(b) {
			newest, last = &Left{Journal: b, Lane: lane}, written.Time
		}
	}
	return newest
}

// beside returns the store of another lane.
func (s Store) beside(lane project.Lane) Store {
	s.Lane = lane
	return s
}

// IsProgram reports whether the mission is a program's: it reads as written for a model, and nothing came of it.
func (j *Journal) IsProgram() bool {
	return len(j.Done) == 0 && len(j.Plan) == 0 && len(j.Files) == 0 && sentence.IsForModel(j.Mission)
}

// About returns the words that name the mission and its work.
func (l *Left) About() string {
	about := l.Mission + " " + l.Wip
	for _, p := range l.Plan {
		about += " " + p
	}
	return about
}

// TakeOver gives session the mission of l, and parks the journal's own. A mission in another lane's journal is parked
// there. Errors are those of reading l and of writing that journal; j is then unchanged, or has the mission already.
func (j *Journal) TakeOver(s Store, l *Left, session string) error {
	switch {
	case l.Entry.Body != "":
		return j.Reopen(l.Entry, session)
	case l.Lane == s.Lane:
		j.HandOver(session)
		return nil
	}
	old := *l.Journal
	j.replaceBy(&old)
	j.moveTo(session)
	_, err := s.beside(l.Lane).Update(func(base *Journal) error {
		if base.Open() && base.Session == l.Session && base.Mission == l.Mission {
			base.Park()
		}
		return nil
	})
	return err
}
