// Package hook answers the client's hook events: one event in, at most one response out, a file per event and one for
// each step that several events share. It says when to capture, change and show a journal; how each is done is decided
// below it, and may not come in.
//
// Nothing here may block, fail loudly or end the process: a hook that exits with 2 erases the user's prompt (measured
// on client 2.1.329), so Run recovers from everything and reports nothing.
package hook

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/withheld"
)

// wait is how long a hook waits for a lock before it goes on without.
const wait = 200 * time.Millisecond

// laterBudget is the size of the block in tokens from a session's second compaction on, when the client's own summary
// has lost most of what the user said.
const laterBudget = 1000

// Env is what a hook needs of the process it runs in.
type Env struct {
	Getenv  func(string) string
	Now     time.Time
	Exe     func() string // absolute path of this binary, nil or "" when unknown; most events do not ask
	Windows bool          // the system, where the model's shell may be Git Bash or PowerShell
}

func (e Env) exe() string {
	if e.Exe == nil {
		return ""
	}
	return e.Exe()
}

// testOnlyPanic makes Run panic inside, to show that nobody notices.
var testOnlyPanic bool

// Run reads one event from in and writes the response, if any, to out. It never panics and reports no error: whatever
// goes wrong, the session goes on as if memento were not there.
func Run(in io.Reader, out io.Writer, env Env) {
	defer func() { _ = recover() }()
	capture.Begin()
	h := &handler{env: env} // made in place: what is copied from call to call makes the stack grow
	var err error
	if h.event, err = event.Read(in); err != nil {
		return
	}
	if h.config, err = config.Load(env.Getenv); err != nil {
		// another error may be gone at the next event: memento may be switched off in there
		if errors.Is(err, fs.ErrPermission) {
			_, _ = out.Write(h.unusable(err))
		}
		return
	}
	if !h.config.Enabled {
		// unnoted, what is typed now may be captured later
		_ = withheld.Mute(h.config.Dir, h.event.SessionID, h.moment(), wait, h.written)
		return
	}
	response := h.handle()
	response = h.release(response) // before the answer, so that a reader that went away costs nothing
	if response != nil {
		_, _ = out.Write(response)
	}
}

// handle answers the event; nil says nothing.
func (h *handler) handle() (response []byte) {
	defer func() {
		if recover() != nil {
			if response = nil; h.session != nil {
				h.session.Release() // half of what was to be remembered is worse than none
				h.session = nil
			}
		}
	}()
	if testOnlyPanic {
		panic("asked for")
	}
	if h.paused() {
		return h.away()
	}
	switch h.event.Name {
	case "SessionStart":
		return h.sessionStart()
	case "UserPromptSubmit":
		return h.userPromptSubmit()
	case "PreCompact":
		return h.preCompact()
	case "Stop":
		h.stop()
	case "SubagentStart":
		return h.subagentStart()
	case "SubagentStop":
		h.subagentStop()
	case "SessionEnd":
		h.sessionEnd()
	case "PreToolUse":
		return h.preToolUse()
	case "PermissionRequest":
		return h.permissionRequest()
	}
	return nil
}

// handler is one event being handled.
type handler struct {
	env    Env
	config config.Config
	event  event.Event

	session *session.Session // nil for a client that sends no session id
	state   *session.Memory  // what is remembered of it
	store   journal.Store
	blind   bool // there may be a journal, and it could not be read

	recalled *capture.Recollection // what the history has of this session, once it was asked for
	said     *block.Words          // what the user typed in it, likewise

	made []string // the records made of what the user wanted remembered
	lost error    // why one could not be made
}

// bind finds the session's lane and holds the session until the event is answered. Without a session id the folder
// decides, and nothing is remembered.
func (h *handler) bind() error {
	pid, _ := strconv.Atoi(h.env.Getenv("CLAUDE_PID"))
	place := session.Place{
		Cwd: h.event.Cwd, ProjectDir: h.env.Getenv("CLAUDE_PROJECT_DIR"), Home: config.Home(h.env.Getenv),
		Transcript: h.event.TranscriptPath, PID: pid, Begin: h.event.Name == "SessionStart",
		Fork: h.event.Source == "fork",
	}
	place.Return = place.Begin && h.event.Source != "compact"
	h.store = journal.Store{Config: h.config, Now: h.env.Now, Wait: wait, Last: new(journal.Last), Branch: h.branch}
	s, err := session.Open(h.config.Dir, h.event.SessionID, wait)
	switch {
	case errors.Is(err, session.ErrNoSession):
		h.state = &session.Memory{}
		if h.store.Lane, err = h.folderLane(); err != nil {
			return err
		}
	case err != nil:
		return err
	default:
		if lane, strays := s.Strays(h.config, place); strays {
			_ = capture.CatchUp(h.at(lane), &s.Memory, capture.TrustPrompt)
			s.Leave(h.env.Now)
		}
		if h.store.Lane, err = s.Bind(h.config, place, h.env.Now, wait); err != nil {
			s.Release()
			return err
		}
		h.session, h.state = s, &s.Memory
		if s.Beside != "" {
			s.Tell(h.config.Dir)
		}
		if s.Moved {
			h.reopen("parked")
		}
	}
	return nil
}

// folderLane is the lane of the folder the session is in, found without writing anything. The error is the disk's.
func (h *handler) folderLane() (project.Lane, error) {
	dir := cmp.Or(h.env.Getenv("CLAUDE_PROJECT_DIR"), h.event.Cwd)
	return session.Folder(h.config, dir, config.Home(h.env.Getenv))
}

// release saves what is to be remembered, and returns the response. What cannot be saved is forgotten, not fatal; the
// start of a session says so.
func (h *handler) release(response []byte) []byte {
	if h.session == nil {
		return response
	}
	if h.event.Name != "SessionStart" {
		_ = h.session.Save()
		return response
	}
	known, err := h.session.Known(), safefile.Writable(h.config.Dir)
	h.state.Unkept = err != nil
	if unsaved := h.session.Save(); err == nil {
		err = unsaved
	}
	if err != nil && (known || h.event.Source != "compact") {
		response = append(response, unkept(err)+"\n"...)
	}
	return response
}

// branch is what is checked out where the session is at work.
func (h *handler) branch() string { return project.Branch(h.event.Cwd, h.state.Root) }

func (h *handler) at(lane project.Lane) journal.Store {
	s := h.store
	s.Lane = lane
	return s
}

// read returns the lane's journal, or nil when there is none that can be used. What stands in its place and is not a
// journal is remembered as trouble, for the next prompt to say once.
func (h *handler) read() *journal.Journal {
	j, err := h.store.Read()
	switch {
	case err == nil:
		return j
	case errors.Is(err, journal.ErrCorrupt):
		// An empty change sets the damaged file aside, so that the work goes on with a fresh journal.
		if j, err = h.store.Update(func(*journal.Journal) error { return nil }); err == nil && len(j.Notes()) > 0 {
			h.state.Trouble = j.Notes()[0]
		}
	case errors.Is(err, safefile.ErrRefused):
		h.state.Trouble = "the journal is not used: " + err.Error()
	case safefile.Unreadable(err): // whatever it holds: that there is none must not be said
		h.blind = true
		h.state.Trouble = "the journal could not be read: " + err.Error()
	}
	return nil
}

// mine reports whether the journal's mission belongs to this session.
func (h *handler) mine(j *journal.Journal) bool {
	return j.Session == h.event.SessionID || j.Session == ""
}

// budget is the size of a block in this session, in tokens.
func (h *handler) budget() int {
	if h.state.Compactions > 1 && !h.config.BudgetSet {
		return laterBudget
	}
	return h.config.BudgetTokens
}

// lines joins what is not "", a line each.
func lines(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n")
}
