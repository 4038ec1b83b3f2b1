package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
)

// place is where a command works: a lane, and the session it runs in.
type place struct {
	store      journal.Store
	session    string // "" outside any session
	root       string // the folder of the session's project, "" outside any project
	transcript string // of the session, "" if it is not known
	by         string // journal.ByClaude inside a session, journal.ByUser at a person's terminal
}

// sessionID is the id of the session that the command runs in, "" outside any session.
func (f *folder) sessionID() string { return f.process.Getenv("CLAUDE_CODE_SESSION_ID") }

// caller says who runs the command: Claude, in a session or in a process that Claude started, or the user.
func caller(c *call) string {
	id := c.sessionID()
	if (id != "" || c.Getenv("CLAUDECODE") != "") && !typed(c, id) {
		return journal.ByClaude
	}
	return journal.ByUser
}

// typed reports whether the user has just typed this command in the session's shell mode, as in `! memento rules`. Such
// a command has the environment of Claude's own, but what is typed goes into the client's history.jsonl before its
// shell starts (measured on clients 2.1.139 and 2.1.330, 6 of 6 times each; 2.1.9 tells its shell no session id). The
// words must be the command's, quotes and white space aside: the session's newest line stays while Claude works on.
func typed(c *call, id string) bool {
	if id == "" || c.load() != nil {
		return false
	}
	tail, err := readTail(filepath.Join(c.config.ClaudeDir, "history.jsonl"), 64<<10)
	if err != nil {
		return false
	}
	lines := strings.Split(tail, "\n")
	for _, line := range slices.Backward(lines) {
		if gjson.Get(line, "sessionId").Str != id {
			continue
		}
		ago := c.Now().Sub(time.UnixMilli(gjson.Get(line, "timestamp").Int())).Abs()
		words, shell := strings.CutPrefix(gjson.Get(line, "display").Str, "!")
		_, rest, ok := strings.Cut(bare(words), bare("memento"+strings.Join(c.line, "")))
		return ago <= time.Minute && shell && ok && (rest == "" || strings.ContainsRune(";&|)<>", rune(rest[0])))
	}
	return false
}

// bare returns s without white space and a shell's quotes.
func bare(s string) string {
	return strings.NewReplacer(" ", "", "\t", "", "\n", "", "'", "", `"`, "", `\`, "").Replace(s)
}

// readTail returns the last max bytes of a file.
func readTail(path string, max int64) (string, error) {
	f, err := safefile.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(io.NewSectionReader(f, info.Size()-min(info.Size(), max), max))
	return string(data), err
}

// looked notes that the person has just looked up this news, so that no start of a session tells it. What Claude looks
// up is news to the person yet.
func (c *call) looked(keys ...string) {
	if c.by == journal.ByUser && len(keys) > 0 {
		notice.Note(c.config.Dir, wait, keys...) // unnoted, it is told
	}
}

// open finds the lane: the running session's, else that of the folder's project. If change is true, it notes a project
// that is new. It first brings into the journal what the user typed in the session so far; if that fails, open goes on,
// because the next hook does it again.
func (c *call) open(change bool) (*place, error) {
	at := &place{session: c.sessionID(), by: c.by}
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

// openHere begins a command that takes no arguments and changes nothing.
func (c *call) openHere() (*place, error) {
	if err := noArgs(c); err != nil {
		return nil, err
	}
	if err := c.load(); err != nil {
		return nil, err
	}
	return c.open(false)
}

// lane finds the lane, and the session if one runs. The caller saves or releases the session. Without change it opens
// no session that no hook has begun, since that would note its project.
func (c *call) lane(id string, change bool) (*session.Session, project.Lane, error) {
	if !change {
		_, err := session.Load(c.config.Dir, id)
		if id == "" || errors.Is(err, fs.ErrNotExist) {
			lane, err := c.folderLane()
			return nil, lane, err
		}
	}
	if id == "" {
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

// ownLane finds the lane of a command that names no project: the session's lane, else that of the folder's project. If
// change is true, it notes a project that is new; otherwise it makes no file or folder.
func (c *call) ownLane(change bool) (project.Lane, error) {
	held, lane, err := c.lane(c.sessionID(), change)
	if held != nil {
		held.Release()
	}
	return lane, err
}

// unborn reports whether memento's folder does not exist. To open a session or take a lock would make the folder.
func (c *call) unborn() bool {
	_, err := os.Lstat(c.config.Dir)
	return errors.Is(err, fs.ErrNotExist)
}
