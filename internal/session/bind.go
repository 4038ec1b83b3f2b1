package session

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// Place is where a session runs, as the client tells a hook or a command.
type Place struct {
	Cwd        string // the current folder
	ProjectDir string // CLAUDE_PROJECT_DIR, which stays when the session changes folders; "" when not given
	Home       string
	Transcript string // "" when not given
	PID        int    // CLAUDE_PID, 0 when not given
	Begin      bool   // at SessionStart: the session claims its lane again
	Return     bool   // at SessionStart of a session that may have run elsewhere, so not after a compaction
	Fork       bool   // the session gets a lane of its own beside the one it was forked from
}

// Bind notes where the session is and returns its lane. A bound session keeps its lane wherever it moves; a new one
// gets the lane of its project. A session that begins, or comes back after LaneTTL, gets a lane of its own when
// another open session holds its lane; then Beside names the other. wait is how long recording a new project may
// take. Bind returns the disk's error when it cannot learn the project's name: any lane could belong to another
// project then.
func (s *Session) Bind(c config.Config, p Place, now time.Time, wait time.Duration) (project.Lane, error) {
	lane, bound := project.LaneNamed(c.Dir, s.Lane)
	lane = follow(lane)
	silent := now.Sub(s.Active) > c.LaneTTL
	if p.PID > 0 && p.PID != s.PID {
		s.PID, s.PIDStart, s.Host = p.PID, startOf(p.PID), host()
	}
	if now.Sub(s.Active) > activeStep {
		s.Active = now
	}
	s.Ended = false
	switch {
	case !bound:
		var err error
		if lane, err = s.start(c, p, now, wait); err != nil {
			return project.Lane{}, err
		}
	case lane.Base() != lane && p.Begin:
		s.hold(lane) // when a lane is folded, its holder's file goes too
	case lane.Base() == lane && (p.Begin || silent):
		if !s.claim(c, lane, p.PID, now, wait) {
			lane, s.Moved = s.own(lane), true
			s.hold(lane)
		}
	}
	if filepath.IsAbs(p.Transcript) {
		s.Transcript = p.Transcript
	}
	s.Lane = lane.Name
	return lane, nil
}

// follow returns the lane under its project's present name, if a journal is there already: an interrupted rename had
// not reached this session. Otherwise it returns lane.
func follow(lane project.Lane) project.Lane {
	if lane.Slug == "" {
		return lane
	}
	if _, err := os.Lstat(lane.Journal()); !errors.Is(err, fs.ErrNotExist) {
		return lane
	}
	k, ok := project.OpenWorkspace(lane.Dir).Named(lane.Slug)
	if !ok || k.Slug == lane.Slug {
		return lane
	}
	next, ok := project.LaneNamed(lane.Dir, k.Slug+strings.TrimPrefix(lane.Name, lane.Slug))
	if _, err := os.Lstat(next.Journal()); !ok || err != nil {
		return lane
	}
	return next
}

// folder returns the folder that the session belongs to, whatever folder it changes to.
func (p Place) folder() string { return cmp.Or(p.ProjectDir, p.Cwd) }

// Strays returns the lane that the session is bound to, and reports whether the session returns in a folder of another
// project, which may not see that lane.
func (s *Session) Strays(c config.Config, p Place) (project.Lane, bool) {
	lane, bound := project.LaneNamed(c.Dir, s.Lane)
	if at := p.folder(); !bound || !p.Return || at == s.Root || !filepath.IsAbs(at) {
		return lane, false
	}
	w := project.OpenWorkspace(c.Dir)
	found := w.Locate(p.folder(), p.Home)
	if w.Err != nil || found.Root == s.Root || w.Slug(found) == lane.Slug {
		return lane, false
	}
	k, renamed := w.Named(lane.Slug)
	return lane, !renamed || k.Slug != w.Slug(found)
}

// Leave takes the session out of its lane, where the prompts typed before now stay. The next Bind gives the session the
// lane of its folder.
func (s *Session) Leave(now time.Time) {
	s.Memory = Memory{ID: s.ID, Since: now}
}

// activeStep is the precision of Active: noting the time of every event would cost each event a write.
const activeStep = 10 * time.Minute

func (s *Session) start(c config.Config, p Place, now time.Time, wait time.Duration) (project.Lane, error) {
	w := project.OpenWorkspace(c.Dir)
	found := w.Locate(p.folder(), p.Home)
	if says := w.Claimed(found); says != nil {
		s.Says = &says[0]
	}
	slug, err := w.Record(found, now, wait) // unrecorded, the slug is still good
	if err != nil && slug == "" && !found.None() {
		return project.Lane{}, err
	}
	lane := project.NewLane(c.Dir, slug, found.Worktree, c.Tag)
	s.Root, s.Started, s.Entry = found.Root, now, now
	own := s.own(lane)
	if _, err := os.Lstat(own.Journal()); err == nil { // the session memory was deleted meanwhile
		lane = own
	} else if p.Fork || !s.claim(c, lane, p.PID, now, wait) {
		if id, _ := holderOf(lane); p.Fork && id != "" {
			s.beside(c, lane, id, p.PID, now)
		}
		lane = own
	}
	if lane == own {
		s.hold(lane)
	}
	return lane, nil
}

// OwnLane returns the name of the lane beside lane in which a session goes on whose memory is gone.
func OwnLane(lane, id string) string { return lane + "~" + short(id) }

// own returns the session's own lane beside lane. Its name has the first eight characters of the session's id, or the
// whole id when another session with the same beginning holds that lane.
func (s *Session) own(lane project.Lane) project.Lane {
	name := lane.Name
	lane.Name = OwnLane(name, s.ID)
	if id, _ := holderOf(lane); id != "" && id != s.ID {
		lane.Name = name + "~" + log.FileName(s.ID)
	}
	return lane
}

// holder returns the path of the file that names the session that holds the lane.
func holder(lane project.Lane) string {
	return filepath.Join(lane.Dir, safefile.Cache, lane.Name+".holder")
}

// Beside returns the lanes beside lane that a session has held. It reads the folder of the cache, since memento's own
// may have thousands of records.
func Beside(lane project.Lane) (out []project.Lane) {
	names, _ := safefile.Names(filepath.Join(lane.Dir, safefile.Cache), ".holder")
	for _, name := range append(names, lane.Base().Name+".holder") {
		other, ok := project.LaneNamed(lane.Dir, strings.TrimSuffix(name, ".holder"))
		if ok && other != lane && other.Base() == lane.Base() {
			out = append(out, other)
		}
	}
	return out
}

// holderOf returns the id of the session that holds the lane, "" for none. known is false when the disk cannot be read.
func holderOf(lane project.Lane) (id string, known bool) {
	data, err := safefile.Read(holder(lane), 1<<10)
	return string(data), !safefile.Unreadable(err)
}

// Holds reports whether the session holds the lane.
func (s *Session) Holds(lane project.Lane) bool {
	id, _ := holderOf(lane)
	return id == s.ID
}

// RenameHolder makes the session that holds the lane from the holder of the lane to, unless another session holds to.
// Errors: safefile's; the same call again goes on.
func RenameHolder(from, to project.Lane) error {
	switch err := safefile.Move(holder(from), holder(to)); {
	case errors.Is(err, fs.ErrExist):
		return safefile.Remove(holder(from))
	case errors.Is(err, fs.ErrNotExist):
		return nil
	default:
		return err
	}
}

// hold notes that the session holds the lane. Without the note, the next session takes the lane.
func (s *Session) hold(lane project.Lane) {
	if !s.Holds(lane) {
		_ = safefile.ReplaceVolatile(holder(lane), []byte(s.ID), 0o600)
	}
}

// claim makes the session, in the client process pid, the holder of the lane and reports whether it is. Another session
// that is open in another client keeps the lane. claim notes the former holder in Before. Without the lock it writes
// nothing, and takes the lane only from a session that is not open.
func (s *Session) claim(c config.Config, lane project.Lane, pid int, now time.Time, wait time.Duration) bool {
	unlock, locked := safefile.Lock(lane.Lock(), wait)
	if locked == nil {
		defer unlock()
	}
	id, known := holderOf(lane)
	held := false
	if id != "" && id != s.ID {
		held, known = s.beside(c, lane, id, pid, now)
	}
	if !known { // a session of this lane stays; a new session disturbs nobody in a lane of its own
		return s.Lane == lane.Name
	}
	if held {
		return false
	}
	s.Lane = lane.Name
	// The next session judges this one by the saved memory. If the memory cannot be saved, that session takes the
	// lane.
	if locked == nil && s.keep() == nil {
		s.hold(lane)
	}
	return true
}

// beside reports whether the session id, another one that holds the lane, is open in another client, and notes it in
// Beside. It notes a holder that is no longer open in Before. known is false when the disk cannot be read.
func (s *Session) beside(c config.Config, lane project.Lane, id string, pid int, now time.Time) (held, known bool) {
	other, err := Load(c.Dir, id)
	if safefile.Unreadable(err) {
		return false, false
	}
	if err != nil || other.Lane != lane.Name || pid > 0 && other.PID == pid && other.Host == host() ||
		!other.Runs(c, now) {
		s.Before = id
		return false, true
	}
	s.Beside = other.ID
	return true, true
}

// Runs reports whether the session goes on: the process of its client is alive. The start of the process tells it from
// a later process with the same number. Where the start is unknown, the session must have been active within c.LaneTTL.
func (s *Memory) Runs(c config.Config, now time.Time) bool {
	if s.Ended {
		return false
	}
	if s.PID > 0 && s.PIDStart != "" && s.Host == host() {
		return startOf(s.PID) == s.PIDStart
	}
	quiet := now.Sub(s.Active)
	return quiet.Abs() < c.LaneTTL // a clock that went wrong blocks nobody
}

// host returns the name of the machine or container. A process number means nothing on another one.
func host() string {
	name, _ := os.Hostname()
	return name
}

// testOnlyUnknown makes the start of each process unknown, as on some systems.
var testOnlyUnknown bool

// startOf returns the start of the process pid in a unit of the system's own, "" when there is no such process or its
// start is unknown.
func startOf(pid int) string {
	if testOnlyUnknown || pid <= 0 {
		return ""
	}
	return processStart(pid)
}

func short(id string) string {
	name := log.FileName(id)
	return name[:min(8, len(name))]
}

// Folder returns the lane of the project that the folder cwd belongs to, for a command run outside any session. It
// writes nothing. The error is the disk's.
func Folder(c config.Config, cwd, home string) (project.Lane, error) {
	w := project.OpenWorkspace(c.Dir)
	found := w.Locate(cwd, home)
	return project.NewLane(c.Dir, w.Slug(found), found.Worktree, c.Tag), w.Err
}
