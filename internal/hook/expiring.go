package hook

import (
	"path/filepath"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/expiry"
)

// expiring says that the client deletes transcripts of this folder soon that memento has not taken in whole. It looks
// once a day, and names no transcript twice.
func (h *handler) expiring() news {
	if h.session == nil || h.event.TranscriptPath == "" || h.config.Past == config.PastJournal {
		return news{}
	}
	lost := expiry.Tell(h.config, h.state.Root, filepath.Dir(h.event.TranscriptPath), h.event.SessionID, h.env.Now, 0,
		capture.Soon())
	if len(lost) == 0 {
		return news{}
	}
	return news{rank: waiting, words: expiry.Sentence(lost, h.env.Now) + ": " + expiry.Step(lost)}
}
