package install

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
)

// cleanup lists what uninstall removes, in the order of removal.
type cleanup struct {
	o     Options
	gone  map[string]bool
	keep  map[string]bool // backups that stay
	paths []string
	trees map[string]bool
	heir  *Options // a settings file that stays wired: its record takes over which folders install made
	made  record
}

// plan lists what goes. Records come last of the files: after a failure they say how to go on.
func (b *cleanup) plan(jobs []*job, made record, all bool, refused []Options, r *Report) error {
	others := b.others(jobs, refused)
	if err := b.prose(others, r); err != nil {
		return err
	}
	if len(others) == 0 {
		skills := filepath.Dir(b.o.skill())
		if all {
			b.addTemporary(skills, anyAge)
			b.addTemporary(b.o.commands(), anyAge)
		}
		b.addEmpty(skills, b.o.commands())
		if made.MadeSkills {
			b.addEmpty(filepath.Dir(skills))
		}
		if made.MadeCommands {
			b.addEmpty(filepath.Dir(b.o.commands()))
		}
	} else {
		b.heir, b.made = &others[0], made
	}
	var orphans []string
	if plugin := ActivePlugin(b.o); all && plugin != "" {
		r.Stays = append(r.Stays, fmt.Sprintf("The plugin %[1]s, with its state: claude plugin uninstall %[1]s.",
			plugin))
	} else if all && len(others) == 0 {
		b.addTraces()
		orphans = list(b.o.projectsDir()) // unreadable records too, and their backups
	}
	for _, j := range jobs {
		if j.readRecord().MadeFolder {
			b.addEmpty(filepath.Dir(j.file()))
		}
	}
	for _, j := range jobs {
		b.file(j.backup())
	}
	for _, j := range jobs {
		b.file(j.recordPath())
	}
	for _, name := range orphans {
		b.file(filepath.Join(b.o.projectsDir(), name))
	}
	b.addEmpty(b.o.projectsDir(), b.o.stateDir(), b.o.home())
	if made.MadeConfig && len(others) == 0 {
		b.addEmpty(b.o.ConfigDir)
	}
	return nil
}

// others returns the wired settings files that no job unwires, and the refused ones.
func (b *cleanup) others(jobs []*job, refused []Options) (out []Options) {
	for _, p := range b.o.knownPlaces() {
		if slices.ContainsFunc(jobs, func(j *job) bool { return sameFile(j.file(), p.file()) }) {
			continue
		}
		if p.isWired() || slices.ContainsFunc(refused, func(o Options) bool { return o.file() == p.file() }) {
			out = append(out, p)
		}
	}
	return out
}

// prose lists the skill and the commands for removal, and reports it, unless a settings file still runs memento.
func (b *cleanup) prose(others []Options, r *Report) error {
	for _, f := range b.o.prose() {
		text, change, err := b.o.readProse(f)
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
		case isSkill && change == Deleted:
			r.Skill, r.SkillChange, r.SkillDiff = f.path, Deleted, fileDiff(f.path, text, nil)
		case isSkill:
			r.Skill, r.SkillChange = f.path, change
		case change == Deleted:
			r.Commands = append(r.Commands, Written{f.path, Deleted, fileDiff(f.path, text, nil)})
		}
	}
	return nil
}

// addTraces lists what memento leaves beside the journals: session memory, the index, what MEMENTO_DEBUG wrote,
// leftovers of killed processes, and what the launcher built. The fingerprints of forgotten and removed words stay with
// the journals, so that a later installation does not read those words from a transcript again.
func (b *cleanup) addTraces() {
	home, state := b.o.home(), b.o.stateDir()
	b.addEmpty(session.ReportFolder(home)) // a waiting report has no copy, so it stays
	for _, name := range list(state) {
		if filepath.Join(state, name) == session.ReportFolder(home) {
			continue
		}
		if !session.Reserved(strings.TrimSuffix(name, ".json")) {
			b.file(filepath.Join(state, name))
		}
	}
	b.addTree(filepath.Join(home, "index"))
	for _, name := range list(home) {
		if strings.HasSuffix(name, ".debug.json") {
			b.file(filepath.Join(home, name))
		}
	}
	b.addTemporary(b.o.ConfigDir, anyAge)
	for _, dir := range []string{home, filepath.Join(home, "history"), filepath.Join(home, "rules")} {
		b.addTemporary(dir, time.Minute) // hooks write there, and no write takes a minute
	}
	b.addEmpty(filepath.Join(home, "history"), filepath.Join(home, "rules"))
	if b.o.Cache != "" {
		b.addTree(filepath.Join(b.o.Cache, "build"))
		for _, name := range list(filepath.Join(b.o.Cache, "bin")) {
			path := filepath.Join(b.o.Cache, "bin", name)
			if isPinned(filepath.ToSlash(filepath.Join(path, "memento"))) {
				b.addTree(path)
			}
		}
		b.addEmpty(filepath.Join(b.o.Cache, "bin"), b.o.Cache)
	}
}

// stays reports what is left of memento on the machine.
func (o Options) stays(b *cleanup, r *Report) {
	home := o.home()
	if !isMissing(home) && !b.gone[home] {
		r.Stays = append(r.Stays, fmt.Sprintf("Your journals, their history, your records and memento's own "+
			"settings, in %s: remove that folder, and nothing is left.", home))
	}
	if rel, err := filepath.Rel(filepath.Join(o.ConfigDir, "plugins"), o.Exe); o.Exe != "" && !b.isRemoved(o.Exe) &&
		(err != nil || !filepath.IsLocal(rel)) {
		what := o.Exe
		dir, name := filepath.Split(o.Exe)
		beside := dir + strings.Replace(name, "memento", "memento-sync", 1)
		if _, err := os.Lstat(beside); err == nil {
			what += ", and " + beside
		}
		r.Stays = append(r.Stays, fmt.Sprintf("The binary, %s.", what))
	}
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

func (b *cleanup) file(path string) {
	info, err := os.Lstat(path)
	if err == nil && !info.IsDir() && !b.gone[path] && !b.keep[path] && b.o.within(path) {
		b.gone[path] = true
		b.paths = append(b.paths, path)
	}
}

func (b *cleanup) addTree(path string) {
	if info, err := os.Lstat(path); err == nil && info.IsDir() && !b.gone[path] && b.o.within(path) {
		b.gone[path] = true
		b.paths = append(b.paths, path)
		if b.trees == nil {
			b.trees = map[string]bool{}
		}
		b.trees[path] = true
	}
}

// addTemporary lists what a killed process left in dir, if it is older than age.
func (b *cleanup) addTemporary(dir string, age time.Duration) {
	if list(dir) == nil {
		return
	}
	for _, path := range safefile.Leftover(dir, age, time.Now()) {
		b.file(path)
		b.addTree(path) // a scratch folder of doctor's rehearsal
	}
}

// addEmpty lists those of the folders, in this order, in which nothing is left.
func (b *cleanup) addEmpty(dirs ...string) {
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

// isRemoved reports whether path is removed, by itself or with a folder above.
func (b *cleanup) isRemoved(path string) bool {
	for p := path; ; p = filepath.Dir(p) {
		if b.gone[p] {
			return true
		}
		if p == filepath.Dir(p) {
			return false
		}
	}
}

func (b *cleanup) sweep() error {
	if b.heir != nil && (b.made.MadeSkills || b.made.MadeCommands || b.made.MadeConfig) {
		if rec := b.heir.readRecord(); rec.Written != "" {
			rec.join(b.made)
			if err := b.o.Disk.Replace(b.heir.recordPath(), rec.encode(), 0o600); err != nil {
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

// topPaths returns the paths that are removed, without those inside a removed folder and those in said.
func (b *cleanup) topPaths(said []string) (out []string) {
	for _, path := range b.paths {
		if !b.gone[filepath.Dir(path)] && !slices.Contains(said, path) {
			out = append(out, path)
		}
	}
	return out
}
