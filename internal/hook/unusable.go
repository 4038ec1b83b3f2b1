package hook

import (
	"errors"
	"os"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/session"
	"github.com/mementohq/memento/internal/text"
	"github.com/mementohq/memento/internal/withheld"
)

// unusable answers the start of a session in which nothing can be written, for the reason why, with a line that nothing
// is kept; at a compaction only in a session that could be written before.
func (h *handler) unusable(why error) []byte {
	if h.event.Name != "SessionStart" || !h.config.Enabled || errors.Is(why, safefile.ErrBusy) ||
		errors.Is(why, config.ErrNoHome) {
		return nil
	}
	// memento was switched off in this session, and may still be
	if withheld.LoadPauses(h.config.Dir).Only(withheld.SessionKey(h.event.SessionID)) {
		return nil
	}
	_, err := os.Lstat(session.Path(h.config.Dir, h.event.SessionID))
	if h.event.Source == "compact" && err != nil { // the session was told at its start
		return nil
	}
	h.tellUnkept(why)
	return []byte(unkept(why) + "\n")
}

// unkept returns the line that says that nothing is kept, and why.
func unkept(why error) string {
	return "[MEMENTO] Nothing said here is kept while this lasts: " + text.Line(why.Error()) +
		" (`memento doctor` says what to do)"
}

// toldUnkept reports whether the session was told that nothing is kept. A session whose memory could not be written was
// told at its start.
func (h *handler) toldUnkept() bool {
	return h.state.Unkept || h.event.Name != "SessionStart" && !h.session.HasFile()
}
