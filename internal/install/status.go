package install

import (
	"bytes"
	"os"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/settings"
)

// Condition says whether one settings file has its hooks.
type Condition string

// The conditions.
const (
	Absent  Condition = "absent"  // no hook of memento
	Current Condition = "current" // as install writes them, and the binary exists
	Stale   Condition = "stale"   // Status.Why says what is wrong; install mends it
	Refused Condition = "refused" // the file cannot be read or edited: Status.Err
)

// Status describes the hooks in one settings file.
type Status struct {
	Options   Options
	Path      string // the settings file
	Condition Condition
	Command   string // the program of the hooks, if they all run the same one
	Why       string // of a stale one
	Err       error  // of a refused one

	StatusLine string // memento's command for the client's status line, "" for none
	StatusGone bool   // its program does not exist
}

// ReadStatuses returns the status of the user's settings, of the recorded ones, and of those at roots. It changes
// nothing.
func ReadStatuses(opt Options, roots map[Scope]string) (out []Status) {
	for _, p := range opt.places(roots) {
		out = append(out, p.status())
	}
	return out
}

func (o Options) status() Status {
	s := Status{Options: o, Path: o.file(), Condition: Refused}
	j, err := open(o, &Report{})
	var w settings.Wiring
	if err == nil {
		w, err = settings.Find(j.before, isOurs)
	}
	if err != nil {
		s.Err = err
		return s
	}
	if command, _, err := settings.StatusLine(j.before); err == nil && isOurStatusLine(command) {
		s.StatusLine = command
		s.StatusGone = !isPluginLine(command) && isMissing(programOf(command))
	}
	if len(w) == 0 {
		s.Condition = Absent
		return s
	}
	s.Condition = Stale
	var commands []string
	for _, h := range w {
		if !slices.Contains(commands, h.Command) {
			commands = append(commands, h.Command)
		}
	}
	if len(commands) > 1 {
		s.Why = "its hooks run different programs: " + strings.Join(commands, ", ")
		return s
	}
	s.Command = commands[0]
	if o.Scope != Project {
		if w[0].Args == nil {
			s.Why = "its hooks are in an older form: " + s.Command
			return s
		}
		if s.Why = o.whyPassing(s.Command); s.Why != "" {
			s.Why = s.Command + ": " + s.Why
			return s
		}
		if info, err := os.Stat(s.Command); err != nil || !info.Mode().IsRegular() {
			s.Why = s.Command + " is not there, so every hook fails"
			return s
		}
	}
	want, err := wiring(o.Scope, o.HooksJSON, s.Command)
	var after []byte
	if err == nil {
		after, err = settings.Apply(j.before, want, isOurs)
	}
	switch {
	case err != nil:
		s.Condition, s.Err = Refused, err
	case bytes.Equal(after, j.before):
		s.Condition = Current
	default:
		s.Why = "its hooks are not all there, or some are there twice or are no more to be"
	}
	return s
}

// SkillStatus says how the skill and the slash commands stand: Unchanged, Edited if one is of another version or a
// command is missing, Created if there is no skill, Left if another file is in the skill's place.
func SkillStatus(o Options) (Change, error) {
	out := Unchanged
	for _, f := range o.prose() {
		data, change, err := o.readProse(f)
		isSkill := f.path == o.skill()
		switch {
		case err != nil:
			return "", err
		case isSkill && change == "":
			return Created, nil
		case change == "", change == Unchanged && !bytes.Equal(data, f.data):
			return Edited, nil
		case isSkill:
			out = change
		}
	}
	return out, nil
}
