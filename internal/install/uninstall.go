package install

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/settings"
)

// Uninstall takes memento out of the settings of one scope. A file that is as install left it gets back every byte that
// it had before; in any other file only memento's hooks go. The skill goes with the last scope. Journals stay, and so
// does a skill that is not memento's. Without an installation Uninstall does nothing.
func Uninstall(opt Options) (Report, error) { return remove(opt, []Options{opt}, false) }

// UninstallAll does the same for the user's settings, for every recorded project, and for the settings at roots. Then
// it removes what else memento left beside the journals: session memory, the index and debug journals. The report says
// what stays: the journals, the binary, and settings that could not be edited. If the plugin is still installed, its
// files in state/ stay too.
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
	b := &cleanup{o: opt, gone: map[string]bool{}}
	var done []*job
	for _, p := range places {
		j, err := open(p, r)
		if err == nil {
			err = j.unwire()
		}
		switch {
		case err == nil:
			done = append(done, j)
			r.place(j, len(places) == 1)
		case p.Scope == User || len(places) == 1:
			return *r, err
		case !p.isForeign(): // one project's file or disk must not stop the others
			r.Stays = append(r.Stays, fmt.Sprintf("The hooks in %s: %v.", p.file(), err))
		}
	}
	if err := b.plan(done, all, r); err != nil {
		return *r, err
	}
	if !opt.DryRun {
		for _, path := range b.paths {
			rm := opt.Disk.Remove
			if b.trees[path] {
				rm = opt.Disk.RemoveTree
			}
			if err := rm(path); err != nil {
				return *r, fmt.Errorf("tidying up: %w", err)
			}
		}
	}
	said := []string{opt.skill()}
	for _, w := range r.Commands {
		said = append(said, w.Path)
	}
	for _, path := range b.paths { // what is in a removed folder goes with it
		if !b.gone[filepath.Dir(path)] && !slices.Contains(said, path) {
			r.Gone = append(r.Gone, path)
		}
	}
	if all {
		opt.stays(b, r)
	}
	return *r, nil
}

// place reports what was done to one settings file.
func (r *Report) place(j *job, alone bool) {
	if j.place.Change != Unchanged || alone || j.Scope == User {
		r.Places = append(r.Places, j.place)
	}
	if j.Scope != User && j.readRecord().Written != "" && isMissing(j.Root) {
		r.note("%s is not there any more. Was it moved, run memento uninstall in it; its hooks are still in "+
			"its settings.", j.Root)
	}
	if j.Scope == Project && j.place.Change != Unchanged {
		r.note("%s is for everybody in the project: commit the change to take memento from them too, or take "+
			"it back with git.", j.place.Path)
	}
}

// unwire puts one settings file back.
func (j *job) unwire() error {
	if !j.exists {
		return nil
	}
	after, change, err := j.original()
	if err == nil && (after == nil || !bytes.Equal(after, j.before)) {
		j.place.Change = change
		err = j.compare(after)
	}
	if err == nil && !j.DryRun {
		switch {
		case j.place.Change == Deleted:
			if err = j.unchanged(); err == nil {
				err = j.Disk.Remove(j.target)
			}
		case j.place.Change != Unchanged:
			err = j.swap(after)
		}
	}
	if err != nil {
		return fmt.Errorf("unwiring %s: %w", j.target, err)
	}
	return nil
}

// original returns the settings as they were before install, nil for no file. If nobody edited the file since, that is
// the backup. Otherwise it is the present content without what is memento's. The error is the disk's, or a refusal.
func (j *job) original() (data []byte, change Change, err error) {
	if !j.exists {
		return nil, Deleted, nil
	}
	rec, err := j.knownRecord()
	if err != nil {
		return nil, "", err
	}
	if rec.Written == sum(j.before) {
		backup, err := j.Disk.Read(j.backup(), maxFile)
		switch {
		case rec.Original == "" && j.place.Target == "":
			return nil, Deleted, nil
		case rec.Original == "":
			// The user has replaced the file by a link. Deleting its target would delete the user's own file.
		case safefile.Unreadable(err):
			return nil, "", fmt.Errorf("reading the backup: %w", err)
		case err == nil && sum(backup) == rec.Original:
			return append([]byte{}, backup...), Restored, nil
		}
	}
	data, err = settings.Remove(j.before, isOurs)
	return data, Edited, err
}

// isForeign reports whether the settings file does not contain the word memento.
func (o Options) isForeign() bool {
	data, err := o.Disk.Read(o.file(), maxFile)
	return err == nil && !bytes.Contains(data, []byte("memento")) || errors.Is(err, os.ErrNotExist)
}

// isWired reports whether the settings file has hooks of memento, or may have some.
func (o Options) isWired() bool {
	j, err := open(o, &Report{})
	if err != nil {
		return !o.isForeign()
	}
	w, err := settings.Find(j.before, isOurs)
	return err == nil && len(w) > 0 || err != nil && !o.isForeign()
}

// isOnlyInBackup reports whether only the backup still has the user's settings, because something emptied the file.
func (j *job) isOnlyInBackup() bool {
	if !j.exists || len(bytes.TrimSpace(j.before)) > 0 {
		return false
	}
	backup, err := j.Disk.Read(j.backup(), maxFile)
	return safefile.Unreadable(err) || err == nil && len(bytes.TrimSpace(backup)) > 0
}

// cleanup lists what uninstall removes, in the order of removal.
type cleanup struct {
	o     Options
	gone  map[string]bool
	paths []string
	trees map[string]bool
}

// plan lists what goes, after the settings of jobs. Records come last of the files: after a failure they say how to go
// on.
func (b *cleanup) plan(jobs []*job, all bool, r *Report) error {
	done := map[string]bool{}
	for _, j := range jobs {
		done[j.file()] = true
		if j.place.Change == Deleted {
			b.gone[j.file()] = true // removed already
		}
	}
	var others []Options // settings files that still run memento
	for _, p := range b.o.knownPlaces() {
		if !done[p.file()] && p.isWired() {
			others = append(others, p)
		}
	}
	if err := b.prose(others, r); err != nil {
		return err
	}
	if plugin := ActivePlugin(b.o); all && plugin != "" {
		r.Stays = append(r.Stays, fmt.Sprintf("The plugin %[1]s, with its state: claude plugin uninstall %[1]s.",
			plugin))
	} else if all && len(others) == 0 {
		b.addTraces()
	}
	for _, j := range jobs {
		if j.isOnlyInBackup() {
			r.Stays = append(r.Stays, fmt.Sprintf("Your settings, in %s, as %s is empty: copy them back, then run "+
				"this again.", j.backup(), j.target))
			continue
		}
		b.file(j.backup())
	}
	for _, j := range jobs {
		b.file(j.recordPath())
		if j.Scope != User {
			b.addEmpty(filepath.Dir(j.file()))
		}
	}
	skills, commands := filepath.Dir(b.o.skill()), b.o.commands()
	b.addEmpty(skills, filepath.Dir(skills), commands, filepath.Dir(commands), b.o.projectsDir(), b.o.stateDir(),
		b.o.home(), b.o.ConfigDir)
	return nil
}

// prose lists the skill and the commands for removal, and reports it, unless a settings file still runs memento.
func (b *cleanup) prose(others []Options, r *Report) error {
	for _, f := range b.o.prose() {
		_, change, err := b.o.readProse(f)
		isSkill := f.path == b.o.skill()
		switch {
		case err != nil:
			return err
		case change == "":
			continue
		case change == Left:
			r.note("%s is not memento's, so it was left as it is.", f.path)
		case len(others) == 0:
			change = Deleted
			b.file(f.path)
		case isSkill:
			r.Stays = append(r.Stays, fmt.Sprintf("The skill, as %s still runs memento.", others[0].file()))
		}
		switch {
		case isSkill:
			r.Skill, r.SkillChange = f.path, change
		case change == Deleted:
			r.Commands = append(r.Commands, Written{f.path, Deleted})
		}
	}
	return nil
}

// addTraces lists what memento leaves beside the journals: session memory, the index and what MEMENTO_DEBUG wrote. The
// fingerprints of forgotten and removed words stay with the journals, so that a later installation does not read those
// words from a transcript again; and a waiting report has no copy, so it stays.
func (b *cleanup) addTraces() {
	home, state := b.o.home(), b.o.stateDir()
	b.addEmpty(session.ReportFolder(home))
	for _, name := range list(state) {
		if !session.Reserved(strings.TrimSuffix(name, ".json")) && name != "install.json" {
			b.file(filepath.Join(state, name))
		}
	}
	b.addTree(filepath.Join(home, "index"))
	for _, name := range list(home) {
		if strings.HasSuffix(name, ".debug.json") {
			b.file(filepath.Join(home, name))
		}
	}
	b.addEmpty(filepath.Join(home, "history"), filepath.Join(home, "rules"))
}

// stays reports what is left of memento on the machine.
func (o Options) stays(b *cleanup, r *Report) {
	home := o.home()
	if !isMissing(home) && !b.gone[home] {
		r.Stays = append(r.Stays, fmt.Sprintf("Your journals, their history, your records and memento's own "+
			"settings, in %s: remove that folder, and nothing is left.", home))
	}
	if o.Exe == "" || isBelow(filepath.Join(o.ConfigDir, "plugins"), o.Exe) {
		return
	}
	what := o.Exe
	dir, name := filepath.Split(o.Exe)
	if beside := dir + strings.Replace(name, "memento", "memento-sync", 1); !isMissing(beside) {
		what += ", and " + beside
	}
	r.Stays = append(r.Stays, fmt.Sprintf("The binary, %s.", what))
}

// list returns the names in a folder. A folder that is missing, unreadable or a link has none: nothing of memento can
// be removed from it.
func list(dir string) (names []string) {
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		return nil
	}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func (b *cleanup) add(path string) {
	if !b.gone[path] && b.o.within(path) {
		b.gone[path] = true
		b.paths = append(b.paths, path)
	}
}

func (b *cleanup) file(path string) {
	if info, err := os.Lstat(path); err == nil && !info.IsDir() {
		b.add(path)
	}
}

func (b *cleanup) addTree(path string) {
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		b.add(path)
		b.trees = map[string]bool{path: true}
	}
}

// addEmpty lists those of the folders, in this order, in which nothing is left.
func (b *cleanup) addEmpty(dirs ...string) {
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() {
			continue
		}
		entries, err := os.ReadDir(dir)
		if err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool {
			return !b.gone[filepath.Join(dir, e.Name())]
		}) {
			b.add(dir)
		}
	}
}
