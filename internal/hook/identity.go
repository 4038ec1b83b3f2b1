package hook

import (
	"fmt"
	"os"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/text"
)

// renamed is what a session that begins is told when its project has records under a name that is its own no more: of a
// project that is known once, of one that is not in its first session.
func (h *handler) renamed() string {
	if h.session == nil || h.session.Former == nil {
		return ""
	}
	f := *h.session.Former
	if f.Gone == "" {
		w := project.OpenWorkspace(h.config.Dir)
		if w.Told(f.From, f.To) {
			return ""
		}
	}
	all, err := record.Store{Dir: h.config.Dir}.Projects()
	n := all[naming.Project(f.Was)]
	if err != nil || n == 0 {
		return ""
	}
	if f.Gone == "" {
		_ = project.Tell(h.config.Dir, f.From, f.To, h.env.Now, wait) // unnoted, it is said again
	}
	return Renamed(f, n)
}

// apart is what a session that begins is told when its folder says it belongs to a project that does not know it.
func (h *handler) apart() string {
	if h.session == nil || h.session.Says == nil {
		return ""
	}
	return Apart(*h.session.Says)
}

// Apart says that a folder gives itself the identity of k, which does not know it, and how that is changed.
func Apart(k project.Known) string {
	kind, says, _ := strings.Cut(k.ID, ":")
	if kind == "dir" {
		says = k.Slug
	}
	where := "folders that are gone"
	for _, root := range k.Roots { // the first may be a worktree that was removed
		if _, err := os.Stat(root); err == nil {
			where = text.Data(root)
			break
		}
	}
	return fmt.Sprintf("This folder says it is %s, known at %s; `memento workspace join` shares its memory.",
		text.Data(says), where)
}

// Renamed says that a project's n records go by another name than the project does now.
func Renamed(f project.Former, n int) string {
	records := fmt.Sprintf("%d records", n)
	if n == 1 {
		records = "1 record"
	}
	how := "memento migrate --from " + f.From + " --to " + f.To
	if f.Gone != "" {
		return fmt.Sprintf("Project %s, whose folder %s is gone, has %s; if this is it: %s", f.Was, text.Data(f.Gone),
			records, how)
	}
	return fmt.Sprintf("This project is called %s in memento (%s), and %s now: %s", f.Was, records, f.To, how)
}

// beside is what a session is told whose lane another one holds. What that one works on is not said: it would be one
// more mission to confuse with its own.
func (h *handler) beside() string {
	if h.session == nil || h.session.Beside == "" {
		return ""
	}
	return "Another session of this project is open; each keeps a journal of its own (`memento workspace` lists them)."
}
