package hook

import (
	"cmp"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/notice"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/shared"
	"github.com/mementohq/memento/internal/text"
)

// healed is how many of a repository's records a hook copies at most. The next hook copies the rest.
const healed = 32

// repository returns the working tree of the session. Outside any project it has none.
func (h *handler) repository() shared.Repository {
	s, project := h.records()
	p := shared.Repository{Project: project, Store: s, Now: h.env.Now, Wait: wait, Most: healed}
	if h.store.Lane.Slug != "" {
		p.Root = h.state.Root
	}
	return p
}

// followBranch brings the records that came from the repository in line with the branch that is checked out. It tells
// the person how many of the repository's records wait, once for the same records. Claude is told nothing of them. On
// an error the records stay as they are.
func (h *handler) followBranch() {
	p := h.repository()
	if p.Root == "" {
		return
	}
	n, set, _ := p.Refresh()
	goesOn := h.event.Source == "compact" || h.event.Source == "fork"
	if n > 0 && !goesOn && h.config.Notify != config.NotifyNever {
		words := "this repository carries " + text.CountVerb(n, "record", "that waits", "that wait") +
			" for you · in a terminal of your own: " + safefile.ShellWord(cmp.Or(h.env.exe(), "memento")) + " trust"
		h.news = append(h.news, news{shares, words, []string{notice.Shared(p.Project, set)}})
	}
}
