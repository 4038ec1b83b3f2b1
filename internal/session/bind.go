package session

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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
	Return     bool   // SessionStart of one that may have run elsewhere before: not of a compaction
	Fork       bool   // a new lane of its own, beside the one it was forked from
}

// Bind notes where the session is and returns its lane: the one it was bound to before, wherever it has moved since,
// else that of the project it starts in. One that begins or comes back from a long silence and finds its lane held by
// another that is open gets a lane of its own, which Beside tells. wait is how long recording a new project may take.
// The error is the disk's, when it kept from learning what the project is called: any lane could be another's then.
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
		s.hold(lane) // its holder's file goes with the lane, should that have been folded
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

// follow returns the lane itself, or, where its project has another name by now and the journal is there already, that
// one: a migration that was cut off had not come to this session yet.
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

// folder is where the session belongs, whatever folder it changes to.
func (p Place) folder() string {
	if p.ProjectDir != "" {
		return p.ProjectDir
	}
	return p.Cwd
}

// Strays returns the lane that the session is bound to, and reports whether it returns in a folder of another project,
// which may not see what stands there.
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

// Leave takes the session out of its lane. What was typed up to now stays there; the next Bind gives it the lane of
// where it is.
func (s *Session) Leave(now time.Time) {
	s.Memory = Memory{ID: s.ID, Since: now}
}

// activeStep is how exactly a session's last activity is known: noting every event would cost each a write.
const activeStep = 10 * time.Minute

func (s *Session) start(c config.Config, p Place, now time.Time, wait time.Duration) (project.Lane, error) {
	w := project.OpenWorkspace(c.Dir)
	found := w.Locate(p.folder(), p.Home)
	if says := w.Claimed(found); says != nil {
		s.Says = &says[0]
	}
	if former, ok := w.Former(found, p.Home); ok && p.Begin { // before it is recorded under its new name
		s.Former = &former
	}
	slug, err := w.Record(found, now, wait) // unrecorded, the slug is still good
	if err != nil && slug == "" && !found.None() {
		return project.Lane{}, err
	}
	lane := project.NewLane(c.Dir, slug, found.Worktree, c.Tag)
	s.Root, s.Started, s.Entry = found.Root, now, now
	grave := forgotten(c.Dir)[s.ID]
	s.Read = grave.Position
	if grave.Since.After(s.Since) {
		s.Since = grave.Since
	}
	own := s.own(lane)
	if _, err := os.Lstat(own.Journal()); err == nil { // its state was deleted meanwhile
		lane = own
	} else if p.Fork || !s.claim(c, lane, p.PID, now, wait) {
		if p.Fork {
			s.beside(c, lane, p.PID, now)
		}
		lane = own
	}
	if lane == own {
		s.hold(lane)
	}
	return lane, nil
}

// own is the lane of this session beside lane. Ids that begin alike are told apart by the whole.
func (s *Session) own(lane project.Lane) project.Lane {
	name := lane.Name
	lane.Name = name + "~" + short(s.ID)
	if held, err := safefile.Read(holder(lane), 1<<10); err == nil && string(held) != s.ID {
		lane.Name = name + "~" + fileName(s.ID)
	}
	return lane
}

// holder is where the session that holds the lane is noted.
func holder(lane project.Lane) string { return strings.TrimSuffix(lane.Lock(), ".lock") + ".holder" }

// Holds reports whether the session holds the lane.
func (s *Session) Holds(lane project.Lane) bool {
	held, err := safefile.Read(holder(lane), 1<<10)
	return err == nil && string(held) == s.ID
}

// RenameHolder makes whoever holds the lane from the holder of the lane to, unless a session that began since holds
// that. Errors: safefile's.
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

// hold notes that the session holds the lane, unless that stands there; what cannot be noted is taken by the next
// session.
func (s *Session) hold(lane project.Lane) {
	if s.Holds(lane) {
		return
	}
	_ = safefile.ReplaceVolatile(holder(lane), []byte(s.ID), 0o600)
}

// claim makes the session, in the client process pid, the holder of the lane, unless another that is open in another
// client holds it: that one is told. Who held it before is noted. Without the lock nothing is written, and the lane is
// taken only from a session that is not open.
func (s *Session) claim(c config.Config, lane project.Lane, pid int, now time.Time, wait time.Duration) bool {
	unlock, locked := safefile.Lock(lane.Lock(), wait)
	if locked == nil {
		defer unlock()
	}
	held, known := s.beside(c, lane, pid, now)
	if !known { // a session that was in this lane stays, and one that was in none is in nobody's way in its own
		return s.Lane == lane.Name
	}
	if held {
		return false
	}
	s.Lane = lane.Name
	// what the next one that looks will judge it by; unclaimed, that one takes the lane
	if locked == nil && s.keep() == nil {
		s.hold(lane)
	}
	return true
}

// beside reports whether another session that is open in another client holds the lane, and notes it in Beside; one
// that held it and is not open any more, in Before. It is not known when the disk keeps from reading.
func (s *Session) beside(c config.Config, lane project.Lane, pid int, now time.Time) (held, known bool) {
	id, err := safefile.Read(holder(lane), 1<<10)
	if err != nil || string(id) == s.ID {
		return false, !safefile.Unreadable(err)
	}
	other, err := Load(c.Dir, string(id))
	if safefile.Unreadable(err) && !errors.Is(err, ErrNoSession) {
		return false, false
	}
	if err != nil || other.Lane != lane.Name || pid > 0 && other.PID == pid && other.Host == host() ||
		!other.open(now, c.LaneTTL) {
		s.Before = string(id)
		return false, true
	}
	s.Beside = other.ID
	return true, true
}

// tellWait is how long a session waits to leave word for another; it holds its own state meanwhile.
const tellWait = 50 * time.Millisecond

// Tell leaves word for the session in Beside that this one has begun; its next prompt is accompanied by a line.
func (s *Session) Tell(dir string) {
	other, err := Open(dir, s.Beside, tellWait)
	if err != nil {
		return // untold, it notices nothing: the journals are apart
	}
	if other.Lane != "" && len(other.Others) < 8 && !slices.Contains(other.Others, s.ID) {
		other.Others = append(other.Others, s.ID)
	}
	_ = other.Save()
}

// News returns how many of the sessions that began beside this one and that it was not told of are still open, and
// forgets them: a program that runs claude again and again is worth no line each time.
func (s *Memory) News(c config.Config, now time.Time) (n int) {
	for _, id := range s.Others {
		if other, err := Load(c.Dir, id); err == nil && other.open(now, c.LaneTTL) {
			n++
		}
	}
	s.Others = nil
	return n
}

// Runs is whether the session goes on, as far as can be known.
func (s *Memory) Runs(c config.Config, now time.Time) bool { return s.open(now, c.LaneTTL) }

// open reports whether the session goes on: its client's process is alive, told by its start from another that took
// over its number. Where that cannot be known it was active within ttl.
func (s *Memory) open(now time.Time, ttl time.Duration) bool {
	if s.Ended {
		return false
	}
	if s.PID > 0 && s.PIDStart != "" && s.Host == host() {
		return startOf(s.PID) == s.PIDStart
	}
	quiet := now.Sub(s.Active)
	return quiet < ttl && quiet > -ttl // a clock that went wrong blocks nobody
}

// host names the machine, or the container, in which a process number means something.
func host() string {
	name, _ := os.Hostname()
	return name
}

// testOnlyUnknown makes process starts unknown, as on systems that do not tell.
var testOnlyUnknown bool

// startOf returns when the process with this number started, in a unit of the system's own, or "" when there is none or
// that cannot be known.
func startOf(pid int) string {
	if testOnlyUnknown || pid <= 0 {
		return ""
	}
	return processStart(pid)
}

func short(id string) string {
	name := fileName(id)
	return name[:min(8, len(name))]
}

// Folder returns the lane of the project that the folder cwd belongs to, for a command run outside any session. It
// writes nothing. The error is the disk's.
func Folder(c config.Config, cwd, home string) (project.Lane, error) {
	w := project.OpenWorkspace(c.Dir)
	found := w.Locate(cwd, home)
	return project.NewLane(c.Dir, w.Slug(found), found.Worktree, c.Tag), w.Err
}
