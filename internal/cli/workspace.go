package cli

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/text"
)

func workspaceCommand() command {
	return command{
		name: "workspace", short: "list the projects seen: where they are, when they were used, what is open in them",
		long: `A project is known by the address of its origin, else by its folder, and keeps its name for
good. The one used last comes first.

  memento workspace
  memento workspace --json
`,
		flags: func(fs *flag.FlagSet, c *call) { fs.BoolVar(&c.json, "json", false, "print JSON") },
		run:   runWorkspace,
	}
}

// openMission is a mission that is open in one lane of a project.
type openMission struct {
	lane project.Lane
	text string
}

func runWorkspace(c *call) error {
	if err := c.noArgs(); err != nil {
		return err
	}
	if err := c.load(); err != nil {
		return err
	}
	w := project.OpenWorkspace(c.config.Dir)
	if w.Err != nil {
		return fmt.Errorf("workspace: %w", w.Err)
	}
	known := w.Known
	slices.SortStableFunc(known, func(a, b project.Known) int { return b.Last.Compare(a.Last) })
	open, err := c.openMissions()
	if err != nil {
		return err
	}
	if c.json {
		var out []string
		for _, k := range known {
			var missions []string
			for _, m := range open[k.Slug] {
				missions = append(missions, fmt.Sprintf(`{"path":%s,"mission":%s}`, quote(m.lane.Journal()), quote(m.text)))
			}
			out = append(out, fmt.Sprintf(`{"slug":%s,"id":%s,"roots":%s,"last":%s,"open":[%s]}`, quote(k.Slug), quote(k.ID), quoteList(k.Roots), quote(k.Last.UTC().Format(time.RFC3339)), strings.Join(missions, ",")))
		}
		fmt.Fprintf(c.Out, `{"version":1,"projects":[%s]}`+"\n", strings.Join(out, ","))
		return nil
	}
	if len(known) == 0 {
		fmt.Fprintln(c.Out, "No project was seen yet: the first session in one notes it.")
		return nil
	}
	for _, k := range known {
		kind, where, _ := strings.Cut(k.ID, ":")
		if kind == "dir" {
			where = "none: it is known by its folder"
		}
		fmt.Fprintf(c.Out, "%s\n  %-9s%s\n  %-9s%s, %s\n", k.Slug, "origin", text.Line(where), "used", k.Last.UTC().Format(time.DateOnly), journal.Age(c.Now().Sub(k.Last)))
		for i, r := range k.Roots {
			name := ""
			if i == 0 {
				name = "folders"
			}
			fmt.Fprintf(c.Out, "  %-9s%s\n", name, text.Line(r))
		}
		for _, m := range open[k.Slug] {
			fmt.Fprintf(c.Out, "  %-9s%s (%s)\n", "open", text.Line(m.text), m.lane.Name)
		}
	}
	return nil
}

// openMissions returns the missions of this instance that are open, by the slug of their project. A journal that cannot be
// read has none; memento doctor speaks of it.
func (c *call) openMissions() (map[string][]openMission, error) {
	entries, err := safefile.List(c.config.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	out := map[string][]openMission{}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".json")
		lane, good := project.LaneNamed(c.config.Dir, name)
		if !ok || !good || lane.Slug == "" || !strings.HasSuffix(lane.Base().Name, "--"+c.config.Tag) {
			continue
		}
		j, err := journal.Store{Lane: lane, Config: c.config, Now: c.Now()}.Read()
		if err == nil && j.Open() {
			out[lane.Slug] = append(out[lane.Slug], openMission{lane, j.Mission})
		}
	}
	return out, nil
}
