package hook

import (
	"cmp"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/shared"
	"github.com/mementohq/memento/internal/text"
)

// tellShared tells the person how many records of the session's repository wait, once for the same records. Claude is
// told nothing of them. A repository that cannot be read has none.
func (h *handler) tellShared(project string) {
	goesOn := h.event.Source == "compact" || h.event.Source == "fork"
	if h.store.Lane.Slug == "" || goesOn || h.config.Notify == config.NotifyNever {
		return
	}
	s, _ := h.records()
	all, _ := shared.Repository{Root: h.state.Root, Project: project, Store: s}.Review()
	if n := len(all.Waiting); n > 0 {
		words := "this repository carries " + text.CountVerb(n, "record", "that waits", "that wait") +
			" for you · in a terminal of your own: " + safefile.ShellWord(cmp.Or(h.env.exe(), "memento")) + " trust"
		h.news = append(h.news, news{shares, words, []string{notice.Shared(project, all.Set())}})
	}
}
