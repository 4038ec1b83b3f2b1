package hook

import (
	"path/filepath"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/expiry"
)

// expiring returns a line for the person when the client deletes transcripts of this folder soon that memento has not
// taken in whole, "" for none. It looks once a day, and names no transcript twice.
func (h *handler) expiring() string {
	if h.session == nil || h.event.TranscriptPath == "" || h.config.Past == config.PastJournal {
		return ""
	}
	lost := expiry.Tell(h.config, h.state.Root, filepath.Dir(h.event.TranscriptPath), h.event.SessionID, h.env.Now, 0,
		capture.Soon())
	if len(lost) == 0 {
		return ""
	}
	return "memento: " + expiry.Sentence(lost, h.env.Now) + ": " + expiry.Step(lost)
}
