package cli

import (
	"errors"
	"io/fs"
	"os"
	"strconv"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/session"
)

// place is where a command works: a lane, and the session it runs in.
type place struct {
	store      journal.Store
	session    string // "" outside any session
	root       string // where the session's project is, "" outside any
	transcript string // the session's, "" when none is known
	by         string // journal.ByClaude inside a session, journal.ByUser at a person's terminal
}

// sessionID is the session that the command runs in, "" outside any.
func (c *call) sessionID() string { return c.Getenv("CLAUDE_CODE_SESSION_ID") }

// caller is who runs the command: Claude, in a session or in what it started, else the user.
func (c *call) caller() string {
	if c.sessionID() != "" || c.Getenv("CLAUDECODE") != "" {
		return journal.ByClaude
	}
	return journal.ByUser
}

// open finds the lane: the running session's, else that of the folder's project. With change set, a project not seen
// before is recorded. What the session's user typed so far is brought into the journal first; that this failed is no
// reason to fail, the next hook does it.
func (c *call) open(change bool) (*place, error) {
	at := &place{session: c.sessionID(), by: c.caller()}
	at.store = journal.Store{Config: c.config, Now: c.Now(), Wait: wait}
	if change {
		if err := c.notPaused(); err != nil {
			return nil, err
		}
	}
	held, lane, err := c.lane(at.session, change)
	if err != nil {
		return nil, err
	}
	at.store.Lane = lane
	if held != nil {
		at.root = held.Root
	}
	at.store.Branch = func() string { return project.Branch(c.Dir, at.root) }
	if what, _ := c.paused(lane); what != "" {
		if held != nil {
			at.transcript = held.Transcript
			held.Release()
		}
		return at, nil
	}
	err = at.store.Adopt()
	if held != nil {
		if err == nil && c.config.Enabled {
			_ = capture.CatchUp(at.store, &held.Memory, capture.TrustPrompt)
		}
		if change && at.by == journal.ByClaude {
			held.Prompts, held.Entry = 0, c.Now() // no reminder soon
		}
		at.transcript = held.Transcript
		_ = held.Save() // machinery: the next hook makes up for it
	}
	if err != nil && change {
		return nil, err
	}
	return at, nil
}

// look is how a command begins that takes no arguments and changes nothing.
func (c *call) look() (*place, error) {
	if err := c.noArgs(); err != nil {
		return nil, err
	}
	if err := c.load(); err != nil {
		return nil, err
	}
	return c.open(false)
}

// lane finds the lane, and the session when there is one; the caller saves or releases that.
func (c *call) lane(id string, change bool) (*session.Session, project.Lane, error) {
	if id == "" {
		if !change {
			lane, err := c.folderLane()
			return nil, lane, err
		}
		found := c.here()
		slug, err := c.noteProject(found)
		if err != nil {
			return nil, project.Lane{}, err
		}
		return nil, project.NewLane(c.config.Dir, slug, found.Worktree, c.config.Tag), nil
	}
	held, err := session.Open(c.config.Dir, id, wait)
	if err != nil {
		return nil, project.Lane{}, err
	}
	pid, _ := strconv.Atoi(c.Getenv("CLAUDE_PID"))
	defer c.workspaceChanged() // Bind may note the project
	place := session.Place{Cwd: c.Dir, ProjectDir: c.Getenv("CLAUDE_PROJECT_DIR"), Home: c.home(), PID: pid}
	lane, err := held.Bind(c.config, place, c.Now(), wait)
	if err != nil {
		held.Release()
		return nil, lane, err
	}
	return held, lane, nil
}

// ownLane is what a command is about that is given no name: the session's lane, else that of the folder's project. With
// change set, a project not seen before is recorded; without, nothing is made.
func (c *call) ownLane(change bool) (project.Lane, error) {
	id := c.sessionID()
	if !change && c.unborn() {
		id = ""
	}
	held, lane, err := c.lane(id, change)
	if held != nil {
		held.Release()
	}
	return lane, err
}

// unborn reports whether memento's folder is not there yet: opening a session, or taking a lock, would make it.
func (c *call) unborn() bool {
	_, err := os.Lstat(c.config.Dir)
	return errors.Is(err, fs.ErrNotExist)
}
