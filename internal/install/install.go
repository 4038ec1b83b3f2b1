// Package install wires the standalone binary into the user's client configuration and takes it out again. It writes
// the hooks in settings.json, and the skill and the slash commands beside it.
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
	"reflect"
	"slices"

	"github.com/mementohq/memento/internal/client"
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
	Read    func(path string, max int64) ([]byte, error)
	Replace func(path string, data []byte, perm fs.FileMode) error
	Remove  func(path string) error // a file or an empty folder; a missing one is no error
	Dir     func(path string) error // makes one of memento's folders and its parents, mode 0700
}

// file is the path of the file with the hooks.
func (o Options) file() string { return filepath.Join(o.ConfigDir, o.Client.Hooks) }

// Options say what to wire, and where.
type Options struct {
	Client    *client.Client // to wire
	ConfigDir string         // its folder; Install makes it
	Exe       string         // absolute path of the binary that the hooks run; an upgrade keeps it (see Lasting)
	HooksJSON []byte         // the plugin's hooks.json, which lists the events
	Skill     []byte         // SKILL.md
	Commands  []Command
	DryRun    bool         // write nothing, and report what would be done
	Status    string       // the command of the status line: Install wires it alone. "" wires the hooks
	Cache     string       // memento's folder among the user's caches, "" when unknown
	Check     func() error // runs when all is written; its error takes everything back. nil: none
	Disk      Disk
}

// Change says what became of a file.
type Change string

// The values of Change.
const (
	Unchanged Change = "unchanged"
	Created   Change = "created"
	Edited    Change = "edited"
	Deleted   Change = "deleted" // nothing but memento's was in it
	Left      Change = "left"    // somebody else's file, not touched
)

// Place is one settings file, and what was done to it.
type Place struct {
	Path    string
	Target  string // the file that Path links to: that one was edited
	Change  Change
	Added   settings.Wiring // hooks that were not in the file before
	Removed settings.Wiring // hooks taken out: older paths, duplicates
}

// Written is a file that Claude reads, and what became of it.
type Written struct {
	Path   string
	Change Change
}

// Report says what was done or, after a dry run, what would be done.
type Report struct {
	Place Place
	Files []Written // the skill, if there is one to write or to remove, and the slash commands
	Stays []string  // what of memento is still on the machine, a sentence each
	Notes []string  // sentences for the user
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
	exists bool
	undo   []func()
}

// Install wires opt.Exe. A second run renews stale hooks and leaves current ones alone. On an error every file is as it
// was before. Install does not touch a file that it cannot edit safely.
func Install(opt Options) (Report, error) {
	r := &Report{}
	j, err := open(opt, r)
	if err != nil {
		return Report{}, err
	}
	if err := opt.checkFit(); err != nil {
		return Report{}, err
	}
	w, err := j.wanted()
	if err != nil {
		return Report{}, err
	}
	after, err := settings.Apply(j.before, w, j.ours)
	if err == nil {
		err = j.compare(after)
	}
	if err != nil {
		return Report{}, fmt.Errorf("wiring %s: %w", j.target, err)
	}
	switch {
	case !j.exists && len(w) > 0:
		j.place.Change = Created
	case !bytes.Equal(j.before, after):
		j.place.Change = Edited
	}
	err = j.install(after)
	if err == nil && opt.Check != nil && !opt.DryRun {
		err = opt.Check()
	}
	if err != nil {
		j.takeBack()
		return Report{}, err
	}
	if r.Place = j.place; opt.Client == client.Codex && j.place.Added != nil {
		r.note("Codex asks once whether these hooks are to be trusted; until then it runs none.")
	}
	return *r, nil
}

// checkFit returns why these hooks cannot work on this machine.
func (o Options) checkFit() error {
	switch why := o.whyPassing(o.Exe); {
	case o.Status != "":
		return nil
	case why != "":
		return fmt.Errorf("the binary %s: %w: %s", o.Exe, errExe, why)
	case !isSkill(o.Skill):
		return errors.New("the skill has no front matter that names it memento")
	}
	return nil
}

// wanted returns the hooks that the file is to have, with the status line of memento's that stands there; or with a new
// status line, the hooks that stand there.
func (j *job) wanted() (w settings.Wiring, err error) {
	there, err := settings.Find(j.before, func(h settings.Hook) bool {
		return h.Event == settings.StatusLine || j.ours(h)
	})
	if err == nil && j.Status == "" {
		w, err = j.wiring(j.Exe)
	}
	if err != nil {
		return nil, fmt.Errorf("wiring %s: %w", j.target, err)
	}
	status := j.Status
	for _, h := range there {
		isLine := h.Event == settings.StatusLine
		switch {
		case isLine && !j.ours(h) && status != "":
			j.report.note("%s has a status line, which stays: %s. To have memento's in its place, set its command to: %s",
				j.place.Path, h.Command, status)
			status = ""
		case j.ours(h) && isLine == (j.Status == ""):
			w = append(w, h)
		}
	}
	if status != "" {
		w = append(w, settings.Hook{Event: settings.StatusLine, Command: status})
	}
	return w, nil
}

// install writes the skill, the commands, and settings.json last: until then nothing that the client reads refers to
// memento.
func (j *job) install(after []byte) error {
	if j.Status == "" {
		if err := j.writeAllProse(); err != nil {
			return err
		}
	}
	if j.place.Change == Unchanged || j.DryRun {
		return nil
	}
	if IsMissing(j.ConfigDir) {
		if err := j.Disk.Dir(j.ConfigDir); err != nil {
			return err
		}
	}
	if err := j.swap(after); err != nil {
		return err
	}
	j.undo = append(j.undo, func() { j.swapBack(after) })
	return nil
}

// swapBack gives the settings file what it had before swap, unless another program has written it since.
func (j *job) swapBack(after []byte) {
	switch now, err := j.Disk.Read(j.target, maxFile); {
	case err != nil || !bytes.Equal(now, after):
	case j.exists:
		j.Disk.Replace(j.target, j.before, j.perm)
	default:
		j.Disk.Remove(j.target)
	}
}

// open finds the settings file and reads it.
func open(opt Options, r *Report) (*job, error) {
	if !filepath.IsAbs(opt.ConfigDir) {
		return nil, fmt.Errorf("the client's folder %q is not an absolute path", opt.ConfigDir)
	}
	j := &job{Options: opt, report: r, perm: 0o600}
	path := opt.file()
	j.place = Place{Path: path, Change: Unchanged}
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
	if err == nil && data == nil {
		data = []byte{} // an empty file
	}
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

// compare notes the hooks of memento that come and go.
func (j *job) compare(after []byte) error {
	was, err := settings.Find(j.before, j.ours)
	if err != nil {
		return err
	}
	is, err := settings.Find(after, j.ours)
	j.place.Added, j.place.Removed = subtract(is, was), subtract(was, is)
	return err
}

func subtract(a, b settings.Wiring) (out settings.Wiring) {
	for _, h := range a {
		if !slices.ContainsFunc(b, func(o settings.Hook) bool { return reflect.DeepEqual(h, o) }) {
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

// IsMissing reports whether nothing is at path.
func IsMissing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// takeBack undoes what install wrote so far. What the disk refuses to undo stays.
func (j *job) takeBack() {
	for _, f := range slices.Backward(j.undo) {
		f()
	}
	_ = j.removeEmpty()
}

// removeEmpty removes the folders of the skill and the slash commands, and then the client's, in which nothing is left.
func (o Options) removeEmpty() error {
	skill, commands := filepath.Dir(o.skill()), o.commands()
	for _, dir := range []string{skill, filepath.Dir(skill), commands, filepath.Dir(commands), o.ConfigDir} {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() {
			continue
		}
		if entries, err := os.ReadDir(dir); err == nil && len(entries) == 0 {
			if err := o.Disk.Remove(dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// Hint returns what the user can do about an error of Install or Uninstall, or "".
func Hint(err error) string {
	switch {
	case errors.As(err, new(*safefile.OthersError)):
		return safefile.Hint(err)
	case errors.As(err, new(settings.Refusal)):
		return "correct that file by hand, then run this again; nothing was changed"
	case errors.Is(err, errChanged):
		return "run this again"
	case errors.Is(err, errDangling):
		return "remove the link or create the file it points to, then run this again"
	case errors.Is(err, safefile.ErrRefused):
		return "look at what is in its place, and move it away"
	case errors.Is(err, errExe):
		return "copy it into ~/.local/bin, then: ~/.local/bin/memento install " +
			"(an installed plugin needs neither)"
	}
	return ""
}
