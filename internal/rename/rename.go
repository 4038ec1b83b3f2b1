// Package rename orders the steps that give a project another name in its journals, the log, records, running
// sessions, pauses and suggestions. The format of a file may not come in: only the package that writes the file knows
// where the name is. project and record decide which names are allowed, and cli tells the person.
//
// A run first changes the name in workspace.json, under the locks of all lanes. Then it moves file by file. When a run
// is cut off, the same run again does the rest: it finds the files with the old name, and workspace.json says that the
// files with the new name belong to the same project.
package rename

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/pace"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/removal"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/shared"
	"github.com/mementohq/memento/internal/suggest"
	"github.com/mementohq/memento/internal/view"
	"github.com/mementohq/memento/internal/withheld"
)

// Migration is a renaming of the project with the slug From to To.
type Migration struct {
	Dir      string // memento's folder
	From, To string
	Store    record.Store
	// Join says that To is another project, which takes From in and keeps its identity. A record whose new name is
	// taken gets a number.
	Join bool
	Now  time.Time
	Wait time.Duration // for each lock

	moving bool // the project has the new name already, so a file with that name is no collision
}

// CollisionError says that files of the new name exist already. Nothing was changed.
type CollisionError struct{ Names []string }

func (e *CollisionError) Error() string {
	if len(e.Names) == 1 {
		return "there is already " + e.Names[0]
	}
	return fmt.Sprintf("there are already %d things of that name: %s", len(e.Names), strings.Join(e.Names, ", "))
}

// passes is the greatest number of passes. A hook that runs meanwhile may leave a file with the old name.
const passes = 4

// Run renames, and returns what it renamed and what it could not rename. Errors: *CollisionError, with nothing changed;
// safefile's, with part of it done, and the same run again goes on.
func (m Migration) Run() (done Plan, err error) {
	for pass := range passes {
		p, err := m.Plan()
		if err != nil {
			return done, err
		}
		if p.Collisions != nil {
			return done, &CollisionError{p.Collisions}
		}
		moved := len(p.Journals) + len(p.Sessions) + len(p.Files) + p.Suggestions + p.Rules + p.Turns
		if pass > 0 && moved == 0 && len(p.Records) == len(done.Left) {
			break // no hook has used the old name since the last pass
		}
		done.Left = nil
		if err := m.pass(p, &done); err != nil {
			return done, err
		}
		m.moving = true
	}
	return done, withheld.Rename(m.Dir, m.From, m.To, true, m.Now, m.Wait)
}

// pass renames everything once and adds it to done.
func (m Migration) pass(p Plan, done *Plan) error {
	done.Known, done.Paused = done.Known || p.Known, done.Paused || p.Paused
	if err := withheld.Rename(m.Dir, m.From, m.To, false, m.Now, m.Wait); err != nil {
		return err
	}
	if err := m.lanes(done); err != nil {
		return err
	}
	// A save reads the project's name under the lock of all records. A save that holds the lock now may have read the
	// old name; later ones read the new name.
	if err := m.Store.Alone(func(record.Store) error { return nil }); err != nil {
		return err
	}
	m.moving = true
	p, err := m.Plan()
	if err != nil {
		return err
	}
	for _, r := range p.Records {
		to := r.To
		err := m.Store.Rename(r.From, to)
		for n := 2; errors.As(err, new(*record.ExistsError)) && n < 100; n++ { // saved since Run began: both stay
			r.To = fmt.Sprintf("%s-%d", strings.TrimSuffix(to, "-"), n)
			err = m.Store.Rename(r.From, r.To)
		}
		switch {
		case err == nil:
			done.Records = append(done.Records, r)
		case errors.Is(err, record.ErrNotFound):
		case errors.Is(err, safefile.ErrRefused), errors.Is(err, record.ErrInvalid),
			errors.As(err, new(*naming.Error)):
			done.Left = append(done.Left, record.Problem{Path: r.From, Err: err})
		default:
			return err
		}
	}
	err = m.Store.Alone(func(s record.Store) error {
		return removal.List{Dir: s.Dir, Now: s.Now}.Rename(naming.Project(m.From), naming.Project(m.To))
	})
	if err != nil {
		return err
	}
	for _, r := range p.Files {
		err := safefile.Move(filepath.Join(m.Dir, r.From), filepath.Join(m.Dir, r.To))
		switch {
		case err == nil:
			done.Files = append(done.Files, r)
		case errors.Is(err, fs.ErrExist), errors.Is(err, safefile.ErrRefused):
			done.Left = append(done.Left, record.Problem{Path: r.From, Err: err})
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	rules, err := m.rules().Rename(m.From, m.To)
	if done.Rules += rules; err != nil {
		return err
	}
	if err := m.turns().Rename(m.From, m.To); err != nil {
		return err
	}
	if err := shared.Rename(m.Dir, naming.Project(m.From), naming.Project(m.To), m.Wait); err != nil {
		return err
	}
	done.Turns += p.Turns
	if _, err := pace.DropOthers(m.Dir, func(slug string, _ []byte) bool { return slug == m.From }, false); err != nil {
		return err
	}
	if err := view.Rename(m.Dir); err != nil {
		return err
	}
	n, err := m.box().Rename(naming.Project(m.From), naming.Project(m.To))
	done.Suggestions += n
	return err
}

// turns returns the turns of all sessions.
func (m Migration) turns() log.Store { return log.Store{Dir: m.Dir, Wait: m.Wait} }

// box returns the inbox.
func (m Migration) box() suggest.Box { return suggest.Box{Dir: m.Dir, Now: m.Now, Wait: m.Wait} }

func (m Migration) rules() rule.Store { return rule.Store{Dir: m.Dir, Now: m.Now, Wait: m.Wait} }

// lanes renames the project in workspace.json and moves its journals. It holds the locks of the project's sessions and
// lanes, so that no hook writes meanwhile. A hook that begins meanwhile gets the new name and waits.
func (m Migration) lanes(done *Plan) error {
	held, err := session.Bound(m.Dir, m.owns, m.Wait)
	if err != nil {
		return err
	}
	defer func() {
		for _, s := range held {
			s.Release()
		}
	}()
	p, unlock, err := m.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if p.Collisions != nil {
		return &CollisionError{p.Collisions}
	}
	to := map[string]string{}
	for _, l := range p.Journals {
		to[l.From] = l.To
	}
	if err := project.Rename(m.Dir, m.From, m.To, m.Join, m.Now, m.Wait); err != nil {
		return err
	}
	for _, l := range p.byAge(m.Dir) {
		from, _ := project.LaneNamed(m.Dir, l.From)
		to, ok := project.LaneNamed(m.Dir, l.To)
		if !ok {
			return fmt.Errorf("%w: the name %s", safefile.ErrRefused, l.To)
		}
		if err := journal.Rename(from, to); err != nil {
			return err
		}
		if err := session.RenameHolder(from, to); err != nil {
			return err
		}
		done.Journals = append(done.Journals, l)
	}
	for _, s := range held {
		lane, ok := to[s.Lane]
		if !ok {
			lane = m.renamed(s.Lane)
		}
		if at, ok := project.LaneNamed(m.Dir, beside(lane, m.From)); ok && s.Holds(at) {
			lane = at.Name // a run that was cut off moved its journal there
		}
		s.Lane = lane
		if err := s.Save(); err != nil {
			return err
		}
		done.Sessions = append(done.Sessions, s.ID)
	}
	for _, l := range p.Journals {
		// A process that waits for one of these locks sees that the file is gone, and takes another lock.
		for _, end := range []string{"", "-debug"} {
			if err := safefile.Remove(safefile.LockPath(m.Dir, l.From) + end); err != nil {
				return err
			}
		}
	}
	return nil
}

// lock takes the locks of all lanes, with their old and new names, and then returns the Plan.
func (m Migration) lock() (p Plan, unlock func(), err error) {
	for range 20 {
		if p, err = m.Plan(); err != nil {
			return p, nil, err
		}
		var names []string
		for _, l := range p.Journals {
			names = append(names, l.From, l.To)
		}
		slices.Sort(names)
		var held []func()
		unlock = func() {
			for _, u := range held {
				u()
			}
		}
		for _, name := range slices.Compact(names) {
			u, err := safefile.LockIn(m.Dir, name, m.Wait)
			if err != nil {
				unlock()
				return p, nil, err
			}
			held = append(held, u)
		}
		now, err := m.Plan()
		if err == nil && slices.Equal(now.Journals, p.Journals) {
			return now, unlock, nil
		}
		unlock()
		if err != nil {
			return p, nil, err
		}
	}
	return p, nil, fmt.Errorf("%s: %w", m.From, safefile.ErrBusy) // new lanes keep coming
}

// byAge lists the lanes by the time of their journal, the oldest first. Renaming sets each journal's time, and so the
// newest stays the newest.
func (p Plan) byAge(dir string) []Renamed {
	age := map[string]time.Time{}
	entries, _ := safefile.List(dir) // on an error only the order is lost
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			age[e.Name()] = info.ModTime()
		}
	}
	out := slices.Clone(p.Journals)
	slices.SortStableFunc(out, func(a, b Renamed) int { return age[a.From+".json"].Compare(age[b.From+".json"]) })
	return out
}
