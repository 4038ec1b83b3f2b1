// Package install wires the standalone binary into the user's client configuration, and takes it out again:
// the hooks in settings.json, the skill beside it, and the backup and the record that make the way back exact.
//
// It decides what to write and in which order; how a settings file is edited is settings' business, and every
// write goes through the disk it is handed. The binary itself and the journals are never touched. Nothing here
// prints: what was done is in the Report.
package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/settings"
)

var (
	// ErrChanged is the reason when settings.json was written by someone else between reading and writing it.
	ErrChanged = errors.New("it changed while it was being edited")
	// ErrDangling is the reason when settings.json is a link to a file that is not there.
	ErrDangling = errors.New("it is a link to a file that does not exist")
	// ErrExe is the reason when the binary is not one that hooks could be pointed at for good.
	ErrExe = errors.New("it cannot be wired")
)

// maxFile bounds what is read, in bytes; settings refuses a file well before.
const maxFile = 16 << 20

// A Disk does the reading and writing. Package safefile's functions of these names are one.
type Disk struct {
	Read    func(path string, max int64) ([]byte, error)
	Replace func(path string, data []byte, perm fs.FileMode) error
	Remove  func(path string) error // also an empty folder; what is missing is no error
	Dir     func(path string) error // makes a folder and its parents, 0700
}

// Options say what to wire, and where.
type Options struct {
	ConfigDir string // the client's folder, where settings.json is; made when missing
	Exe       string // absolute path of the memento binary the hooks are to run
	HooksJSON []byte // the plugin's hooks.json: which events
	Skill     []byte // SKILL.md
	DryRun    bool   // report what would be done and write nothing
	Disk      Disk
}

// A Change says what became of a file.
type Change string

// What can become of a file.
const (
	Unchanged Change = "unchanged"
	Created   Change = "created"
	Edited    Change = "edited"
	Restored  Change = "restored" // every byte as it was before install
	Deleted   Change = "deleted"  // as it was before install: not there
	Left      Change = "left"     // not ours, so not touched
)

// A Report says what was done or, after a dry run, what would be.
type Report struct {
	Settings       string          `json:"settings"`         // path of settings.json
	Target         string          `json:"target,omitempty"` // the file it links to, which is what was edited
	SettingsChange Change          `json:"settings_change"`
	Added          settings.Wiring `json:"added,omitempty"`   // hooks settings.json did not have before
	Removed        settings.Wiring `json:"removed,omitempty"` // hooks it no longer has: older paths, duplicates
	Backup         string          `json:"backup,omitempty"`  // where settings.json as it was before is kept
	Skill          string          `json:"skill"`             // path of SKILL.md
	SkillChange    Change          `json:"skill_change"`
	Plugin         string          `json:"plugin,omitempty"` // "memento@mementohq" when the plugin is wired as well
	Notes          []string        `json:"notes,omitempty"`  // sentences for the user
}

// record is state/install.json: what uninstall needs to know to put settings.json back exactly.
type record struct {
	Version    int    `json:"version"`
	Written    string `json:"written"`            // sha256 of settings.json as install left it
	Original   string `json:"original,omitempty"` // sha256 of the backup
	Existed    bool   `json:"existed"`            // whether there was a settings.json before
	MadeSkills bool   `json:"made_skills,omitempty"`
}

type job struct {
	Options
	report Report
	target string // the regular file behind settings.json
	perm   fs.FileMode
	before []byte // its content; nil when there is none
	exists bool
	undo   []func()
	made   []string // folders, parents before children
}

// Install wires opt.Exe. It may be run again at any time: what is current stays, what is stale is renewed. On an
// error everything is as it was before, and whatever could not be edited safely was not touched.
func Install(opt Options) (Report, error) {
	j, err := open(opt)
	if err != nil {
		return Report{}, err
	}
	if err := j.checkExe(); err != nil {
		return Report{}, err
	}
	if !isSkill(opt.Skill) {
		return Report{}, errors.New("the skill has no front matter that names it memento")
	}
	w, err := settings.FromPlugin(opt.HooksJSON, opt.Exe)
	if err != nil {
		return Report{}, err
	}
	after, err := settings.Apply(j.before, w, Ours)
	if err != nil {
		return Report{}, fmt.Errorf("wiring %s: %w", j.target, err)
	}
	if err := j.diff(after); err != nil {
		return Report{}, err
	}
	j.report.SettingsChange = Unchanged
	switch {
	case !j.exists:
		j.report.SettingsChange = Created
	case !bytes.Equal(j.before, after):
		j.report.SettingsChange = Edited
	}
	j.notes(after)
	if err := j.install(after); err != nil {
		j.takeBack()
		return Report{}, err
	}
	return j.report, nil
}

// install writes, settings.json last: until then nothing the client reads refers to memento.
func (j *job) install(after []byte) error {
	old, rec := j.readRecord(), record{Version: 1}
	made, err := j.writeSkill()
	if err != nil {
		return err
	}
	if j.report.SettingsChange == Unchanged {
		return nil
	}
	rec.Written, rec.Existed = sum(after), j.exists
	rec.MadeSkills = made || old.MadeSkills
	switch backup, err := j.Disk.Read(j.backup(), maxFile); {
	case old.Written == "" || old.Written != sum(j.before):
		// Not as an earlier install left it, so this very content is what uninstall goes back to; should hooks
		// of ours be in it, it takes them out on the way.
	case !old.Existed:
		rec.Existed = false
	case err == nil && sum(backup) == old.Original:
		rec.Original = old.Original
		j.report.Backup = j.backup()
	}
	if j.DryRun {
		if rec.Existed {
			j.report.Backup = j.backup()
		}
		return nil
	}
	if rec.Existed && rec.Original == "" {
		rec.Original = sum(j.before)
		if err := j.replace(j.backup(), j.before, j.perm); err != nil {
			return fmt.Errorf("backing up settings.json: %w", err)
		}
		j.report.Backup = j.backup()
	}
	if err := j.makeDir(filepath.Dir(j.recordPath())); err != nil {
		return fmt.Errorf("recording the installation: %w", err)
	}
	data, err := json.MarshalIndent(rec, "", "  ")
	if err != nil {
		return fmt.Errorf("recording the installation: %w", err)
	}
	if err := j.replace(j.recordPath(), append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("recording the installation: %w", err)
	}
	return j.swap(after)
}

// Uninstall takes memento out of the client's configuration. When settings.json is as install left it, it gets
// back every byte it had before; otherwise only our hooks are taken out of it. Journals stay, and so does a skill
// that is not ours. Run without an installation it finds nothing to do.
func Uninstall(opt Options) (Report, error) {
	j, err := open(opt)
	if err != nil {
		return Report{}, err
	}
	if err := j.uninstallSettings(); err != nil {
		return Report{}, err
	}
	rec := j.readRecord()
	if err := j.removeSkill(rec.MadeSkills); err != nil {
		return j.report, err
	}
	if j.DryRun {
		return j.report, nil
	}
	for _, path := range []string{j.backup(), j.recordPath()} {
		if err := j.Disk.Remove(path); err != nil {
			return j.report, fmt.Errorf("tidying up: %w", err)
		}
	}
	state := filepath.Dir(j.recordPath())
	if err := j.removeEmpty(state, filepath.Dir(state)); err != nil {
		return j.report, fmt.Errorf("tidying up: %w", err)
	}
	return j.report, nil
}

func (j *job) uninstallSettings() error {
	j.report.SettingsChange = Unchanged
	if !j.exists {
		return nil
	}
	after, change, err := j.original()
	if err != nil {
		return fmt.Errorf("unwiring %s: %w", j.target, err)
	}
	if change == "" {
		if after, err = settings.Remove(j.before, Ours); err != nil {
			return fmt.Errorf("unwiring %s: %w", j.target, err)
		}
		change = Edited
	}
	if change != Deleted && bytes.Equal(after, j.before) {
		return nil
	}
	if err := j.diff(after); err != nil {
		return err
	}
	j.report.SettingsChange = change
	if j.DryRun {
		return nil
	}
	if change == Deleted {
		if err := j.unchanged(); err != nil {
			return err
		}
		if err := j.Disk.Remove(j.target); err != nil {
			return fmt.Errorf("unwiring %s: %w", j.target, err)
		}
		return nil
	}
	return j.swap(after)
}

// original returns what settings.json was before install, as far as that is certain; change is empty when it is not.
func (j *job) original() (data []byte, change Change, err error) {
	rec := j.readRecord()
	if rec.Written == "" || rec.Written != sum(j.before) {
		return nil, "", nil
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
	return data, Restored, err
}

// open finds settings.json and reads it.
func open(opt Options) (*job, error) {
	if !filepath.IsAbs(opt.ConfigDir) {
		return nil, fmt.Errorf("the client's folder %q is not an absolute path", opt.ConfigDir)
	}
	j := &job{Options: opt, perm: 0o600}
	path := filepath.Join(opt.ConfigDir, "settings.json")
	j.report.Settings, j.target = path, path
	// Dotfiles are often links into a repository: the file there is the one to edit, and the link stays.
	target, err := filepath.EvalSymlinks(path)
	switch {
	case err == nil:
		j.target = target
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			j.report.Target = target
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("reading %s: %w", path, err)
	default:
		if _, err := os.Lstat(path); err == nil {
			return nil, fmt.Errorf("reading %s: %w", path, ErrDangling)
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
		return nil, false, fmt.Errorf("reading settings.json: %w", err)
	}
	return data, true, nil
}

// unchanged returns ErrChanged unless settings.json is still what was read.
func (j *job) unchanged() error {
	now, exists, err := j.readSettings()
	if err != nil {
		return err
	}
	if exists != j.exists || !bytes.Equal(now, j.before) {
		return fmt.Errorf("writing %s: %w", j.target, ErrChanged)
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

func (j *job) checkExe() error {
	name := "the binary " + j.Exe
	switch {
	case !filepath.IsAbs(j.Exe):
		return fmt.Errorf("%s: %w: its path is not absolute", name, ErrExe)
	case !Ours(settings.Hook{Command: j.Exe, Args: []string{"hook"}}):
		return fmt.Errorf("%s: %w: it must be called memento, or its hooks would not be recognised later", name, ErrExe)
	}
	if strings.Contains(filepath.ToSlash(j.Exe), "/memento/build/") { // where bin/memento has a checkout's binary built
		return fmt.Errorf("%s: %w: it is in a cache, which may be emptied at any time", name, ErrExe)
	}
	dirs := []string{j.ConfigDir}
	if real, err := filepath.EvalSymlinks(j.ConfigDir); err == nil {
		dirs = append(dirs, real) // which is how a program sees its own path
	}
	for _, dir := range dirs {
		if rel, err := filepath.Rel(filepath.Join(dir, "plugins"), j.Exe); err == nil && filepath.IsLocal(rel) {
			return fmt.Errorf("%s: %w: it belongs to the plugin, whose folder changes with every version", name, ErrExe)
		}
	}
	return nil
}

// diff notes in the report which hooks of ours come and go.
func (j *job) diff(after []byte) error {
	was, err := settings.Find(j.before, Ours)
	if err != nil {
		return fmt.Errorf("reading %s: %w", j.target, err)
	}
	is, err := settings.Find(after, Ours)
	if err != nil {
		return fmt.Errorf("reading %s: %w", j.target, err)
	}
	j.report.Added, j.report.Removed = minus(is, was), minus(was, is)
	return nil
}

func minus(a, b settings.Wiring) settings.Wiring {
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

func (j *job) backup() string {
	return filepath.Join(j.ConfigDir, "settings.json.memento-backup")
}

func (j *job) recordPath() string {
	return filepath.Join(j.ConfigDir, ".memento", "state", "install.json")
}

// readRecord returns the zero record when there is none that can be read: then nothing is certain, and
// settings.json is edited rather than put back.
func (j *job) readRecord() record {
	var r record
	data, err := j.Disk.Read(j.recordPath(), 64<<10)
	if err != nil || json.Unmarshal(data, &r) != nil || r.Version != 1 {
		return record{}
	}
	return r
}

// replace writes a file of ours and notes how to take that back.
func (j *job) replace(path string, data []byte, perm fs.FileMode) error {
	old, err := j.Disk.Read(path, maxFile)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return err
	}
	if missing {
		j.undo = append(j.undo, func() { j.Disk.Remove(path) })
	} else {
		if info, err := os.Stat(path); err == nil {
			was := info.Mode().Perm()
			j.undo = append(j.undo, func() { j.Disk.Replace(path, old, was) })
		}
	}
	return j.Disk.Replace(path, data, perm)
}

// makeDir makes a folder and notes which it and its parents were made.
func (j *job) makeDir(path string) error {
	var missing []string
	for p := path; ; p = filepath.Dir(p) {
		if _, err := os.Lstat(p); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, p)
	}
	slices.Reverse(missing)
	j.made = append(j.made, missing...)
	return j.Disk.Dir(path)
}

// takeBack undoes what install wrote so far, as well as the disk lets it.
func (j *job) takeBack() {
	for _, f := range slices.Backward(j.undo) {
		f()
	}
	for _, dir := range slices.Backward(j.made) {
		j.removeEmpty(dir)
	}
}

// removeEmpty removes those of the folders, in this order, that have nothing in them.
func (j *job) removeEmpty(paths ...string) error {
	for _, path := range paths {
		if entries, err := os.ReadDir(path); err == nil && len(entries) == 0 {
			if err := j.Disk.Remove(path); err != nil {
				return err
			}
		}
	}
	return nil
}

func sum(data []byte) string {
	h := sha256.Sum256(data)
	return hex.EncodeToString(h[:])
}

// Ours reports whether h runs memento's hook: the program memento with the one argument "hook", or the same as a
// line for the shell. Any path will do, so that a binary that moved is still known.
func Ours(h settings.Hook) bool {
	if h.Args != nil {
		return len(h.Args) == 1 && h.Args[0] == "hook" && isMemento(h.Command)
	}
	if words, ok := split(h.Command); ok && len(words) == 2 && words[1] == "hook" && isMemento(words[0]) {
		return true
	}
	// On Windows the backslashes of a path are no escapes, and the program may stand unquoted.
	head, ok := strings.CutSuffix(h.Command, " hook")
	head = strings.Trim(head, `" `)
	return ok && len(head) > 3 && head[1:3] == `:\` && !strings.ContainsAny(head, `"';&|<>`) && isMemento(head)
}

func isMemento(path string) bool {
	base := path[strings.LastIndexAny(path, `/\`)+1:]
	return base == "memento" || strings.EqualFold(base, "memento.exe")
}

// split cuts one simple shell command into words, leaving variables as they are. It reports false for anything
// that does more than run one program.
func split(line string) (words []string, ok bool) {
	var word strings.Builder
	open, quote := false, byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == 0 && (c == ' ' || c == '\t'):
			if open {
				words = append(words, word.String())
				word.Reset()
				open = false
			}
			continue
		case quote == 0 && strings.IndexByte("\n;&|<>()#*?", c) >= 0,
			quote != '\'' && (c == '`' || strings.HasPrefix(line[i:], "$(")):
			return nil, false
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case c == quote:
			quote = 0
		case quote != '\'' && c == '\\' && i+1 < len(line):
			i++
			word.WriteByte(line[i])
		default:
			word.WriteByte(c)
		}
		open = true
	}
	if open {
		words = append(words, word.String())
	}
	return words, quote == 0
}

// Hint returns what the user can do about an error of Install or Uninstall, or "".
func Hint(err error) string {
	var r *settings.Refusal
	switch {
	case errors.As(err, &r):
		return "correct settings.json by hand, then run this again; nothing was changed"
	case errors.Is(err, ErrChanged):
		return "run this again"
	case errors.Is(err, ErrDangling):
		return "remove the link or create the file it points to, then run this again"
	case errors.Is(err, safefile.ErrRefused):
		return "look at what is in its place, and move it away"
	case errors.Is(err, ErrExe):
		return "run ./install.sh from a checkout, which puts the binary in a lasting place"
	}
	return ""
}
