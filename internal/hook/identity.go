package hook

import (
	"fmt"
	"os"
	"strings"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// apart is what a session that begins is told when its folder says it belongs to a project that does not know it.
func (h *handler) apart() string {
	if h.session.Says == nil {
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
	where := "at folders that are gone"
	if len(k.Roots) == 0 { // a sync brought it
		where = "from another machine"
	}
	for _, root := range k.Roots { // the first may be a worktree that was removed
		if _, err := os.Stat(root); err == nil {
			where = "at " + text.Data(root)
			break
		}
	}
	return fmt.Sprintf("This folder says it is %s, known %s; `memento workspace join` shares its memory.",
		text.Data(says), where)
}

// beside returns the line for a session whose lane another session holds. It does not name the other mission, which
// might be confused with its own.
func (h *handler) beside() string {
	if h.session.Beside == "" {
		return ""
	}
	return "Another session of this project is open; each keeps a journal of its own (`memento workspace` lists them)."
}
