package cli

import (
	"flag"
	"fmt"

	"github.com/mementohq/memento/internal/capture"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/withheld"
)

type pauseFlags struct {
	all, end bool
	project  string
}

func pauseCommand() command {
	var f pauseFlags
	return command{
		name: "pause", apart: "all project", short: "look away from this project, or from everything, until pause --end",
		long: `While paused, nothing is captured, not later either, and nothing is put before Claude.

  memento pause
  memento pause --end
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			fs.BoolVar(&f.end, "end", false, "go on")
			fs.BoolVar(&f.all, "all", false, "all projects, and work outside any")
			nameFlag(fs, &f.project, "project", "the project with this `NAME` instead of the folder's")
		},
		run: func(c *call) error {
			key, err := pauseKey(c, f)
			switch {
			case err != nil:
				return err
			case f.end:
				return unpause(c, key)
			}
			return pause(c, key)
		},
	}
}

// pauseKey returns the key of what to pause, or to unpause: everything, the named project, or the project here.
func pauseKey(c *call, f pauseFlags) (string, error) {
	if err := c.load(); err != nil {
		return "", err
	}
	if f.all {
		return withheld.All, nil
	}
	if f.project != "" {
		return f.project, knownProject(c, f.project)
	}
	lane, err := c.lane()
	if err == nil && !f.end && lane.Slug != "" && c.sessionID() == "" { // noted, so that no other project gets its name
		lane.Slug, err = c.noteProject(c.here())
	}
	return withheld.Key(lane.Slug), err
}

func pause(c *call, key string) error {
	covers := func(lane project.Lane) bool { return key == withheld.All || withheld.Key(lane.Slug) == key }
	capture.CatchUpAll(c.config, covers, c.Now(), wait)
	if err := withheld.Pause(c.config.Dir, key, c.Now(), wait, capture.Places(c.config.Dir, covers)); err != nil {
		return err
	}
	since, _ := withheld.LoadPauses(c.config.Dir).Since(key)
	fmt.Fprintf(c.Out, "memento is paused %s since %s: nothing is captured, and nothing is put before Claude, until: %s\n",
		pausedWhat(key), clock(since), unpauseBy(key))
	return nil
}

func unpause(c *call, key string) error {
	list := withheld.LoadPauses(c.config.Dir)
	switch {
	case list.Err() != nil && key == withheld.All:
		aside, err := withheld.Reset(c.config.Dir, c.Now(), wait)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.Err, "memento: paused.json could not be read and was set aside as %s\n", aside)
	case !list.Only(key) && list.Only(withheld.All):
		return hinted("memento pause --end --all", "memento is paused altogether")
	}
	if err := withheld.Unpause(c.config.Dir, key, c.Now(), wait, capture.Written); err != nil {
		return err
	}
	left := withheld.LoadPauses(c.config.Dir)
	_, still := left.Since(key)
	switch {
	case still:
		return hinted("memento pause --end --all", "memento is still paused altogether")
	case !list.Only(key) && list.Err() == nil:
		fmt.Fprintf(c.Out, "memento was not paused %s\n", pausedWhat(key))
	default:
		fmt.Fprintf(c.Out, "memento goes on %s: what was typed meanwhile is not captured\n", pausedWhat(key))
	}
	for _, k := range left.Keys() {
		fmt.Fprintf(c.Out, "still paused %s: %s\n", pausedWhat(k), unpauseBy(k))
	}
	return nil
}

// paused returns a message when memento is paused in the lane's project, and the command that ends the pause; "" if
// it is not paused.
func (f *folder) paused(lane project.Lane) (what, end string) {
	list, key := withheld.LoadPauses(f.config.Dir), withheld.Key(lane.Slug)
	since, paused := list.Since(key)
	switch {
	case !paused:
		return "", ""
	case list.Err() != nil:
		return "memento is paused altogether: " + list.Err().Error(), unreadablePause
	}
	if list.Only(withheld.All) {
		key = withheld.All
	}
	what = fmt.Sprintf("memento is paused %s since %s", pausedWhat(key), clock(since))
	return what, unpauseBy(key)
}

// notPaused returns the error for a command that writes while memento is paused, nil if memento is not.
func notPaused(c *call) error {
	if !withheld.LoadPauses(c.config.Dir).Any() {
		return nil
	}
	lane, err := c.lane()
	if err != nil {
		return err
	}
	what, end := c.paused(lane)
	if what == "" {
		return nil
	}
	if c.by == journal.ByClaude {
		end = "go on without; the person ends it when they want: " + end
	}
	return hinted(end, "nothing was noted: %s", what)
}

// pausedWhat returns in words the projects that the key of a pause covers.
func pausedWhat(key string) string {
	switch key {
	case withheld.All:
		return "altogether"
	case withheld.Outside:
		return "outside any project"
	}
	return "in project " + key
}

// unpauseBy is the command that ends the pause with this key.
func unpauseBy(key string) string {
	switch key {
	case withheld.All:
		return "memento pause --end --all"
	case withheld.Outside:
		return "memento pause --end, in a folder of no project"
	}
	return "memento pause --end --project " + key
}

// unreadablePause is the hint for a list of pauses that cannot be read.
const unreadablePause = "memento pause --end --all sets paused.json aside"
