// Package install wires the standalone binary into the user's client configuration and takes it out again. It writes
// the hooks in settings.json, the skill and the slash commands beside it, and a backup and a record that make the way
// back exact.
//
// This package decides what to write, and in which order. Package settings knows how a settings file is edited. Every
// write goes through Options.Disk. Nothing here prints, asks a person, or touches the binary and the journals: the
// Report says what was done.
package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/settings"
)

var (
	// errChanged: another program wrote settings.json between memento's reading and its writing.
	errChanged = errors.New("it changed while it was being edited")
	// errDangling: settings.json is a link to a file that does not exist.
	errDangling = errors.New("it is a link to a file that does not exist")
)

// maxFile is the most bytes that are read of one file. Package settings refuses a smaller file already.
const maxFile = 16 << 20

// Disk reads and writes files. The functions of package safefile with these names make one.
type Disk struct {
	Read       func(path string, max int64) ([]byte, error)
	Replace    func(path string, data []byte, perm fs.FileMode) error
	Remove     func(path string) error // a file or an empty folder; a missing one is no error
	RemoveTree func(path string) error // a folder with all in it
	Dir        func(path string) error // makes one of memento's folders and its parents, mode 0700
	Folder     func(path string) error // makes a folder of the client or of a project
	LockFolder func(path string, wait time.Duration) (unlock func(), err error)
}

// Options say what to wire, and where.
type Options struct {
	ConfigDir string // the client's folder; Install makes it
	Scope     Scope  // which settings file to edit
	Root      string // the project's folder, for the scopes project and local
	Exe       string // absolute path of the binary that the hooks run; an upgrade keeps it (see Lasting)
	HooksJSON []byte // the plugin's hooks.json, which lists the events
	Skill     []byte // SKILL.md
	Commands  []Command
	Clients   []Client // the clients on this machine; Install refuses if the hooks would break one of them
	DryRun    bool     // write nothing, and report what would be done
	Status    string   // the command of the status line: Install wires it alone. "" wires the hooks
	Cache     string   // memento's folder among the user's caches, "" when unknown
	Disk      Disk
}

// Change says what became of a file.
type Change string

// The values of Change.
const (
	Unchanged Change = "unchanged"
	Created   Change = "created"
	Edited    Change = "edited"
	Restored  Change = "restored" // every byte is as it was before install
	Deleted   Change = "deleted"  // there was no file before install
	Left      Change = "left"     // somebody else's file, not touched
)

// Place is one settings file, and what was done to it.
type Place struct {
	Scope   Scope           `json:"scope"`
	Path    string          `json:"settings"`
	Target  string          `json:"target,omitempty"` // the file that Path links to: that one was edited
	Change  Change          `json:"change"`
	Added   settings.Wiring `json:"added,omitempty"`   // hooks that were not in the file before
	Removed settings.Wiring `json:"removed,omitempty"` // hooks taken out: older paths, duplicates
	Backup  string          `json:"backup,omitempty"`  // path of the copy made before the edit
	Diff    string          `json:"diff,omitempty"`    // a unified diff
}

// Written is a file that Claude reads, and what became of it.
type Written struct {
	Path   string `json:"path"`
	Change Change `json:"change"`
	Diff   string `json:"diff,omitempty"`
}

// Report says what was done or, after a dry run, what would be done.
type Report struct {
	Places      []Place   `json:"places"`
	Skill       string    `json:"skill"` // path of SKILL.md, "" when there was none to write or to remove
	SkillChange Change    `json:"skill_change"`
	SkillDiff   string    `json:"skill_diff,omitempty"`
	Commands    []Written `json:"commands,omitempty"` // the slash commands
	Plugin      string    `json:"plugin,omitempty"`   // "memento@mementohq" when the plugin is wired as well
	// other files of memento that were removed, and folders with all in them
	Gone  []string `json:"gone,omitempty"`
	Stays []string `json:"stays,omitempty"` // what of memento is still on the machine, a sentence each
	Notes []string `json:"notes,omitempty"` // sentences for the user
}

func (r *Report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// job is one settings file that is being edited.
type job struct {
	Options
	report *Report
	place  Place
	target string // the regular file behind the settings file
	perm   fs.FileMode
	before []byte // the content of target; nil when there is no file
	after  []byte // what uninstall writes there
	exists bool
	undo   []func()
	made   []string // folders, parents before children
}

// Install wires opt.Exe. A second run renews stale hooks and leaves current ones alone. On an error every file is as it
// was before. Install does not touch a file that it cannot edit safely.
func Install(opt Options) (Report, error) {
	unlock, err := opt.lock()
	if err != nil {
		return Report{}, err
	}
	defer unlock()
	opt.tidy()
	r := &Report{}
	j, err := open(opt, r)
	if err != nil {
		return Report{}, err
	}
	if opt.Status != "" {
		return j.installStatusLine()
	}
	if opt.Scope != Project {
		if _, err := opt.findLasting(opt.Exe, nil, ""); err != nil {
			return Report{}, err
		}
	}
	for _, c := range opt.Clients {
		exe := opt.Exe
		if opt.Scope == Project { // the hooks of a project name no path
			exe = ""
		}
		if err := c.CheckFit(exe); err != nil {
			return Report{}, err
		}
	}
	if !isSkill(opt.Skill) {
		return Report{}, errors.New("the skill has no front matter that names it memento")
	}
	w, err := wiring(opt.Scope, opt.HooksJSON, opt.Exe)
	if err != nil {
		return Report{}, err
	}
	after, err := settings.Apply(j.before, w, isOurs)
	if err != nil {
		return Report{}, fmt.Errorf("wiring %s: %w", j.target, err)
	}
	if err := j.compare(after); err != nil {
		return Report{}, err
	}
	j.place.Change = Unchanged
	switch {
	case !j.exists:
		j.place.Change = Created
	case !bytes.Equal(j.before, after):
		j.place.Change = Edited
	}
	j.notes(after)
	if err := j.install(after); err != nil {
		j.takeBack()
		return Report{}, err
	}
	r.Places = []Place{j.place}
	return *r, nil
}

// lock keeps other runs away, of any scope: of two runs at once, the one that fails would undo the work of the other.
// The lock is on the folder above the client's, so that lock makes no folder. Where that folder cannot be locked, the
// run goes on without a lock.
func (o Options) lock() (unlock func(), err error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	above := filepath.Dir(o.ConfigDir)
	for isMissing(above) && above != filepath.Dir(above) {
		above = filepath.Dir(above)
	}
	if !o.DryRun {
		unlock, err = o.Disk.LockFolder(above, 5*time.Second)
	}
	switch {
	case errors.Is(err, safefile.ErrBusy):
		return nil, fmt.Errorf("another memento installs or uninstalls: %w", err)
	case err != nil || unlock == nil:
		return func() {}, nil
	}
	return unlock, nil
}

// tidy removes the temporary files that a killed run left in the folders where only install and uninstall write. The
// caller holds the lock, so no other run is writing one now.
func (o Options) tidy() {
	if o.DryRun {
		return
	}
	for _, p := range o.knownPlaces() {
		o.sweep(filepath.Dir(p.file()))
	}
	for _, dir := range []string{filepath.Dir(o.file()), filepath.Dir(o.skill()), o.commands(), o.projectsDir()} {
		o.sweep(dir)
	}
}

// anyAge is below the age of every file, even after the clock was set back.
const anyAge = -24 * time.Hour

func (o Options) sweep(dir string) {
	if list(dir) == nil || !o.within(filepath.Join(dir, "x")) {
		return
	}
	for _, path := range safefile.Leftover(dir, anyAge, time.Now()) {
		_ = o.Disk.Remove(path)
	}
}

// install writes the skill, the commands, the backup and the record, and settings.json last: until then nothing that
// the client reads refers to memento.
func (j *job) install(after []byte) error {
	rec, old, err := j.newRecord()
	if err != nil {
		return err
	}
	skills, commands, err := j.writeAllProse()
	if err != nil {
		return err
	}
	if j.place.Change == Unchanged {
		if commands && old.Written != "" && !old.MadeCommands { // the first version with slash commands
			old.MadeCommands = true
			return j.saveRecord(old)
		}
		return nil
	}
	rec.MadeSkills, rec.MadeCommands = skills || old.MadeSkills, commands || old.MadeCommands
	return j.write(after, rec, old)
}

// newRecord returns the record of this installation as far as nothing is written, and the record of the last one.
func (j *job) newRecord() (rec, old record, err error) {
	if old, err = j.knownRecord(); err != nil {
		return rec, old, err
	}
	rec = record{Version: 1, Scope: j.Scope, Root: j.Root, MadeSkills: old.MadeSkills, MadeCommands: old.MadeCommands}
	rec.MadeConfig = old.MadeConfig || isMissing(j.ConfigDir)
	rec.MadeFolder = old.MadeFolder || j.Scope != User && isMissing(filepath.Dir(j.file()))
	for _, other := range j.recordedPlaces() { // the scope that is uninstalled last removes the folder
		rec.MadeFolder = rec.MadeFolder || filepath.Dir(other.file()) == filepath.Dir(j.file()) &&
			other.readRecord().MadeFolder
	}
	return rec, old, nil
}

// write writes the backup, the record and then the settings.
func (j *job) write(after []byte, rec, old record) error {
	rec.Written, rec.Existed = sum(after), j.exists
	switch backup, err := j.Disk.Read(j.backup(), maxFile); {
	case old.Written == "" || old.Written != sum(j.before):
		// Somebody edited the file since the last install: uninstall goes back to the present content, without
		// memento's hooks.
	case !old.Existed:
		rec.Existed = false
	case safefile.Unreadable(err):
		return fmt.Errorf("reading the backup of %s: %w", j.place.Path, err)
	case err == nil && sum(backup) == old.Original:
		rec.Original = old.Original
		j.place.Backup = j.backup()
	}
	if j.DryRun {
		if rec.Existed {
			j.place.Backup = j.backup()
		}
		return nil
	}
	// Each by itself: Dir refuses a link in a folder's place, and lets one pass above it.
	for _, dir := range slices.Compact([]string{filepath.Dir(j.stateDir()), j.stateDir(),
		filepath.Dir(j.recordPath())}) {
		if err := j.makeDir(dir); err != nil {
			return fmt.Errorf("recording the installation: %w", err)
		}
	}
	if rec.Existed && rec.Original == "" {
		rec.Original = sum(j.before)
		perm := j.perm
		if j.Scope != User { // in memento's own folder
			perm = 0o600
		}
		if err := j.replace(j.backup(), j.before, perm); err != nil {
			return fmt.Errorf("backing up %s: %w", j.place.Path, err)
		}
		j.place.Backup = j.backup()
	}
	if err := j.saveRecord(rec); err != nil {
		return err
	}
	if folder := filepath.Dir(j.target); j.Scope != User && isMissing(folder) {
		j.made = append(j.made, folder)
		if err := j.Disk.Folder(folder); err != nil {
			return fmt.Errorf("writing %s: %w", j.target, err)
		}
	}
	return j.swap(after)
}

func (j *job) saveRecord(r record) error {
	if err := j.replace(j.recordPath(), r.encode(), 0o600); err != nil {
		return fmt.Errorf("recording the installation: %w", err)
	}
	return nil
}

// open finds the settings file and reads it.
func open(opt Options, r *Report) (*job, error) {
	if err := opt.check(); err != nil {
		return nil, err
	}
	j := &job{Options: opt, report: r, perm: 0o600}
	if opt.Scope == Project {
		j.perm = 0o644 // other users of the project read the file
	}
	path := opt.file()
	j.place = Place{Scope: opt.Scope, Path: path}
	j.target = path
	// Dotfiles are often links into a repository: edit the file there, and keep the link.
	target, err := filepath.EvalSymlinks(path)
	switch {
	case err == nil:
		j.target = target
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			j.place.Target = target
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("reading %s: %w", path, err)
	default:
		if _, err := os.Lstat(path); err == nil {
			return nil, fmt.Errorf("reading %s: %w", path, errDangling)
		}
	}
	if j.before, j.exists, err = j.readSettings(); err != nil {
		return nil, err
	}
	if info, err := os.Stat(j.target); err == nil {
		j.perm = info.Mode().Perm()
	}
	return j, nil
}

func (j *job) readSettings() (data []byte, exists bool, err error) {
	data, err = j.Disk.Read(j.target, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading %s: %w", filepath.Base(j.place.Path), err)
	}
	return data, true, nil
}

// unchanged returns errChanged if the settings file is no longer the one that was read.
func (j *job) unchanged() error {
	now, exists, err := j.readSettings()
	if err != nil {
		return err
	}
	if exists != j.exists || !bytes.Equal(now, j.before) {
		return fmt.Errorf("writing %s: %w", j.target, errChanged)
	}
	return nil
}

func (j *job) swap(after []byte) error {
	if err := j.unchanged(); err != nil {
		return err
	}
	if err := j.Disk.Replace(j.target, after, j.perm); err != nil {
		return fmt.Errorf("writing %s: %w", j.target, err)
	}
	return nil
}

// compare notes the hooks of memento that come and go, and the diff. Nil stands for no file.
func (j *job) compare(after []byte) error {
	was, err := findOurs(j.before)
	if err != nil {
		return fmt.Errorf("reading %s: %w", j.target, err)
	}
	is, err := findOurs(after)
	if err != nil {
		return fmt.Errorf("reading %s: %w", j.target, err)
	}
	j.place.Added, j.place.Removed = subtract(is, was), subtract(was, is)
	before := j.before
	if j.exists && before == nil {
		before = []byte{}
	}
	j.place.Diff = fileDiff(j.target, before, after)
	return nil
}

func subtract(a, b settings.Wiring) settings.Wiring {
	left := map[string]int{}
	for _, h := range b {
		left[fmt.Sprintf("%#v", h)]++
	}
	var out settings.Wiring
	for _, h := range a {
		if key := fmt.Sprintf("%#v", h); left[key] > 0 {
			left[key]--
		} else {
			out = append(out, h)
		}
	}
	return out
}

// replace writes one of memento's files and notes how to undo that.
func (j *job) replace(path string, data []byte, perm fs.FileMode) error {
	old, err := j.Disk.Read(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		j.undo = append(j.undo, func() { j.Disk.Remove(path) })
	case err != nil:
		return err
	default:
		if info, err := os.Stat(path); err == nil {
			was := info.Mode().Perm()
			j.undo = append(j.undo, func() { j.Disk.Replace(path, old, was) })
		}
	}
	return j.Disk.Replace(path, data, perm)
}

// makeDir makes a folder of memento and notes which of it and its parents are new.
func (j *job) makeDir(path string) error {
	var made []string
	for p := path; isMissing(p); p = filepath.Dir(p) {
		made = append(made, p)
	}
	slices.Reverse(made)
	j.made = append(j.made, made...)
	return j.Disk.Dir(path)
}

func isMissing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// takeBack undoes what install wrote so far. What the disk refuses to undo stays.
func (j *job) takeBack() {
	for _, f := range slices.Backward(j.undo) {
		f()
	}
	for _, dir := range slices.Backward(j.made) {
		if entries, err := os.ReadDir(dir); err == nil && len(entries) == 0 {
			j.Disk.Remove(dir)
		}
	}
}

// Hint returns what the user can do about an error of Install or Uninstall, or "".
func Hint(err error) string {
	switch {
	case errors.As(err, new(*safefile.SharedError)), errors.As(err, new(*safefile.ForeignError)):
		return safefile.Hint(err)
	case errors.As(err, new(settings.Refusal)):
		return "correct that file by hand, then run this again; nothing was changed"
	case errors.Is(err, errChanged), errors.Is(err, safefile.ErrBusy):
		return "run this again"
	case errors.Is(err, errDangling):
		return "remove the link or create the file it points to, then run this again"
	case errors.Is(err, safefile.ErrRefused):
		return "look at what is in its place, and move it away"
	case errors.Is(err, errClient):
		return "claude update, or remove that one, then run this again; nothing was changed"
	case errors.Is(err, errExe):
		return "copy it, and memento-sync beside it, into ~/.local/bin, then: ~/.local/bin/memento install " +
			"(an installed plugin needs neither)"
	case errors.Is(err, errNoProject):
		return "go to the project's folder first, or wire it for yourself everywhere: memento install --scope user"
	}
	return ""
}
