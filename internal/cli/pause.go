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
		name: "pause", apart: "all project", short: "stop memento in this project, or everywhere, until pause --end",
		long: `While paused, nothing is captured, not later either, and nothing is put before Claude.

  memento pause
  memento pause --end
`,
		flags: func(fs *flag.FlagSet) {
			fs.BoolVar(&f.end, "end", false, "go on")
			fs.BoolVar(&f.all, "all", false, "all projects, and work outside any")
			nameFlag(fs, &f.project, "project", "the project with this `NAME` instead of the folder's")
		},
		run: func(c *call) error { return runPause(c, f) },
	}
}

// runPause pauses, or with --end unpauses, everything, the named project, or the project here.
func runPause(c *call, f pauseFlags) error {
	key := f.project
	switch {
	case f.all:
		key = withheld.All
	case f.project != "":
		if err := knownProject(c, f.project); err != nil {
			return err
		}
	default:
		lane, err := c.lane()
		if err == nil && !f.end && c.sessionID() == "" { // noted, so that no other project gets its name
			lane.Slug, err = c.noteProject(c.here())
		}
		if err != nil {
			return err
		}
		key = withheld.Key(lane.Slug)
	}
	if f.end {
		return unpause(c, key)
	}
	covers := func(lane project.Lane) bool { return f.all || withheld.Key(lane.Slug) == key }
	capture.CatchUpAll(c.config, covers, c.Now(), wait)
	if err := withheld.Pause(c.config.Dir, key, c.Now(), wait, capture.Places(c.config.Dir, covers)); err != nil {
		return err
	}
	since, _ := withheld.LoadPauses(c.config.Dir).Since(key)
	what, end := pauseOf(key)
	return c.say("memento is paused %s since %s: nothing is captured, and nothing is put before Claude, until: %s",
		what, clock(since), end)
}

func unpause(c *call, key string) error {
	list := withheld.LoadPauses(c.config.Dir)
	what, _ := pauseOf(key)
	switch {
	case list.Err() != nil && key == withheld.All:
		aside, err := withheld.Reset(c.config.Dir, c.Now(), wait)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.Err, "memento: paused.json could not be read and was set aside as %s\n", aside)
	case key != withheld.All && list.Only(withheld.All):
		return hinted("memento pause --end --all", "memento is paused altogether")
	}
	if err := withheld.Unpause(c.config.Dir, key, c.Now(), wait, capture.Written); err != nil {
		return err
	}
	said := "goes on " + what + ": what was typed meanwhile is not captured"
	if list.Err() == nil && !list.Only(key) {
		said = "was not paused " + what
	}
	fmt.Fprintf(c.Out, "memento %s\n", said)
	for _, k := range withheld.LoadPauses(c.config.Dir).Keys() {
		what, end := pauseOf(k)
		fmt.Fprintf(c.Out, "still paused %s: %s\n", what, end)
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
	what, end = pauseOf(key)
	return fmt.Sprintf("memento is paused %s since %s", what, clock(since)), end
}

// notPaused returns the error for a command that writes while memento is paused, nil if memento is not.
func notPaused(c *call) error {
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

// pauseOf returns in words what the key of a pause covers, and the command that ends it.
func pauseOf(key string) (what, end string) {
	switch key {
	case withheld.All:
		return "altogether", "memento pause --end --all"
	case withheld.Outside:
		return "outside any project", "memento pause --end, in a folder of no project"
	}
	return "in project " + key, "memento pause --end --project " + key
}

// unreadablePause is the hint for a list of pauses that cannot be read.
const unreadablePause = "memento pause --end --all sets paused.json aside"
