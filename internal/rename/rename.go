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

// Run renames. Where a name is taken, both records or journals stay, one with a number. Errors: safefile's, with part
// of it done, and the same run again goes on. It names each file that cannot be renamed, after all others are.
func (m Migration) Run() error {
	if err := withheld.Rename(m.Dir, m.From, m.To, false, m.Wait); err != nil {
		return err
	}
	if err := m.moveLanes(); err != nil {
		return err
	}
	if err := session.RenameWaiting(m.Dir, m.Wait, m.owns, m.renamed); err != nil {
		return err
	}
	if err := (log.Store{Dir: m.Dir, Wait: m.Wait}).Rename(m.From, m.To); err != nil {
		return err
	}
	left := errors.Join(m.renameRecords(), m.renameAside())
	if err := session.ClearMade(m.Dir, m.Wait); err != nil {
		return err
	}
	return errors.Join(left, withheld.Rename(m.Dir, m.From, m.To, true, m.Wait))
}

// owns reports whether a lane, or a file of this name, belongs to the project.
func (m Migration) owns(name string) bool {
	return strings.HasPrefix(name, m.From+"--") || strings.HasPrefix(name, m.From+"@") && strings.Contains(name, "--")
}

func (m Migration) renamed(name string) string { return m.To + strings.TrimPrefix(name, m.From) }

// moveLanes renames the project in workspace.json and moves its journals. It holds the locks of the project's sessions
// and lanes, with their old and new names, so that no hook writes meanwhile. A hook that waits then gets the new name.
func (m Migration) moveLanes() error {
	held, err := session.Bound(m.Dir, m.owns, m.Wait)
	if err != nil {
		return err
	}
	defer func() {
		for _, s := range held {
			s.Release()
		}
	}()
	lanes, err := m.lanes() // the sessions that are held begin no other journal
	if err != nil {
		return err
	}
	var names []string
	for _, lane := range lanes {
		names = append(names, lane, m.renamed(lane))
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
	for _, lane := range lanes {
		if moved[lane], err = m.moveJournal(lane); err != nil {
			return err
		}
	}
	for _, s := range held {
		if err := m.rebind(s, moved); err != nil {
			return err
		}
	}
	for _, lane := range lanes {
		// A process that waits for this lock sees that the file is gone, and takes another lock.
		if err := safefile.Remove(safefile.LockPath(m.Dir, lane)); err != nil {
			return err
		}
	}
	return nil
}

// lanes returns the names of the project's lanes that have a journal, the one with the oldest first: moving a journal
// sets its time, and so the newest stays the newest.
func (m Migration) lanes() (names []string, err error) {
	entries, err := safefile.ListFolder(m.Dir)
	age := map[string]time.Time{}
	for _, e := range entries {
		lane, holds := project.OfLane(e.Name())
		if holds != project.JournalFile || !m.owns(lane) {
			continue
		}
		names = append(names, lane)
		if info, err := e.Info(); err == nil {
			age[lane] = info.ModTime()
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return age[a].Compare(age[b]) })
	return names, err
}

// maxTaken is how many names Run tries for a thing whose name is taken.
const maxTaken = 100

// moveJournal moves the journal of a lane and returns the name of its new lane. When the new name has a journal
// already, it goes beside that one: where its session finds it, or else to a lane that has the former name in its own.
func (m Migration) moveJournal(lane string) (name string, err error) {
	from, _ := project.LaneNamed(m.Dir, lane)
	name = m.renamed(lane)
	mark := "~"
	if strings.Contains(name, mark) { // it is beside another lane already
		mark = "-"
	}
	names := []string{name}
	if j, err := (journal.Store{Lane: from}).Read(); err == nil && j.Session != "" && mark == "~" {
		names = append(names, session.OwnLane(name, j.Session))
	}
	names = append(names, name+mark+m.From)
	for n := 2; n < maxTaken; n++ {
		names = append(names, fmt.Sprint(name, mark, m.From, "-", n))
	}
	for _, name := range names {
		to, ok := project.LaneNamed(m.Dir, name)
		if !ok {
			return "", fmt.Errorf("%w: the name %s", safefile.ErrRefused, name)
		}
		if err = journal.Rename(from, to); err == nil {
			return name, session.RenameHolder(from, to)
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", err
		}
	}
	return "", err
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

// renameRecords renames the records. Its error names the records that it left.
func (m Migration) renameRecords() error {
	// A save reads the project's name under the lock of all records. A save that holds the lock now may have read the
	// old name; later ones read the new name.
	if err := m.Store.Alone(func(record.Store) error { return nil }); err != nil {
		return err
	}
	ids, err := m.Store.IDs("", "")
	if err != nil {
		return err
	}
	var left []error
	for _, id := range ids {
		slug, isOurs := strings.CutPrefix(id, naming.Prefix(m.From))
		if !isOurs || naming.CheckSlug(slug) != nil {
			continue
		}
		to := naming.Prefix(m.To) + slug
		err := m.Store.Rename(id, to)
		for n := 2; errors.As(err, new(*record.ExistsError)) && n < maxTaken; n++ { // both stay
			err = m.Store.Rename(id, fmt.Sprintf("%s-%d", strings.TrimSuffix(to, "-"), n))
		}
		if err != nil && !errors.Is(err, record.ErrNotFound) {
			left = append(left, fmt.Errorf("%s was left: %w", id, err))
		}
	}
	return errors.Join(left...)
}

// renameAside renames the journals and records that were set aside. Its error names those that it left.
func (m Migration) renameAside() error {
	var left []error
	for _, folder := range []string{"", naming.Archive} {
		entries, err := safefile.ListFolder(filepath.Join(m.Dir, folder))
		left = append(left, err)
		for _, e := range entries {
			name := e.Name()
			if !m.owns(name) || !strings.Contains(name, ".json.") && !strings.Contains(name, naming.Ending+".") {
				continue
			}
			err := safefile.Move(filepath.Join(m.Dir, folder, name), filepath.Join(m.Dir, folder, m.renamed(name)))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				left = append(left, fmt.Errorf("%s was left: %w", name, err))
			}
		}
	}
	return errors.Join(left...)
}
