package install

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/settings"
)

// Uninstall takes memento out of the settings of one scope. When the file is as install left it, it gets back every byte it
// had before; otherwise only our hooks are taken out of it. The skill goes with the last scope. Journals stay, and so does a
// skill that is not ours. Run without an installation it finds nothing to do.
func Uninstall(opt Options) (Report, error) { return remove(opt, []Options{opt}, false) }

// UninstallAll does it for the user's settings, for every project install was run in, and for the settings at roots; then it
// removes what else memento left on the machine: sessions' state, debug journals, leftovers of what was killed, what the
// launcher built. What stays is in the report: the journals with what belongs to them, the binary, and settings of a project
// that could not be edited. With the plugin still installed its state and its builds stay too.
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
	var jobs []*job
	var afters [][]byte
	var refused []Options
	refuse := func(p Options, err error) {
		refused = append(refused, p)
		r.Stays = append(r.Stays, fmt.Sprintf("The hooks in %s: %v.", p.file(), err))
	}
	for _, p := range places {
		j, err := open(p, r)
		var after []byte
		if err == nil {
			after, err = j.bare()
		}
		switch {
		case err != nil && (len(places) == 1 || p.Scope == User):
			return Report{}, err
		case err != nil && p.foreign(): // whatever is the matter with it, memento is not in it
		case err != nil:
			refuse(p, err)
		default:
			jobs, afters = append(jobs, j), append(afters, after)
		}
	}
	once(jobs)
	made := record{}
	var done []*job
	for i, j := range jobs {
		if err := j.takeOut(afters[i]); err != nil && (len(places) == 1 || j.Scope == User) {
			return *r, err
		} else if err != nil { // one project's disk must not keep memento on all of the machine
			refuse(j.Options, err)
			continue
		}
		done = append(done, j)
		rec := j.readRecord()
		made.MadeSkills, made.MadeConfig = made.MadeSkills || rec.MadeSkills, made.MadeConfig || rec.MadeConfig
		if j.Scope != User && rec.Written != "" && missing(j.Root) {
			r.note("%s is not there any more. Was it moved, run memento uninstall in it; its hooks are still in its settings.", j.Root)
		}
		if j.place.Change != Unchanged || len(jobs) == 1 || j.Scope == User {
			r.Places = append(r.Places, j.place)
		}
		if j.Scope == Project && j.place.Change != Unchanged {
			r.note("%s is for everybody in the project: commit the change to take memento from them too, or take it back with git.", j.place.Path)
		}
	}
	jobs = done
	b := &broom{o: opt, gone: map[string]bool{}, keep: map[string]bool{}}
	for _, j := range jobs {
		if j.place.Change == Deleted {
			b.gone[j.target], b.gone[j.file()] = true, true // already
		}
		if j.lost() {
			b.keep[j.backup()] = true
			r.Stays = append(r.Stays, fmt.Sprintf("Your settings, in %s, as %s is empty: copy them back, then run this again.", j.backup(), j.target))
		}
	}
	if err := b.plan(jobs, made, all, refused, r); err != nil {
		return *r, err
	}
	if !opt.DryRun {
		if err := b.sweep(); err != nil {
			return *r, fmt.Errorf("tidying up: %w", err)
		}
	}
	r.Gone = b.outermost(opt.skill())
	if all {
		opt.stays(b, r)
	}
	return *r, nil
}

// once leaves each file to one of the jobs when links make it the settings of several: to the first, unless only a later one
// knows what was there before.
func once(jobs []*job) {
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

// bare returns the settings without memento, nil for no file, and notes the change.
func (j *job) bare() ([]byte, error) {
	j.place.Change = Unchanged
	if !j.exists {
		return nil, nil
	}
	after, change, err := j.original()
	if err == nil && change == "" {
		after, err = settings.Remove(j.before, Ours)
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

// takeOut writes what bare returned.
func (j *job) takeOut(after []byte) error {
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

// original returns what the settings file was before install, as far as that is certain; change is empty when it is not.
func (j *job) original() (data []byte, change Change, err error) {
	rec := j.readRecord()
	if rec.Written == "" || rec.Written != sum(j.before) {
		return nil, "", nil
	}
	if !rec.Existed && j.place.Target != "" {
		return nil, "", nil // what was a file is a link since: without the file, which the user keeps elsewhere, it would lead nowhere
	}
	if !rec.Existed {
		return nil, Deleted, nil
	}
	backup, err := j.Disk.Read(j.backup(), maxFile)
	if err != nil || sum(backup) != rec.Original {
		return nil, "", nil
	}
	// A backup taken of a file that was wired already must not bring the old wiring back.
	data, err = settings.Remove(backup, Ours)
	if data == nil {
		data = []byte{}
	}
	return data, Restored, err
}

// foreign reports whether the settings file does not even name memento, JSON or not.
func (o Options) foreign() bool {
	data, err := o.Disk.Read(o.file(), maxFile)
	return err == nil && !bytes.Contains(data, []byte("memento"))
}

// wired reports whether hooks of ours stand in the settings file.
func (o Options) wired() bool {
	j, err := open(o, &Report{})
	if err != nil {
		return false
	}
	w, err := settings.Find(j.before, Ours)
	return err == nil && len(w) > 0
}

// lost reports whether the settings are in the backup alone: something emptied the file since.
func (j *job) lost() bool {
	if !j.exists || len(bytes.TrimSpace(j.before)) > 0 {
		return false
	}
	backup, err := j.Disk.Read(j.backup(), maxFile)
	return err == nil && len(bytes.TrimSpace(backup)) > 0
}

// A broom holds what is to be removed, in that order.
type broom struct {
	o     Options
	gone  map[string]bool
	keep  map[string]bool // backups that are not to go
	paths []string
	trees map[string]bool
	heir  *Options // the place whose record takes over what was made
	made  record
}

// plan decides what goes. The records are last of the files, as they say how to go on after a failure.
func (b *broom) plan(jobs []*job, made record, all bool, refused []Options, r *Report) error {
	var others []Options
	for _, p := range b.o.known() {
		if !slices.ContainsFunc(jobs, func(j *job) bool { return sameFile(j.file(), p.file()) }) && (p.wired() || slices.ContainsFunc(refused, func(o Options) bool { return o.file() == p.file() })) {
			others = append(others, p)
		}
	}
	skill, change, err := b.o.readSkill()
	if err != nil {
		return err
	}
	r.Skill, r.SkillChange = b.o.skill(), change
	switch {
	case change == "":
		r.SkillChange = Unchanged
	case change == Left:
		r.note("%s is not memento's, so it was left as it is.", b.o.skill())
	case len(others) > 0:
		r.Stays = append(r.Stays, fmt.Sprintf("The skill, as %s still runs memento.", others[0].file()))
	default:
		r.SkillChange, r.SkillDiff = Deleted, diff(b.o.skill(), skill, nil)
		b.file(b.o.skill())
	}
	home := filepath.Join(b.o.ConfigDir, ".memento")
	if len(others) == 0 {
		skills := filepath.Dir(b.o.skill())
		if all {
			b.temporary(skills)
		}
		b.empty(skills)
		if made.MadeSkills {
			b.empty(filepath.Dir(skills))
		}
	} else {
		b.heir, b.made = &others[0], made
	}
	var orphans []string
	if plugin := Plugin(b.o); all && plugin != "" {
		r.Stays = append(r.Stays, fmt.Sprintf("The plugin %[1]s, with its state: claude plugin uninstall %[1]s.", plugin))
	} else if all && len(others) == 0 {
		b.traces(home)
		orphans = list(filepath.Join(b.o.stateDir(), "install")) // also records that could not be read, and their backups
	}
	for _, j := range jobs {
		if j.readRecord().MadeFolder {
			b.empty(filepath.Dir(j.file()))
		}
	}
	for _, j := range jobs {
		b.file(j.backup())
	}
	for _, j := range jobs {
		b.file(j.recordPath())
	}
	for _, name := range orphans {
		b.file(filepath.Join(b.o.stateDir(), "install", name))
	}
	b.empty(filepath.Join(b.o.stateDir(), "install"), b.o.stateDir(), home)
	if made.MadeConfig && len(others) == 0 {
		b.empty(b.o.ConfigDir)
	}
	return nil
}

// traces are what memento leaves beside the journals, and what nothing reads any more: of the sessions, of an index, of
// MEMENTO_DEBUG, of processes that were killed, of the launcher. The marks of what was forgotten stay with the journals, so
// that a later installation does not bring it back from a transcript.
func (b *broom) traces(home string) {
	state := filepath.Join(home, "state")
	for _, name := range list(state) {
		if name != "forgotten.json" && name != "install.json" && name != "install" {
			b.file(filepath.Join(state, name))
		}
	}
	b.tree(filepath.Join(home, "index"))
	for _, name := range list(home) {
		if strings.HasSuffix(name, ".debug.json") {
			b.file(filepath.Join(home, name))
		}
	}
	for _, dir := range []string{b.o.ConfigDir, home, filepath.Join(home, "history")} {
		b.temporary(dir)
	}
	b.empty(filepath.Join(home, "history"))
	if b.o.Cache != "" {
		b.tree(filepath.Join(b.o.Cache, "build"))
		for _, name := range list(filepath.Join(b.o.Cache, "bin")) {
			if path := filepath.Join(b.o.Cache, "bin", name); pinned(filepath.ToSlash(filepath.Join(path, "memento"))) {
				b.tree(path)
			}
		}
		b.empty(filepath.Join(b.o.Cache, "bin"), b.o.Cache)
	}
}

// stays says what is left of memento on the machine.
func (o Options) stays(b *broom, r *Report) {
	home := filepath.Join(o.ConfigDir, ".memento")
	if !missing(home) && !b.gone[home] {
		r.Stays = append(r.Stays, fmt.Sprintf("Your journals, their history and memento's own settings, in %s: remove that folder, and nothing is left.", home))
	}
	if rel, err := filepath.Rel(filepath.Join(o.ConfigDir, "plugins"), o.Exe); o.Exe != "" && !b.under(o.Exe) && (err != nil || !filepath.IsLocal(rel)) {
		r.Stays = append(r.Stays, fmt.Sprintf("The binary, %s.", o.Exe))
	}
}

// list names what is in a folder; what is not there, cannot be read or is a link to elsewhere has nothing that is ours to remove.
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

func (b *broom) file(path string) {
	info, err := os.Lstat(path)
	if err == nil && !info.IsDir() && !b.gone[path] && !b.keep[path] && b.o.within(path) {
		b.gone[path] = true
		b.paths = append(b.paths, path)
	}
}

func (b *broom) tree(path string) {
	if info, err := os.Lstat(path); err == nil && info.IsDir() && !b.gone[path] && b.o.within(path) {
		b.gone[path] = true
		b.paths = append(b.paths, path)
		if b.trees == nil {
			b.trees = map[string]bool{}
		}
		b.trees[path] = true
	}
}

// temporary takes what a killed process left in dir; no write takes a minute.
func (b *broom) temporary(dir string) {
	if list(dir) == nil {
		return
	}
	for _, path := range safefile.Leftover(dir, time.Minute, time.Now()) {
		b.file(path)
	}
}

// empty takes those of the folders, in this order, in which nothing is left.
func (b *broom) empty(dirs ...string) {
	for _, dir := range dirs {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || b.gone[dir] || !b.o.within(dir) {
			continue
		}
		left := slices.ContainsFunc(list(dir), func(name string) bool { return !b.gone[filepath.Join(dir, name)] })
		if _, err := os.ReadDir(dir); err == nil && !left {
			b.gone[dir] = true
			b.paths = append(b.paths, dir)
		}
	}
}

// under reports whether path goes, by itself or with a folder.
func (b *broom) under(path string) bool {
	for p := path; ; p = filepath.Dir(p) {
		if b.gone[p] {
			return true
		}
		if p == filepath.Dir(p) {
			return false
		}
	}
}

func (b *broom) sweep() error {
	if b.heir != nil && (b.made.MadeSkills || b.made.MadeConfig) {
		if rec := b.heir.readRecord(); rec.Written != "" {
			rec.MadeSkills, rec.MadeConfig = rec.MadeSkills || b.made.MadeSkills, rec.MadeConfig || b.made.MadeConfig
			data, err := rec.encode()
			if err == nil {
				err = b.o.Disk.Replace(b.heir.recordPath(), data, 0o600)
			}
			if err != nil {
				return err
			}
		}
	}
	for _, path := range b.paths {
		rm := b.o.Disk.Remove
		if b.trees[path] {
			rm = b.o.Disk.RemoveTree
		}
		if err := rm(path); err != nil {
			return err
		}
	}
	return nil
}

// outermost lists what goes, but what goes with its folder and what but names.
func (b *broom) outermost(but string) (out []string) {
	for _, path := range b.paths {
		if !b.gone[filepath.Dir(path)] && path != but {
			out = append(out, path)
		}
	}
	return out
}
