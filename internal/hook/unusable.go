package hook

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

// unusable answers the start of a session in which nothing can be written, for the reason why. After a compaction and
// on resume it gives the block, if the journal can be read and trusted. A line says that nothing is kept: at the start
// of each session, and at a compaction only in a session that could be written before.
func (h *handler) unusable(why error) []byte {
	if h.event.Name != "SessionStart" || !h.config.Enabled || errors.Is(why, safefile.ErrBusy) ||
		errors.Is(why, config.ErrNoHome) {
		return nil
	}
	// memento was switched off in this session, and may still be
	if withheld.LoadPauses(h.config.Dir).Only(withheld.SessionKey(h.event.SessionID)) {
		return nil
	}
	words := ""
	if h.event.Source == "compact" || h.event.Source == "resume" {
		words = h.readOnly(why)
	}
	_, err := os.Lstat(session.Path(h.config.Dir, h.event.SessionID))
	if h.event.Source != "compact" || err == nil { // otherwise the session was told at its start
		words = lines(words, h.tellUnkept(why))
	}
	if words == "" {
		return nil
	}
	return []byte(words + "\n")
}

// tellUnkept tells the person that nothing is kept, and why. It returns the line that says so to Claude.
func (h *handler) tellUnkept(why error) string {
	words, _ := text.Cut(text.Line(why.Error()), maxWhy)
	h.tell(notKept, "nothing said here is kept while this lasts: "+words+" · ! memento doctor")
	return "[MEMENTO] Nothing said here is kept while this lasts: " + text.Line(why.Error()) +
		" (`memento doctor` says what to do)"
}

// toldUnkept reports whether the session was told that nothing is kept. A session whose memory could not be written was
// told at its start.
func (h *handler) toldUnkept() bool {
	return h.state.Unkept || h.event.Name != "SessionStart" && !h.session.HasFile()
}

// readOnly returns the block of this session's mission, read without a lock. It returns "" when others may write to the
// folder, memento is paused, or the journal is not this session's.
func (h *handler) readOnly(why error) string {
	dir := h.config.Dir
	var others *safefile.OthersError
	if errors.As(why, &others) && others.Shared || safefile.CheckDir(dir) != nil ||
		safefile.CheckDir(filepath.Join(dir, safefile.Cache)) != nil {
		return ""
	}
	st, lane, err := h.peek()
	if _, paused := withheld.LoadPauses(dir).Since(withheld.Key(lane.Slug)); paused || err != nil {
		return ""
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
