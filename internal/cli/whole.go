package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/history"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

// wholeMission returns the mission as the user put it, which the journal may hold cut short. The error is the disk's,
// where the rest stands in what could not be read.
func wholeMission(j *journal.Journal, lane project.Lane) (string, error) {
	whole := j.Mission
	unshown := map[string]string{} // what was typed before the transcript showed it, by session and time
	err := history.Read(lane, func(l history.Line) bool {
		ours := j.MissionRef != "" && l.Ref == j.MissionRef
		begins := strings.HasPrefix(l.Text, strings.TrimSuffix(j.Mission, text.Ellipsis))
		switch {
		case l.Kind == "confirmed" && ours:
			whole = cmp.Or(unshown[l.Session+l.TS], whole)
		case (l.Kind == "opened" || l.Kind == "said") && ours, l.Kind == "opened" && j.MissionRef == "" && begins:
			whole = l.Text
		case l.Kind == "said" && l.Ref == "":
			unshown[l.Session+l.TS] = l.Text
		}
		return true
	})
	if !strings.HasSuffix(whole, text.Ellipsis) {
		err = nil
	}
	return whole, err
}

// typedIn returns what the user typed, each prompt once, oldest first, and what tells which of it was rewound.
func typedIn(lane project.Lane) (typed []history.Line, rewound history.Rewinds, err error) {
	seen := map[string]bool{}
	err = history.Read(lane, func(l history.Line) bool {
		if rewound.Note(l) || l.Kind != "said" || l.By != "" && l.By != journal.ByUser || l.Ref != "" && seen[l.Ref] {
			return true
		}
		seen[l.Ref] = true
		l.Raw = "" // long prompts need not stand in memory twice
		typed = append(typed, l)
		return true
	})
	return typed, rewound, err
}

// openMission is a mission that is open in one lane of a project.
type openMission struct {
	lane    project.Lane
	mission string
}

// openMissions returns the missions of this instance that are open, by the slug of their project. A journal that cannot
// be read has none.
func openMissions(c config.Config, now time.Time) (map[string][]openMission, error) {
	entries, err := safefile.List(c.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	out := map[string][]openMission{}
	for _, e := range entries {
		name, isJournal := strings.CutSuffix(e.Name(), ".json")
		lane, ok := project.LaneNamed(c.Dir, name)
		if !isJournal || !ok || lane.Slug == "" || !strings.HasSuffix(lane.Base().Name, "--"+c.Tag) {
			continue
		}
		if j, err := (journal.Store{Lane: lane, Config: c, Now: now}).Read(); err == nil && j.Open() {
			out[lane.Slug] = append(out[lane.Slug], openMission{lane, j.Mission})
		}
	}
	return out, nil
}
