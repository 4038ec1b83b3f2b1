package journal

import (
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
)

// OpenMissions returns the open missions of this instance, by the slug of their project. It skips journals that cannot
// be read.
func OpenMissions(c config.Config, now time.Time) (map[string][]Left, error) {
	entries, err := safefile.List(c.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	out := map[string][]Left{}
	for _, e := range entries {
		name, isJournal := strings.CutSuffix(e.Name(), ".json")
		lane, ok := project.LaneNamed(c.Dir, name)
		if !isJournal || !ok || lane.Slug == "" || !strings.HasSuffix(lane.Base().Name, "--"+c.Tag) {
			continue
		}
		if j, err := (Store{Lane: lane, Config: c, Now: now}).Read(); err == nil && j.Open() {
			out[lane.Slug] = append(out[lane.Slug], Left{Journal: j, Lane: lane})
		}
	}
	return out, nil
}
