package install

import (
	"bytes"
	"fmt"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/settings"
)

// Uninstall takes memento out of the settings of one scope. A file that is as install left it gets back every byte that
// it had before; in any other file only memento's hooks go. The skill goes with the last scope. Journals stay, and so
// does a skill that is not memento's. Without an installation Uninstall does nothing.
func Uninstall(opt Options) (Report, error) { return remove(opt, []Options{opt}, false) }

// UninstallAll does the same for the user's settings, for every recorded project, and for the settings at roots. Then
// it removes what else memento left on the machine: session memory, debug journals, leftovers of killed processes, and
// what the launcher built. The report says what stays: the journals, the binary, and settings that could not be edited.
// If the plugin is still installed, its files in state/ and its builds stay too.
func UninstallAll(opt Options, roots map[Scope]string) (Report, error) {
	opt = opt.in(User, "")
	return remove(opt, opt.places(roots), true)
}

func remove(opt Options, places []Options, all bool) (Report, error) {
	unlock, err := opt.lock()
	if err != nil {
		return Report{}, err
	}
	defer unlock()
	r := &Report{}
	jobs, refused, err := unwiring(places, r)
	if err != nil {
		return Report{}, err
	}
	dropDuplicates(jobs)
	made := record{}
	var done []*job
	for _, j := range jobs {
		if err := j.writeWithout(j.after); err != nil && (len(places) == 1 || j.Scope == User) {
			return *r, err
		} else if err != nil { // one project's disk must not stop the others
			refused = append(refused, r.refuse(j.Options, err))
			continue
		}
		done = append(done, j)
		rec := j.readRecord()
		made.join(rec)
		if j.Scope != User && rec.Written != "" && isMissing(j.Root) {
			r.note("%s is not there any more. Was it moved, run memento uninstall in it; its hooks are still in "+
				"its settings.", j.Root)
		}
		if j.place.Change != Unchanged || len(jobs) == 1 || j.Scope == User {
			r.Places = append(r.Places, j.place)
		}
		if j.Scope == Project && j.place.Change != Unchanged {
			r.note("%s is for everybody in the project: commit the change to take memento from them too, or take "+
				"it back with git.", j.place.Path)
		}
	}
	jobs = done
	b := &cleanup{o: opt, gone: map[string]bool{}, keep: map[string]bool{}}
	for _, j := range jobs {
		if j.place.Change == Deleted {
			b.gone[j.target], b.gone[j.file()] = true, true // removed already
		}
		if j.isOnlyInBackup() {
			b.keep[j.backup()] = true
			r.Stays = append(r.Stays, fmt.Sprintf("Your settings, in %s, as %s is empty: copy them back, then run "+
				"this again.", j.backup(), j.target))
		}
	}
	if err := b.plan(jobs, made, all, refused, r); err != nil {
		return *r, err
	}
	if !opt.DryRun {
		if err := b.sweep(); err != nil {
			return *r, fmt.Errorf("tidying up: %w", err)
		}
		opt.tidy()
	}
	said := []string{opt.skill()}
	for _, w := range r.Commands {
		said = append(said, w.Path)
	}
	r.Gone = b.topPaths(said)
	if all {
		opt.stays(b, r)
	}
	return *r, nil
}

// unwiring reads each settings file and finds out its content without memento. It refuses settings of a project that it
// cannot edit. It returns an error only for the user's settings, or if there is just one file.
func unwiring(places []Options, r *Report) (jobs []*job, refused []Options, err error) {
	for _, p := range places {
		j, err := open(p, r)
		if err == nil {
			j.after, err = j.withoutHooks()
		}
		switch {
		case err != nil && (len(places) == 1 || p.Scope == User):
			return nil, nil, err
		case err != nil && p.isForeign(): // it does not name memento, so its faults do not matter
		case err != nil:
			refused = append(refused, r.refuse(p, err))
		default:
			jobs = append(jobs, j)
		}
	}
	return jobs, refused, nil
}

// refuse reports why the hooks at p stay, and returns p.
func (r *Report) refuse(p Options, err error) Options {
	r.Stays = append(r.Stays, fmt.Sprintf("The hooks in %s: %v.", p.file(), err))
	return p
}

// dropDuplicates leaves a file to one job, if links make it the settings file of several. The first job keeps it,
// unless only a later one can restore the file.
func dropDuplicates(jobs []*job) {
	first := map[string]*job{}
	for _, j := range jobs {
		before, other := first[j.target], j
		if before == nil {
			first[j.target] = j
			continue
		}
		if before.place.Change == Edited && j.place.Change == Restored {
			first[j.target], other = j, before
		}
		other.place = Place{Scope: other.Scope, Path: other.place.Path, Target: other.place.Target, Change: Unchanged}
	}
}

// withoutHooks returns the settings without memento, nil for no file, and notes the change.
func (j *job) withoutHooks() ([]byte, error) {
	j.place.Change = Unchanged
	if !j.exists {
		return nil, nil
	}
	after, change, err := j.original()
	if err == nil && change == "" {
		after, err = without(j.before)
		change = Edited
	}
	if err != nil {
		return nil, fmt.Errorf("unwiring %s: %w", j.target, err)
	}
	if change != Deleted && bytes.Equal(after, j.before) {
		return j.before, nil
	}
	j.place.Change = change
	return after, j.compare(after)
}

// writeWithout writes what bare returned.
func (j *job) writeWithout(after []byte) error {
	switch {
	case j.place.Change == Unchanged || j.DryRun:
		return nil
	case j.place.Change != Deleted:
		return j.swap(after)
	}
	if err := j.unchanged(); err != nil {
		return err
	}
	if err := j.Disk.Remove(j.target); err != nil {
		return fmt.Errorf("unwiring %s: %w", j.target, err)
	}
	return nil
}

// original returns the settings file as it was before install. Change is empty if that is not certain. The error is the
// disk's, or a refusal of the backup's content.
func (j *job) original() (data []byte, change Change, err error) {
	rec, err := j.knownRecord()
	if err != nil {
		return nil, "", err
	}
	if rec.Written == "" || rec.Written != sum(j.before) {
		return nil, "", nil
	}
	if !rec.Existed && j.place.Target != "" {
		// The user has replaced the file by a link. Deleting its target would delete the user's own file.
		return nil, "", nil
	}
	if !rec.Existed {
		return nil, Deleted, nil
	}
	backup, err := j.Disk.Read(j.backup(), maxFile)
	if safefile.Unreadable(err) {
		return nil, "", fmt.Errorf("reading the backup: %w", err)
	}
	if err != nil || sum(backup) != rec.Original {
		return nil, "", nil
	}
	// The backup may hold hooks of an earlier installation: they go too.
	data, err = without(backup)
	if data == nil {
		data = []byte{}
	}
	return data, Restored, err
}

// isForeign reports whether the settings file does not contain the word memento.
func (o Options) isForeign() bool {
	data, err := o.Disk.Read(o.file(), maxFile)
	return err == nil && !bytes.Contains(data, []byte("memento"))
}

// isWired reports whether the settings file has hooks of memento.
func (o Options) isWired() bool {
	j, err := open(o, &Report{})
	if err != nil {
		return false
	}
	w, err := settings.Find(j.before, isOurs)
	return err == nil && len(w) > 0
}

// isOnlyInBackup reports whether only the backup still has the user's settings, because something emptied the file.
func (j *job) isOnlyInBackup() bool {
	if !j.exists || len(bytes.TrimSpace(j.before)) > 0 {
		return false
	}
	backup, err := j.Disk.Read(j.backup(), maxFile)
	return safefile.Unreadable(err) || err == nil && len(bytes.TrimSpace(backup)) > 0
}
