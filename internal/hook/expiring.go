package hook

import (
	"path/filepath"
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/expiry"
	"github.com/mementohq/memento/internal/notice"
)

// expiring says that the client deletes transcripts of this folder soon that memento has not taken in whole. It looks
// into a folder once a day, says it once a day, and names no transcript twice.
func (h *handler) expiring() news {
	if h.session == nil || h.event.TranscriptPath == "" || h.config.Past == config.PastJournal {
		return news{}
	}
	folder, today := filepath.Dir(h.event.TranscriptPath), h.env.Now.UTC().Format(time.DateOnly)
	said, searched := notice.Expiring(today), notice.Searched(folder, today)
	if h.told.Has(said) || h.told.Has(searched) || !notice.Note(h.config.Dir, 0, searched) {
		return news{}
	}
	lost := expiry.Lost(h.config, h.state.Root, folder, h.env.Now, func(session string) bool {
		return session == h.event.SessionID || h.told.Has(notice.Expires(session))
	}, capture.Soon())
	if len(lost) == 0 {
		return news{}
	}
	keys := []string{said}
	for _, t := range lost {
		keys = append(keys, notice.Expires(t.Session))
	}
	return news{waiting, expiry.Sentence(lost, h.env.Now) + ": ! " + expiry.Step(lost), keys}
}
