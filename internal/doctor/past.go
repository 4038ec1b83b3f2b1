package doctor

import (
	"os"
	"path/filepath"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/text"
)

// checkPast says how many turns of this project's sessions are kept, since when, and how large all are.
func (x *exam) checkPast() {
	if x.Config.Past == config.PastJournal {
		x.add(Note, "memento config past answers", "no turn of a session outlives its journal: past is journal")
		return
	}
	store := log.Store{Dir: x.Config.Dir}
	projects, err := store.Projects()
	if err != nil {
		x.add(Bad, "", "the turns of sessions cannot be read: %s", text.Reason(err))
		return
	}
	var size, own int64
	var sessions, ours int
	first := ""
	for _, project := range projects {
		all, err := store.Sessions(project)
		if err != nil {
			x.add(Bad, "", "the turns of sessions cannot be read: %s", text.Reason(err))
			return
		}
		for _, one := range all {
			sessions++
			if size += one.Size; project == x.lane.Slug {
				ours, own = ours+1, own+one.Size
				if first == "" {
					first = one.Month
				}
			}
		}
	}
	switch {
	case sessions == 0 && !x.hasTranscripts():
		x.ok("no session yet whose turns could be kept")
	case sessions == 0:
		x.add(Note, "memento backfill --dry-run", "the turns of no session are kept yet")
	case ours == 0:
		x.ok("turns of %s kept, of other projects (%d KB)", text.Count(sessions, "session"), (size+1023)>>10)
	default:
		x.ok("turns of %s kept since %s (%d KB); of all projects %s (%d KB)", text.Count(ours, "session"), first,
			(own+1023)>>10, text.Count(sessions, "session"), (size+1023)>>10)
	}
}

// hasTranscripts reports whether the client keeps transcripts on this machine. Without one, backfill finds nothing.
func (x *exam) hasTranscripts() bool {
	entries, _ := os.ReadDir(filepath.Join(x.Config.ClaudeDir, "projects"))
	return len(entries) > 0
}
