package hook

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

// unusable answers the start of a session in which nothing can be kept, for the reason why: with the block after a
// compaction or on resume, where the journal can be read and trusted all the same, and with a line. Nothing is written,
// so what was told cannot be remembered: the line comes when a session begins, and at a compaction only in one that
// began when the store could be written.
func (h *handler) unusable(why error) []byte {
	if h.event.Name != "SessionStart" || !h.config.Enabled || errors.Is(why, safefile.ErrBusy) ||
		errors.Is(why, config.ErrNoHome) {
		return nil
	}
	// memento was switched off in this session, and may be so still
	if withheld.LoadPauses(h.config.Dir).Muted(h.event.SessionID) {
		return nil
	}
	words := ""
	if h.event.Source == "compact" || h.event.Source == "resume" {
		words = h.readOnly(why)
	}
	_, err := os.Lstat(session.Path(h.config.Dir, h.event.SessionID))
	if h.event.Source != "compact" || err == nil { // else it was told when the session began
		words = lines(words, unkept(why))
	}
	if words == "" {
		return nil
	}
	return []byte(words + "\n")
}

// unkept is the line that says that nothing can be kept.
func unkept(why error) string {
	return "[MEMENTO] Nothing said here is kept while this lasts: " + text.Line(why.Error()) +
		" (`memento doctor` says what to do)"
}

// toldUnkept reports whether it was said already that nothing is kept. Where not even the session's state could be
// kept, its start said so.
func (h *handler) toldUnkept() bool {
	return h.state.Unkept || h.event.Name != "SessionStart" && !h.session.Known()
}

// readOnly is the block of this session's own mission, read without a lock and as memento left it: "" where others may
// have written to the folder, memento is paused, or no journal of this session can be read.
func (h *handler) readOnly(why error) string {
	dir := h.config.Dir
	if errors.As(why, new(*safefile.SharedError)) || safefile.CheckDir(dir) != nil ||
		safefile.CheckDir(filepath.Join(dir, "state")) != nil {
		return ""
	}
	slug, err := h.slug()
	if _, paused := withheld.LoadPauses(dir).Since(withheld.Key(slug)); paused || err != nil {
		return ""
	}
	st, err := session.Load(dir, h.event.SessionID)
	lane, known := project.LaneNamed(dir, st.Lane)
	if err != nil || !known {
		if lane, err = h.folderLane(); err != nil {
			return ""
		}
	}
	h.state, h.store = &st, journal.Store{Lane: lane, Config: h.config, Now: h.env.Now}
	j, err := h.store.Read()
	if err != nil || j.Session != h.event.SessionID {
		return ""
	}
	if h.event.Source == "compact" {
		h.state.Compactions++
	}
	return h.blockOf(j, block.View{})
}
