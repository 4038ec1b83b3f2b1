package session

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// Place is where a session runs, as the client tells a hook or a command.
type Place struct {
	Cwd        string // the folder it is in now
	ProjectDir string // CLAUDE_PROJECT_DIR, which stays when the session changes folders; "" where it is not given
	Home       string
	Transcript string // "" where it is not given
	PID        int    // CLAUDE_PID, 0 where it is not given
	Begin      bool   // SessionStart: the lane is claimed anew
	Fork       bool   // a new lane of its own, beside the one it was forked from
}

// Bind notes where the session is and returns its lane: the one it was bound to before, wherever it has moved since,
// else that of the project it starts in. wait is how long recording a new project may take.
func (s *Session) Bind(c config.Config, p Place, now time.Time, wait time.Duration) project.Lane {
	lane, bound := project.LaneNamed(c.Dir, s.Lane)
	switch {
	case !bound:
		lane = s.start(c, p, now, wait)
	case p.Begin:
		if base, _, own := strings.Cut(s.Lane, "~"); !own && base != "" && !s.claim(c.Dir, lane, p.PID, wait) {
			lane.Name += "~" + short(s.ID)
			s.Lane = lane.Name
		}
	}
	if filepath.IsAbs(p.Transcript) {
		s.Transcript = p.Transcript
	}
	if p.PID > 0 && p.PID != s.PID {
		s.PID, s.PIDStart = p.PID, startOf(p.PID)
	}
	s.Ended = false
	return lane
}

func (s *Session) start(c config.Config, p Place, now time.Time, wait time.Duration) project.Lane {
	dir := p.ProjectDir
	if dir == "" {
		dir = p.Cwd
	}
	found := project.OpenWorkspace(c.Dir).Locate(dir, p.Home)
	slug, _ := project.Record(c.Dir, found, now, wait) // unrecorded, the slug is still good
	lane := project.NewLane(c.Dir, slug, found.Worktree, c.Tag)
	if p.Fork || !s.claim(c.Dir, lane, p.PID, wait) {
		lane.Name += "~" + short(s.ID)
	}
	s.Lane, s.Root, s.Started, s.Entry = lane.Name, found.Root, now, now
	grave := forgotten(c.Dir)[s.ID]
	s.Read, s.Since = grave.Position, grave.Since
	return lane
}

// claim makes the session, in the client process pid, the holder of the lane, unless another client that is still
// running holds it. Who held it before is noted. A lock that cannot be had leaves the lane to whoever is in it.
func (s *Session) claim(dir string, lane project.Lane, pid int, wait time.Duration) bool {
	unlock, err := safefile.Lock(lane.Lock(), wait)
	if err != nil {
		return true
	}
	defer unlock()
	path := strings.TrimSuffix(lane.Lock(), ".lock") + ".holder"
	held, err := safefile.Read(path, 1<<10)
	if err == nil && string(held) == s.ID {
		return true
	}
	if err == nil {
		s.Before = string(held)
		other, err := Load(dir, string(held))
		if err == nil && other.Lane == lane.Name && other.PID != pid && other.running() {
			return false
		}
	}
	_ = safefile.ReplaceVolatile(path, []byte(s.ID), 0o600) // unclaimed, the next session takes it: as before claims
	return true
}

// running reports whether the client process of the session is known to be alive. A process that took over a dead
// one's number started at another time.
func (s *State) running() bool {
	return !s.Ended && s.PID > 0 && s.PIDStart != "" && startOf(s.PID) == s.PIDStart
}

// startOf returns when the process with this number started, in the kernel's own unit, or "" where that cannot be known.
func startOf(pid int) string {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	// The second field, the name, is in parentheses and may hold anything; the start time is the 22nd.
	_, rest, ok := strings.Cut(string(data[max(0, strings.LastIndexByte(string(data), ')')):]), " ")
	fields := strings.Fields(rest)
	if !ok || len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" { // dead, and not buried yet
		return ""
	}
	return fields[19]
}

func short(id string) string {
	name := fileName(id)
	return name[:min(8, len(name))]
}

// Folder returns the lane of the project that the folder cwd belongs to, for a command run outside any session. It
// writes nothing.
func Folder(c config.Config, cwd, home string) project.Lane {
	w := project.OpenWorkspace(c.Dir)
	found := w.Locate(cwd, home)
	return project.NewLane(c.Dir, w.Slug(found), found.Worktree, c.Tag)
}
