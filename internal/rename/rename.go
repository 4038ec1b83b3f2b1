// Package rename orders the steps in which a project gets another name everywhere memento keeps one: its journals and
// histories, its records, the sessions at work in it, its pauses, and what waits in the inbox. How a name stands in a
// file only the package knows that writes it. What a project is called, and whether it may be, is decided in project
// and record; what of this is said to a person, in cli.
//
// The name is changed first in workspace.json, under the locks of all it has journals for; what follows moves file by
// file. A run that is cut off leaves nothing undone that the same run a second time does not do: it finds what is
// left under the old name, and knows by workspace.json that what stands under the new one is the same project's.
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
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/suggest"
	"github.com/mementohq/memento/internal/withheld"
)

// Migration is a renaming of the project with the slug From to To.
type Migration struct {
	Dir      string // memento's folder
	From, To string
	Store    record.Store
	Beside   bool // a journal whose name is taken goes beside the one that has it, rather than to refuse
	// Join says that To is another project, which takes From in and keeps its identity; a record whose name is taken
	// gets a number.
	Join bool
	Now  time.Time
	Wait time.Duration // for each lock

	moving bool // the new name is the project's already: what takes one of its names now does so rightly
}

// CollisionError is the reason when things of the new name are there already; nothing was changed.
type CollisionError struct{ Names []string }

func (e *CollisionError) Error() string {
	if len(e.Names) == 1 {
		return "there is already " + e.Names[0]
	}
	return fmt.Sprintf("there are already %d things of that name: %s", len(e.Names), strings.Join(e.Names, ", "))
}

// passes is how often Run looks for what a hook that ran meanwhile left under the old name.
const passes = 4

// Run renames. It returns what was renamed, and what could not be. Errors: *CollisionError, with nothing changed;
// safefile's, with part of it done, which the same again goes on with.
func (m Migration) Run() (done Plan, err error) {
	for pass := range passes {
		p, err := m.Plan()
		if err != nil {
			return done, err
		}
		if p.Collisions != nil {
			return done, &CollisionError{p.Collisions}
		}
		if moved := len(p.Journals) + len(p.Sessions) + len(p.Files) + p.Suggestions; pass > 0 && moved == 0 &&
			len(p.Records) == len(done.Left) {
			break // a hook that ran meanwhile may have gone on under the old name
		}
		done.Left = nil
		if err := m.pass(p, &done); err != nil {
			return done, err
		}
		m.moving = true
	}
	return done, withheld.RenamePauses(m.Dir, m.From, m.To, true, m.Now, m.Wait)
}

func (m Migration) pass(p Plan, done *Plan) error {
	done.Known, done.Paused = done.Known || p.Known, done.Paused || p.Paused
	if err := withheld.RenamePauses(m.Dir, m.From, m.To, false, m.Now, m.Wait); err != nil {
		return err
	}
	if err := m.lanes(done); err != nil {
		return err
	}
	// A save asks under the records' lock what the project is called: one that has it now may have heard the old
	// name, none later.
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
		for n := 2; errors.As(err, new(*record.ExistsError)) && n < 100; n++ { // saved since this began: both stay
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
	if err := m.Store.RenameRemoved(naming.Project(m.From), naming.Project(m.To)); err != nil {
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
	n, err := m.box().Rename(naming.Project(m.From), naming.Project(m.To))
	done.Suggestions += n
	return err
}

// box is the inbox.
func (m Migration) box() suggest.Box { return suggest.Box{Dir: m.Dir, Now: m.Now, Wait: m.Wait} }

// lanes moves the journals while no hook of the project's sessions runs and nobody else writes to its journals, and
// renames it in workspace.json. What begins in between has the new name, and waits.
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
			lane = at.Name // a migration that was cut off moved its journal there
		}
		s.Lane = lane
		if err := s.Save(); err != nil {
			return err
		}
		done.Sessions = append(done.Sessions, s.ID)
	}
	for _, l := range p.Journals {
		// Who waits for one of these locks sees that it is gone, and takes another.
		for _, end := range []string{".lock", ".lock-debug"} {
			if err := safefile.Remove(filepath.Join(m.Dir, "state", l.From+end)); err != nil {
				return err
			}
		}
	}
	return nil
}

// lock takes the locks of all lanes, old and new, and returns what there is once nobody else writes there.
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
	return p, nil, fmt.Errorf("%s: %w", m.From, safefile.ErrBusy) // another one begins all the time
}

// byAge lists the lanes by when their journal was written: that of each is touched, and the newest is to stay so.
func (p Plan) byAge(dir string) []Renamed {
	age := map[string]time.Time{}
	entries, _ := safefile.List(dir) // unknown, the order is another one
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			age[e.Name()] = info.ModTime()
		}
	}
	out := slices.Clone(p.Journals)
	slices.SortStableFunc(out, func(a, b Renamed) int { return age[a.From+".json"].Compare(age[b.From+".json"]) })
	return out
}
