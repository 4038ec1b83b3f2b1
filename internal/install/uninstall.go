package install

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/settings"
)

// Uninstall takes memento out of the user's settings, with its skill and its slash commands. A file that is as install
// left it gets back every byte that it had before; in any other file only memento's hooks go. It removes what else
// memento left beside the journals: session memory, the index and debug journals; but not while the plugin is
// installed, which needs them. The report says what stays: the journals, the binary, a skill that is not memento's.
// Without an installation Uninstall does no more than that.
func Uninstall(opt Options) (Report, error) {
	unlock, err := opt.lock()
	if err != nil {
		return Report{}, err
	}
	defer unlock()
	r := &Report{}
	j, err := open(opt, r)
	if err == nil {
		err = j.unwire()
	}
	if err != nil {
		return *r, err
	}
	r.Place = j.place
	b := &cleanup{o: opt, gone: map[string]bool{}}
	if err := b.plan(j, r); err != nil {
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
	opt.stays(b, r)
	return *r, nil
}

// unwire puts the settings file back.
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
	rec, err := j.readRecord()
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

// plan lists what goes, after the settings of j. The record comes last of the files: after a failure it says how to go
// on.
func (b *cleanup) plan(j *job, r *Report) error {
	if j.place.Change == Deleted {
		b.gone[j.file()] = true // removed already
	}
	if err := b.prose(r); err != nil {
		return err
	}
	if plugin := ActivePlugin(b.o); plugin != "" {
		r.Stays = append(r.Stays, fmt.Sprintf("The plugin %[1]s, with its state: claude plugin uninstall %[1]s.",
			plugin))
	} else {
		b.addTraces()
	}
	if j.isOnlyInBackup() {
		r.Stays = append(r.Stays, fmt.Sprintf("Your settings, in %s, as %s is empty: copy them back, then run "+
			"this again.", j.backup(), j.target))
	} else {
		b.file(j.backup())
	}
	b.file(j.recordPath())
	skills, commands := filepath.Dir(b.o.skill()), b.o.commands()
	b.addEmpty(skills, filepath.Dir(skills), commands, filepath.Dir(commands), b.o.stateDir(), b.o.home(),
		b.o.ConfigDir)
	return nil
}

// prose lists the skill and the commands for removal, and reports it.
func (b *cleanup) prose(r *Report) error {
	for _, f := range b.o.prose() {
		_, change, err := b.o.readProse(f)
		switch {
		case err != nil:
			return err
		case change == "":
			continue
		case change == Left:
			r.note("%s is not memento's, so it was left as it is.", f.path)
		default:
			change = Deleted
			b.file(f.path)
		}
		switch {
		case f.path == b.o.skill():
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
