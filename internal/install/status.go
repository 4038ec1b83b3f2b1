package install

import (
	"bytes"
	"os"

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
	Path      string // the settings file
	Condition Condition
	Command   string // the program of the first hook
	Why       string // of a stale one
	Err       error  // of a refused one

	StatusLine string // memento's command for the client's status line, "" for none
	StatusGone bool   // its program does not exist
}

// ReadStatus returns the status of the user's settings. It changes nothing.
func ReadStatus(o Options) Status {
	s := Status{Path: o.file(), Condition: Refused}
	f, err := o.readSettings(&Report{})
	var w settings.Wiring
	if err == nil {
		w, err = settings.Find(f.before, o.ours)
	}
	if err != nil {
		s.Err = err
		return s
	}
	if n := len(w); n > 0 && w[n-1].Event == settings.StatusLine {
		s.StatusLine, w = w[n-1].Command, w[:n-1]
		s.StatusGone = s.StatusLine != pluginLine && IsMissing(programOf(s.StatusLine))
	}
	if len(w) == 0 {
		s.Condition = Absent
		return s
	}
	s.Condition, s.Command = Stale, hookProgram(w[0])
	if why := o.whyPassing(s.Command); why != "" {
		s.Why = s.Command + ": " + why
		return s
	}
	if info, err := os.Stat(s.Command); err != nil || !info.Mode().IsRegular() {
		s.Why = s.Command + " is not there, so every hook fails"
		return s
	}
	want, err := o.wiring(s.Command)
	if s.StatusLine != "" {
		want = append(want, settings.Hook{Event: settings.StatusLine, Command: s.StatusLine})
	}
	var after []byte
	if err == nil {
		after, err = settings.Apply(f.before, want, o.ours)
	}
	switch {
	case err != nil:
		s.Condition, s.Err = Refused, err
	case bytes.Equal(after, f.before):
		s.Condition = Current
	default:
		s.Why = "its hooks are not all there, or some are there twice, run another program or are no more to be"
	}
	return s
}

// SkillStatus says how the skill and the slash commands stand: Unchanged, Edited if one is of another version or a
// command is missing, Created if there is no skill, Left if another file is in the skill's place.
func SkillStatus(o Options) (Change, error) {
	out := Unchanged
	for _, f := range o.prose() {
		own, err := o.readProse(&f)
		isSkill := f.path == o.skill()
		switch {
		case err != nil:
			return "", err
		case isSkill && !own:
			out = Left
		case isSkill && f.before == nil:
			return Created, nil
		case own && f.change() != Unchanged:
			return Edited, nil
		}
	}
	return out, nil
}
