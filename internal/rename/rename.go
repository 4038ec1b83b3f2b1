// Package rename orders the steps that give a project another name in what is kept: its journals, the log, records,
// the lanes of sessions and pauses. The format of a file may not come in: only the package that writes the file knows
// where the name is. project and record decide which names are allowed, and cli tells the person.
//
// A run first changes the name in workspace.json, under the locks of all sessions and lanes. Then it moves file by
// file, and at last removes from the cache what is made again. When a run is cut off, the same run again does the rest:
// it finds the files with the old name, and workspace.json says that the files with the new name belong to the same
// project.
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
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/removal"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/withheld"
)

// Migration is a renaming of the project with the slug From to To.
type Migration struct {
	Dir      string // memento's folder
	From, To string
	Store    record.Store
	Join     bool // To is another project, which takes From in and keeps its identity
	Now      time.Time
	Wait     time.Duration // for each lock
}

// Renamed is the old and the new name of one thing.
type Renamed struct{ From, To string }

// Plan lists what a Migration will rename, or has renamed.
type Plan struct {
	Journals []Renamed // lanes, the one whose journal is the oldest first
	Records  []Renamed // ids
	Files    []Renamed // files that were set aside and the like, relative to memento's folder
	Turns    int       // sessions whose turns are kept
	Paused   bool
	Known    bool             // workspace.json has the old name
	Left     []record.Problem // what Run could not rename
}

// Empty reports whether nothing has the old name.
func (p Plan) Empty() bool { return p.moves()+len(p.Records) == 0 && !p.Paused && !p.Known }

// moves counts what is not a record.
func (p Plan) moves() int { return len(p.Journals) + len(p.Files) + p.Turns }

// Plan returns what Run will rename. It changes nothing. Errors: the disk's.
func (m Migration) Plan() (p Plan, err error) {
	w := project.OpenWorkspace(m.Dir)
	if w.Err != nil {
		return p, w.Err
	}
	for _, k := range w.Known {
		p.Known = p.Known || k.Slug == m.From
	}
	if err := m.findFiles(&p); err != nil {
		return p, err
	}
	l := withheld.LoadPauses(m.Dir)
	p.Paused = l.Err() == nil && l.Knows(m.From)
	sessions, err := m.turns().Sessions(m.From)
	if err != nil {
		return p, err
	}
	p.Turns = len(sessions)
	return p, nil
}

// findFiles adds the project's journals, records and other files to the plan.
func (m Migration) findFiles(p *Plan) error {
	ours, theirs := naming.Project(m.From)+"--", naming.Project(m.To)+"--"
	age, journals := map[string]time.Time{}, map[string]bool{}
	for _, folder := range []string{"", naming.Archive} {
		entries, err := safefile.ListFolder(filepath.Join(m.Dir, folder))
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := e.Name()
			id, isRecord := naming.Stem(name)
			slug, isOurs := strings.CutPrefix(id, ours)
			lane, holds := project.OfLane(folder, name)
			to := Renamed{filepath.Join(folder, name), filepath.Join(folder, m.renamed(name))}
			switch {
			case e.IsDir():
			case isRecord:
				one := Renamed{id, theirs + slug}
				if isOurs && naming.CheckSlug(slug) == nil && !slices.Contains(p.Records, one) {
					p.Records = append(p.Records, one)
				}
			case strings.HasPrefix(name, ours) && strings.Contains(name, ".md.") && ours != m.From+"--":
				to.To = filepath.Join(folder, theirs+strings.TrimPrefix(name, ours)) // a record that was set aside
				p.Files = append(p.Files, to)
			case !m.owns(name):
			case folder == "" && holds == project.JournalFile:
				p.Journals = append(p.Journals, Renamed{lane, m.renamed(lane)})
				if info, err := e.Info(); err == nil {
					age[lane] = info.ModTime()
				}
			default:
				p.Files = append(p.Files, to)
			}
			if holds == project.JournalFile {
				journals[lane] = true
			}
		}
	}
	for i, r := range p.Journals { // one whose new name has a journal already goes beside that one
		for n := 0; journals[p.Journals[i].To]; n++ {
			p.Journals[i].To = m.beside(r, n)
		}
	}
	// Renaming sets each journal's time, and so the newest stays the newest.
	slices.SortStableFunc(p.Journals, func(a, b Renamed) int { return age[a.From].Compare(age[b.From]) })
	return nil
}

// owns reports whether a lane, or a file of this name, belongs to the project.
func (m Migration) owns(name string) bool {
	return strings.HasPrefix(name, m.From+"--") || strings.HasPrefix(name, m.From+"@") && strings.Contains(name, "--")
}

func (m Migration) renamed(name string) string { return m.To + strings.TrimPrefix(name, m.From) }

// beside returns the nth name of a lane beside the one that a journal would have: that in which its session finds it,
// or else one that says what the project was called.
func (m Migration) beside(r Renamed, n int) string {
	from, _ := project.LaneNamed(m.Dir, r.From)
	j, err := journal.Store{Lane: from}.Read()
	switch {
	case n == 0 && err == nil && j.Session != "" && !strings.Contains(r.To, "~"):
		return session.OwnLane(r.To, j.Session)
	case n <= 1:
		return r.To + besideMark(r.To) + m.From
	}
	return fmt.Sprint(r.To, besideMark(r.To), m.From, "-", n)
}

// besideMark returns what parts a lane from the name of one beside it.
func besideMark(lane string) string {
	if strings.Contains(lane, "~") {
		return "-"
	}
	return "~"
}

// passes is the greatest number of passes. A hook that runs meanwhile may leave a file with the old name.
const passes = 4

// Run renames, and returns what it renamed and what it could not rename. A record whose new name is taken gets a
// number. Errors: safefile's, with part of it done, and the same run again goes on.
func (m Migration) Run() (done Plan, err error) {
	for pass := range passes {
		p, err := m.Plan()
		if err != nil {
			return done, err
		}
		if pass > 0 && p.moves() == 0 && len(p.Records) == len(done.Left) {
			break // no hook has used the old name since the last pass
		}
		done.Left = nil
		if err := m.pass(p, &done); err != nil {
			return done, err
		}
	}
	return done, withheld.Rename(m.Dir, m.From, m.To, true, m.Now, m.Wait)
}

// pass renames everything once and adds it to done.
func (m Migration) pass(p Plan, done *Plan) error {
	done.Known, done.Paused = done.Known || p.Known, done.Paused || p.Paused
	if err := withheld.Rename(m.Dir, m.From, m.To, false, m.Now, m.Wait); err != nil {
		return err
	}
	if err := m.moveLanes(done); err != nil {
		return err
	}
	if err := session.RenameWaiting(m.Dir, m.Wait, m.owns, m.renamed); err != nil {
		return err
	}
	if err := m.renameRecords(done); err != nil {
		return err
	}
	for _, r := range p.Files {
		switch err := safefile.Move(filepath.Join(m.Dir, r.From), filepath.Join(m.Dir, r.To)); {
		case err == nil:
			done.Files = append(done.Files, r)
		case errors.Is(err, fs.ErrExist), errors.Is(err, safefile.ErrRefused):
			done.Left = append(done.Left, record.Problem{Path: r.From, Err: err})
		case !errors.Is(err, fs.ErrNotExist):
			return err
		}
	}
	if err := m.turns().Rename(m.From, m.To); err != nil {
		return err
	}
	done.Turns += p.Turns
	return session.ClearMade(m.Dir, m.Wait)
}

// turns returns the turns of all sessions.
func (m Migration) turns() log.Store { return log.Store{Dir: m.Dir, Wait: m.Wait} }

// moveLanes renames the project in workspace.json and moves its journals. It holds the locks of the project's sessions
// and lanes, with their old and new names, so that no hook writes meanwhile. A hook that waits then gets the new name.
func (m Migration) moveLanes(done *Plan) error {
	held, err := session.Bound(m.Dir, m.owns, m.Wait)
	if err != nil {
		return err
	}
	defer func() {
		for _, s := range held {
			s.Release()
		}
	}()
	p, err := m.Plan() // the sessions that are held begin no other journal
	if err != nil {
		return err
	}
	var names []string
	for _, l := range p.Journals {
		names = append(names, l.From, l.To)
	}
	slices.Sort(names) // others that take several locks use this order too
	for _, name := range slices.Compact(names) {
		unlock, err := safefile.LockIn(m.Dir, name, m.Wait)
		if err != nil {
			return err
		}
		defer unlock()
	}
	if err := project.Rename(m.Dir, m.From, m.To, m.Join, m.Now, m.Wait); err != nil {
		return err
	}
	moved := map[string]string{}
	for _, l := range p.Journals {
		from, _ := project.LaneNamed(m.Dir, l.From)
		to, ok := project.LaneNamed(m.Dir, l.To)
		if !ok {
			return fmt.Errorf("%w: the name %s", safefile.ErrRefused, l.To)
		}
		switch err := journal.Rename(from, to); {
		case errors.Is(err, fs.ErrExist): // a hook has just made one: the next pass moves this one beside it
			continue
		case err != nil:
			return err
		}
		if err := session.RenameHolder(from, to); err != nil {
			return err
		}
		done.Journals, moved[l.From] = append(done.Journals, l), l.To
	}
	for _, s := range held {
		if err := m.rebind(s, moved); err != nil {
			return err
		}
	}
	for from := range moved {
		// A process that waits for this lock sees that the file is gone, and takes another lock.
		if err := safefile.Remove(safefile.LockPath(m.Dir, from)); err != nil {
			return err
		}
	}
	return nil
}

// rebind saves a session with its lane's new name, by the old one in moved.
func (m Migration) rebind(s *session.Session, moved map[string]string) error {
	lane, ok := moved[s.Lane]
	if !ok {
		lane = m.renamed(s.Lane)
		own, ok := project.LaneNamed(m.Dir, session.OwnLane(lane, s.ID))
		if ok && s.Holds(own) { // a run that was cut off moved its journal there
			lane = own.Name
		}
	}
	from, _ := project.LaneNamed(m.Dir, s.Lane)
	to, ok := project.LaneNamed(m.Dir, lane)
	if !ok {
		return fmt.Errorf("%w: the name %s", safefile.ErrRefused, lane)
	}
	if err := session.RenameHolder(from, to); err != nil { // a lane without a journal has one too
		return err
	}
	s.Lane = lane
	return s.Save()
}

// renameRecords renames the records, and what is known of removed ones.
func (m Migration) renameRecords(done *Plan) error {
	// A save reads the project's name under the lock of all records. A save that holds the lock now may have read the
	// old name; later ones read the new name.
	if err := m.Store.Alone(func(record.Store) error { return nil }); err != nil {
		return err
	}
	p, err := m.Plan()
	if err != nil {
		return err
	}
	for _, r := range p.Records {
		to := r.To
		err := m.Store.Rename(r.From, to)
		for n := 2; errors.As(err, new(*record.ExistsError)) && n < 100; n++ { // both stay
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
	return m.Store.Alone(func(s record.Store) error {
		return removal.List{Dir: s.Dir, Now: s.Now}.Rename(naming.Project(m.From), naming.Project(m.To))
	})
}
