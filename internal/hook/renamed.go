package hook

import (
	"fmt"

	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/text"
)

// renamed is what a session that begins is told when its project has records under a name that is its own no more: of a project
// that is known once, of one that is not in its first session.
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
	n := all[record.Project(f.Was)]
	if err != nil || n == 0 {
		return ""
	}
	if f.Gone == "" {
		_ = project.Tell(h.config.Dir, f.From, f.To, h.env.Now, wait) // unnoted, it is said again
	}
	return Renamed(f, n)
}

// Renamed says that a project's n records go by another name than the project does now.
func Renamed(f project.Former, n int) string {
	records := fmt.Sprintf("%d records", n)
	if n == 1 {
		records = "1 record"
	}
	how := "memento migrate --from " + f.From + " --to " + f.To
	if f.Gone != "" {
		return fmt.Sprintf("Project %s, whose folder %s is gone, has %s; if this is it: %s", f.Was, text.Line(f.Gone), records, how)
	}
	return fmt.Sprintf("This project is called %s in memento (%s), and %s now: %s", f.Was, records, f.To, how)
}
