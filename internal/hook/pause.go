package hook

import (
	"cmp"
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

// ahead is how much older than its event a prompt may be: the client writes the line first, then runs the hooks.
const ahead = time.Second

// moment returns the earliest time of the event's prompt, or of the event.
func (h *handler) moment() time.Time {
	if h.event.Name == "UserPromptSubmit" {
		return h.env.Now.Add(-ahead)
	}
	return h.env.Now
}

// paused reports whether memento is paused for this session. A session in which memento was switched off is read again
// from here on; that is noted before anything is read.
func (h *handler) paused() bool {
	list := withheld.LoadPauses(h.config.Dir)
	if off := withheld.SessionKey(h.event.SessionID); list.Only(off) &&
		withheld.Unpause(h.config.Dir, off, h.moment(), wait, capture.Written) != nil {
		return true // the next event tries again
	}
	if !list.Any() {
		return false
	}
	_, lane, err := h.peek()
	key := withheld.Key(lane.Slug)
	since, paused := list.Since(key)
	if paused && err == nil && !list.Met(key, h.event.SessionID) {
		// what fails is done at the next event
		_ = withheld.Meet(h.config.Dir, key, h.event.SessionID, h.written(), wait)
	}
	if paused && !since.IsZero() && h.event.Name == "SessionStart" && h.event.Source != "compact" {
		h.tellPaused(since, list.Only(withheld.All))
	}
	return paused || err != nil
}

// written returns the end of the session's transcript.
func (h *handler) written() withheld.Place { return capture.Written(h.event.TranscriptPath) }

// peek returns the session's memory, without holding it, and its lane, or that of its folder. It writes nothing; its
// error is the disk's.
func (h *handler) peek() (st session.Memory, lane project.Lane, err error) {
	st, err = session.Load(h.config.Dir, h.event.SessionID)
	if safefile.Unreadable(err) {
		return st, lane, err
	}
	if lane, ok := project.LaneNamed(h.config.Dir, st.Lane); ok && err == nil {
		return st, lane, nil
	}
	dir := cmp.Or(h.env.Getenv("CLAUDE_PROJECT_DIR"), h.event.Cwd)
	lane, err = session.Folder(h.config, dir, config.Home(h.env.Getenv))
	return st, lane, err
}

// away answers the event while memento is paused. A simple memento command still runs, so that Claude can say that it
// is paused; commands that write refuse by themselves. A list of pauses that cannot be read is reported once.
func (h *handler) away() []byte {
	if err := withheld.LoadPauses(h.config.Dir).Err(); err != nil {
		return h.unusable(err)
	}
	if text.OneOf(h.event.Name, "PreToolUse", "PermissionRequest") &&
		text.OneOf(h.event.ToolName, "Bash", "PowerShell") {
		return h.allow()
	}
	return nil
}
