// Package install wires the standalone binary into the user's client configuration and takes it out again. It writes
// the hooks in settings.json, and the skill and the slash commands beside it.
//
// This package decides what to write, and in which order. Package settings knows how a settings file is edited. Every
// write goes through package safefile. Nothing here prints, asks a person, or touches the binary and the journals: the
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

// file is a file in the client's folder, as it is and as it is to be.
type file struct {
	path          string // of the regular file, behind any link
	perm          fs.FileMode
	before, after []byte // nil: no file
}

// change says what becomes of f.
func (f file) change() Change {
	switch {
	case f.before == nil && f.after != nil:
		return Created
	case f.before != nil && f.after == nil:
		return Deleted
	case !bytes.Equal(f.before, f.after):
		return Edited
	}
	return Unchanged
}

// Install wires opt.Exe. A second run renews stale hooks and leaves current ones alone. On an error every file is as it
// was before. Install does not touch a file that it cannot edit safely.
func Install(opt Options) (Report, error) {
	r := Report{}
	f, err := opt.readSettings(&r)
	if why := opt.whyPassing(opt.Exe); err == nil && opt.Status == "" && why != "" {
		err = fmt.Errorf("the binary %s: %w: %s", opt.Exe, errExe, why)
	}
	if err != nil {
		return Report{}, err
	}
	w, err := opt.wanted(&r, f.before)
	if err == nil {
		f.after, err = settings.Apply(f.before, w, opt.ours)
	}
	if err == nil {
		err = r.Place.compare(f, opt.ours)
	}
	if err != nil {
		return Report{}, fmt.Errorf("wiring %s: %w", f.path, err)
	}
	var files []file
	if opt.Status == "" {
		if files, err = opt.changeProse(&r, false); err != nil {
			return Report{}, err
		}
	}
	// the settings come last: until then nothing that the client reads refers to memento
	if err := opt.apply(append(files, f), opt.Check); err != nil {
		return Report{}, err
	}
	if opt.Client == client.Codex && r.Place.Added != nil {
		r.note("Codex asks once whether these hooks are to be trusted; until then it runs none.")
	}
	return r, nil
}

// wanted returns the hooks that the settings are to have, with the status line of memento's that stands there; or with
// a new status line, the hooks that stand there.
func (o Options) wanted(r *Report, before []byte) (w settings.Wiring, err error) {
	there, err := settings.Find(before, func(h settings.Hook) bool {
		return h.Event == settings.StatusLine || o.ours(h)
	})
	if err == nil && o.Status == "" {
		w, err = o.wiring(o.Exe)
	}
	if err != nil {
		return nil, err
	}
	status := o.Status
	for _, h := range there {
		isLine := h.Event == settings.StatusLine
		switch {
		case isLine && !o.ours(h) && status != "":
			r.note("%s has a status line, which stays: %s. To have memento's in its place, set its command to: %s",
				r.Place.Path, h.Command, status)
			status = ""
		case o.ours(h) && isLine == (o.Status == ""):
			w = append(w, h)
		}
	}
	if status != "" {
		w = append(w, settings.Hook{Event: settings.StatusLine, Command: status})
	}
	return w, nil
}

// apply brings the files into their new state, unless this is a dry run, and then asks check, which may be nil. On an
// error it takes back what it has done; what the disk refuses to undo stays.
func (o Options) apply(files []file, check func() error) (err error) {
	if o.DryRun {
		return nil
	}
	done := 0
	for _, f := range files {
		if err = o.replace(f); err != nil {
			break
		}
		done++
	}
	if err == nil && check != nil {
		err = check()
	}
	if err == nil {
		return nil
	}
	for _, f := range slices.Backward(files[:done]) {
		f.before, f.after = f.after, f.before
		_ = o.replace(f)
	}
	_ = o.removeEmpty()
	return err
}

// replace writes or removes one file. What another program wrote since it was read stays: errChanged.
func (o Options) replace(f file) error {
	change := f.change()
	if change == Unchanged {
		return nil
	}
	now, err := o.read(f.path)
	switch {
	case err != nil:
		return err
	case (now == nil) != (f.before == nil) || !bytes.Equal(now, f.before):
		return fmt.Errorf("writing %s: %w", f.path, errChanged)
	case change == Deleted:
		return safefile.Remove(f.path)
	}
	if dir := filepath.Dir(f.path); IsMissing(dir) {
		if err := safefile.Dir(dir); err != nil {
			return err
		}
	}
	if err := safefile.Replace(f.path, f.after, f.perm); err != nil {
		return fmt.Errorf("writing %s: %w", f.path, err)
	}
	return nil
}

// read returns what a file holds, nil for none.
func (o Options) read(path string) ([]byte, error) {
	data, err := safefile.Read(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && data == nil:
		data = []byte{} // an empty file
	}
	return data, err
}

// readSettings reads the client's settings, and begins the report. Dotfiles are often links into a repository: the file
// there is to be edited, and the link stays.
func (o Options) readSettings(r *Report) (f file, err error) {
	if !filepath.IsAbs(o.ConfigDir) {
		return f, fmt.Errorf("the client's folder %q is not an absolute path", o.ConfigDir)
	}
	path := o.file()
	r.Place = Place{Path: path, Change: Unchanged}
	f = file{path: path, perm: 0o600}
	target, err := filepath.EvalSymlinks(path)
	info, unseen := os.Lstat(path)
	switch {
	case err == nil:
		if f.path = target; unseen == nil && info.Mode()&fs.ModeSymlink != 0 {
			r.Place.Target = target
		}
	case !errors.Is(err, fs.ErrNotExist):
		return f, fmt.Errorf("reading %s: %w", path, err)
	case unseen == nil:
		return f, fmt.Errorf("reading %s: %w", path, errDangling)
	}
	if f.before, err = o.read(f.path); err != nil {
		return f, fmt.Errorf("reading %s: %w", filepath.Base(path), err)
	}
	if info, err := os.Stat(f.path); err == nil {
		f.perm = info.Mode().Perm()
	}
	return f, nil
}

// compare notes what becomes of the settings, and which hooks of memento come and go.
func (p *Place) compare(f file, ours func(settings.Hook) bool) error {
	was, err := settings.Find(f.before, ours)
	if err != nil {
		return err
	}
	is, err := settings.Find(f.after, ours)
	p.Change, p.Added, p.Removed = f.change(), subtract(is, was), subtract(was, is)
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

// IsMissing reports whether nothing is at path.
func IsMissing(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
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
			if err := safefile.Remove(dir); err != nil {
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
