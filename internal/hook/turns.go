package hook

import (
	"time"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/view"
)

// keepAnswer stores what Claude answered last. If it fails, the next event reads it in the transcript.
func (h *handler) keepAnswer() {
	if h.session != nil {
		_ = capture.KeepAnswer(h.store, h.state, h.event.LastMessage)
	}
}

// pageAge is how long a page of memento view is kept: it shows what the settings may have removed since.
const pageAge = 7 * 24 * time.Hour

// tidyPages removes old pages of memento view.
func (h *handler) tidyPages() { _ = view.Sweep(h.config.Dir, pageAge, h.env.Now) } // the next sweep does the rest

// tidyLog removes what is older than the settings say.
func (h *handler) tidyLog() {
	_ = log.Store{Dir: h.config.Dir, Wait: wait}.Limit(capture.TurnsSince(h.config, h.env.Now), h.env.Now,
		capture.Soon())
}
