// Package hook answers the client's hook events: one event in, at most one response out. It has a file for each event
// and for each step that several events share. It decides when to read a transcript, change a journal or show one; how
// that is done may not come in.
//
// Nothing here may block, fail loudly or end the process: a hook that exits with 2 erases the user's prompt (measured
// on client 2.1.329). Run recovers from everything and reports nothing.
package hook

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/client"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/event"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/rule"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/withheld"
)

// wait is how long a hook waits for a lock before it goes on without the lock.
const wait = 200 * time.Millisecond

// laterBudget is the size of the block, in tokens, from a session's second compaction on. By then the client's summary
// has lost most of the user's words; in Codex, whose summariser reads no brief, it has so from the first on.
const laterBudget = 1000

// Env is the process that a hook runs in.
type Env struct {
	Getenv  func(string) string
	Now     time.Time
	Exe     func() string // absolute path of this binary, nil or "" when unknown; most events do not call it
	Windows bool          // the model's shell may be Git Bash or PowerShell

	// Run runs a command of memento's in this process, in a folder and for a session, and returns what it printed and
	// its exit code; nil: the client runs it.
	Run func(args []string, dir, session string) (said string, code int)

	// Sync starts a sync of the store in dir and returns at once; nil: no program may be started.
	Sync func(dir string) error
}

func (e Env) exe() string {
	if e.Exe == nil {
		return ""
	}
	return e.Exe()
}

// Run reads one event from in and writes the response, if any, to out. It never panics and reports no error: the
// session then goes on as if memento were not installed.
func Run(in io.Reader, out io.Writer, env Env) {
	defer func() { _ = recover() }()
	capture.Begin()
	h := &handler{env: env}
	var err error
	if h.event, err = event.Read(in); err != nil || h.event.SessionID == "" { // both clients name it in each event
		return
	}
	path := h.event.TranscriptPath
	if h.client = client.Of(path); h.client.IsSubagent(path) {
		h.event.AgentFile, h.event.TranscriptPath = path, ""
		h.event.AgentID = cmp.Or(h.event.AgentID, strings.TrimSuffix(filepath.Base(path), ".jsonl"))
	}
	if h.config, err = config.Load(env.Getenv); err != nil {
		// on other errors it is silent: the file that cannot be read may switch memento off
		if errors.Is(err, fs.ErrPermission) {
			_, _ = out.Write(h.withNotice(h.unusable(err)))
		}
		return
	}
	if !h.config.Enabled {
		// otherwise a later event would capture the prompts of this time
		id := h.event.SessionID
		if off := withheld.SessionKey(id); !withheld.LoadPauses(h.config.Dir).Only(off) {
			_ = withheld.Pause(h.config.Dir, off, h.moment(), wait, map[string]withheld.Place{id: h.written()})
		}
		return
	}
	response := h.handle()
	response = h.release(response) // first: writing fails when the client has gone
	if response = h.withNotice(response); response != nil {
		_, _ = out.Write(response)
	}
	if h.syncs { // last: the sync reads what this event has written
		h.sync()
	}
}

// handle returns the response to the event, nil for none.
func (h *handler) handle() (response []byte) {
	defer func() {
		if recover() != nil {
			if response, h.news = nil, nil; h.session != nil {
				h.session.Release() // unsaved: half a session memory is worse than the old one
				h.session = nil
			}
		}
	}()
	if h.paused() {
		return h.away()
	}
	switch h.event.Name {
	case "SessionStart":
		h.syncs = h.event.Source != "compact"
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
		h.syncs = true
		h.sessionEnd()
	case "PreToolUse":
		if answer := h.allow(); answer != nil {
			return answer
		}
		return h.deed()
	case "PermissionRequest":
		return h.allow()
	}
	return nil
}

// handler is one event being handled.
type handler struct {
	env    Env
	config config.Config
	event  event.Event
	client *client.Client

	session *session.Session // nil unless it is held
	state   *session.Memory  // its memory
	store   journal.Store
	blind   bool // the journal could not be read

	recalled *capture.Recollection // nil until recall is called
	begun    *retrieve.Start       // nil until start is called
	ruled    *[]rule.Rule          // nil until keptRules is called

	news   []news // for the person
	held   string // what the block of a compaction brings back, for the person
	begins bool   // whether a session starts, comes back or is cleared: the person is told what is new
	syncs  bool   // whether a session starts or ends
}

// bind finds the session's lane and holds the session until the event is answered.
func (h *handler) bind() error {
	pid, _ := strconv.Atoi(h.env.Getenv("CLAUDE_PID"))
	place := session.Place{
		Cwd: h.event.Cwd, ProjectDir: h.env.Getenv("CLAUDE_PROJECT_DIR"), Home: config.Home(h.env.Getenv),
		Transcript: h.event.TranscriptPath, PID: pid, Begin: h.event.Name == "SessionStart",
		Fork: h.event.Source == "fork",
	}
	place.Return = place.Begin && h.event.Source != "compact"
	h.store = journal.Store{Config: h.config, Now: h.env.Now, Wait: wait, Branch: h.branch}
	s, err := session.Open(h.config.Dir, h.event.SessionID, wait)
	if err != nil {
		return err
	}
	if lane, strays := s.Strays(h.config, place); strays {
		_ = capture.CatchUp(h.at(lane), &s.Memory, capture.TrustPrompt)
		s.Leave(h.env.Now)
	}
	if h.store.Lane, err = s.Bind(h.config, place, h.env.Now, wait); err != nil {
		s.Release()
		return err
	}
	h.session, h.state = s, &s.Memory
	if s.Moved {
		h.reopen("parked")
	}
	return nil
}

// release saves the session memory and returns the response. When it cannot save, the memory of this event is lost, and
// the response to a session's start says so.
func (h *handler) release(response []byte) []byte {
	if h.session == nil {
		return response
	}
	if h.event.Name != "SessionStart" {
		_ = h.session.Save()
		return response
	}
	known, err := h.session.HasFile(), safefile.Writable(h.config.Dir, safefile.Probe)
	h.state.Unkept = err != nil
	if unsaved := h.session.Save(); err == nil {
		err = unsaved
	}
	if err != nil && (known || h.event.Source != "compact") {
		response = append(response, h.tellUnkept(err)+"\n"...)
	}
	return response
}

// branch returns the branch that is checked out where the session works.
func (h *handler) branch() string { return project.Branch(h.event.Cwd, h.state.Root) }

func (h *handler) at(lane project.Lane) journal.Store {
	s := h.store
	s.Lane = lane
	return s
}

// read returns the lane's journal, nil when there is none that can be used. The next prompt says once why an existing
// one cannot be.
func (h *handler) read() *journal.Journal {
	j, err := h.store.Read()
	switch {
	case err == nil:
		return j
	case errors.Is(err, journal.ErrCorrupt):
		// an empty change sets the damaged file aside and begins a fresh journal
		if j, err = h.store.Update(func(*journal.Journal) error { return nil }); err == nil && len(j.Notes()) > 0 {
			h.state.Trouble = j.Notes()[0]
		}
	case errors.Is(err, safefile.ErrRefused):
		h.state.Trouble = "the journal is not used: " + err.Error()
	case safefile.Unreadable(err): // nobody may be told that there is no journal
		h.blind = true
		h.state.Trouble = "the journal could not be read: " + err.Error()
	}
	return nil
}

// mine reports whether the journal's mission belongs to this session.
func (h *handler) mine(j *journal.Journal) bool {
	return j.Session == h.event.SessionID || j.Session == ""
}

// budget returns the size of a block in this session, in tokens.
func (h *handler) budget() int {
	if h.config.BudgetSet || h.state.Compactions < 2 && (h.client.ReadsBrief || h.state.Compactions == 0) {
		return h.config.BudgetTokens
	}
	return laterBudget
}

// headed returns words, which begin with memento's header, and more below; more alone gets a header.
func headed(words, more string) string {
	if words == "" && more != "" {
		return "[MEMENTO] " + more
	}
	return lines(words, more)
}

// lines joins the parts that are not "" by newlines.
func lines(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n")
}
