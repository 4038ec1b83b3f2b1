package hook

import (
	"errors"
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/withheld"
)

// ahead is how long before its event a prompt may have got its time: the client makes the line first, then runs the
// hooks.
const ahead = time.Second

// moment is when what the event tells of began.
func (h *handler) moment() time.Time {
	if h.event.Name == "UserPromptSubmit" {
		return h.env.Now.Add(-ahead)
	}
	return h.env.Now
}

// paused reports whether memento is to look away from this session. One whose hooks were off is looked at again from
// here on; nothing is read or bound before that is noted.
func (h *handler) paused() bool {
	list := withheld.LoadPauses(h.config.Dir)
	if list.Muted(h.event.SessionID) && withheld.Unmute(h.config.Dir, h.event.SessionID, h.moment(), wait,
		func(_, path string) withheld.Place { return capture.Written(path) }) != nil {
		return true // the next event tries again
	}
	if !list.Any() {
		return false
	}
	slug, err := h.slug()
	key := withheld.Key(slug)
	_, paused := list.Since(key)
	if paused && err == nil && h.event.SessionID != "" && !list.Met(key, h.event.SessionID) {
		// unnoted, the next event does
		_ = withheld.Meet(h.config.Dir, key, h.event.SessionID, h.written(), h.env.Now, wait)
	}
	return paused || err != nil
}

// written tells how far the session's transcript is written.
func (h *handler) written() withheld.Place { return capture.Written(h.event.TranscriptPath) }

// slug is the project the session is in, found without writing anything. The error is the disk's.
func (h *handler) slug() (string, error) {
	st, err := session.Load(h.config.Dir, h.event.SessionID)
	if safefile.Unreadable(err) && !errors.Is(err, session.ErrNoSession) {
		return "", err
	}
	if err == nil {
		if lane, ok := project.LaneNamed(h.config.Dir, st.Lane); ok {
			return lane.Slug, nil
		}
	}
	lane, err := h.folderLane()
	return lane.Slug, err
}

// away answers the event while memento is paused: a simple command of ours still runs, so that Claude can say that it
// is; what would write into the journal refuses by itself. A list of pauses that cannot be read is told once.
func (h *handler) away() []byte {
	if err := withheld.LoadPauses(h.config.Dir).Err(); err != nil {
		return h.unusable(err)
	}
	if h.event.ToolName != "Bash" && h.event.ToolName != "PowerShell" {
		return nil
	}
	switch h.event.Name {
	case "PreToolUse":
		return h.preToolUse()
	case "PermissionRequest":
		return h.permissionRequest()
	}
	return nil
}
