package cli

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/transcript"
)

// place is where a command works: a lane, and the session it runs in.
type place struct {
	store      journal.Store
	session    string // "" outside any session
	root       string // the folder of the session's project, "" outside any project
	transcript string // of the session, "" if it is not known
}

// sessionID is the id of the session that the command runs in, "" outside any session.
func (f *folder) sessionID() string {
	return client.SessionID(f.process.Getenv)
}

// caller says who runs the command: Claude, in a session or in a process that Claude started, or the user.
func caller(c *call) string {
	id := c.sessionID()
	if id == "" && c.Getenv("CLAUDECODE") == "" || id != "" && c.load() == nil &&
		transcript.TypedCommand(c.config.ClaudeDir, id, "memento"+strings.Join(c.line, ""), c.Now()) {
		return journal.ByUser
	}
	return journal.ByClaude
}

// looked notes that the person has just looked up this news, so that no start of a session tells it. What Claude looks
// up is news to the person yet.
func looked(c *call, keys ...string) {
	if c.by == journal.ByUser && len(keys) > 0 {
		notice.Note(c.config.Dir, wait, keys...) // unnoted, it is told
	}
}

// openPlace finds the lane: the running session's, else that of the folder's project. If change is true, it notes a
// project that is new. It first brings into the journal what the user typed in the session so far; if that fails,
// openPlace goes on, because the next hook does it again.
func openPlace(c *call, change bool) (*place, error) {
	if change {
		if err := notPaused(c); err != nil {
			return nil, err
		}
	}
	at := &place{session: c.sessionID()}
	at.store = journal.Store{Config: c.config, Now: c.Now(), Wait: wait}
	held, lane, err := c.bind(change)
	if err != nil {
		return nil, err
	}
	at.store.Lane = lane
	at.store.Branch = func() string { return project.Branch(c.Dir, at.root) }
	if held != nil {
		at.root, at.transcript = held.Root, held.Transcript
	}
	if what, _ := c.paused(lane); what != "" {
		if held != nil {
			held.Release()
		}
		return at, nil
	}
	err = at.store.Adopt()
	if held != nil {
		if err == nil && c.config.Enabled {
			_ = capture.CatchUp(at.store, &held.Memory, capture.TrustPrompt)
		}
		if change && c.by == journal.ByClaude {
			held.Prompts, held.Entry = 0, c.Now() // so no reminder comes soon
		}
		at.transcript = held.Transcript
		_ = held.Save() // the next hook makes up for a failure
	}
	if err != nil && change {
		return nil, err
	}
	return at, nil
}

// sessionMemory returns the memory of the session id in dir, memento's folder. Outside any session, id is "", and it
// returns the memory of the session that j belongs to. If there is none, it returns the zero Memory.
func sessionMemory(dir, id string, j *journal.Journal) session.Memory {
	if id == "" && j != nil {
		id = j.Session
	}
	st, _ := session.Load(dir, id)
	return st
}

// bind finds the lane of a command that works on the journal, and returns the session that runs it, if one does; the
// caller saves or releases it. Without change it opens no session that no hook has begun, since that would note its
// project.
func (f *folder) bind(change bool) (*session.Session, project.Lane, error) {
	id := f.sessionID()
	if id == "" && change {
		if _, err := f.noteProject(f.here()); err != nil {
			return nil, project.Lane{}, err
		}
	}
	if _, err := session.Load(f.config.Dir, id); id == "" || !change && errors.Is(err, fs.ErrNotExist) {
		lane, err := f.lane()
		return nil, lane, err
	}
	held, err := session.Open(f.config.Dir, id, wait)
	if err != nil {
		return nil, project.Lane{}, err
	}
	pid, _ := strconv.Atoi(f.process.Getenv("CLAUDE_PID"))
	defer f.workspaceChanged() // Bind may note the project
	place := session.Place{Cwd: f.process.Dir, ProjectDir: f.process.Getenv("CLAUDE_PROJECT_DIR"), Home: f.home(),
		PID: pid}
	lane, err := held.Bind(f.config, place, f.process.Now(), wait)
	if err != nil {
		held.Release()
		return nil, lane, err
	}
	return held, lane, nil
}

// unborn reports whether memento's folder does not exist. To open a session or take a lock would make the folder.
func (f *folder) unborn() bool {
	_, err := os.Lstat(f.config.Dir)
	return errors.Is(err, fs.ErrNotExist)
}
