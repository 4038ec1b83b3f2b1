package cli

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/doctor"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

func statusCommand() command {
	return command{
		name: "status", short: "say in a few lines whether memento is at work here, and where",
		long: `  memento status --json
`,
		flags: func(fs *flag.FlagSet, c *call) { fs.BoolVar(&c.json, "json", false, "print JSON") },
		run:   runStatus,
	}
}

func runStatus(c *call) error {
	at, err := c.look()
	if err != nil {
		return err
	}
	lane := at.store.Lane
	state, mission, size := "none yet", "", int64(0)
	j, err := at.store.Read()
	switch {
	case err == nil:
		state = "no mission open"
		if j.Open() {
			state, mission = "mission open", j.Mission
		}
		if info, err := os.Lstat(lane.Journal()); err == nil {
			size = info.Size()
		}
	case errors.Is(err, fs.ErrNotExist):
	case errors.Is(err, journal.ErrCorrupt):
		state = "unreadable"
	default:
		state = "refused"
	}
	said, lines := 0, 0
	unread := journal.ReadHistory(lane, func(l journal.Line) bool {
		lines++
		if l.Kind == "said" {
			said++
		}
		return true
	})
	st := doctor.Remembered(c.config.Dir, at.session, j)
	pausedAs, unpause := c.paused(lane)
	kept := c.keptRecords(lane)
	branch := project.Branch(c.Dir, at.root)
	if c.json {
		fmt.Fprintf(c.Out, `{"version":1,"enabled":%t,"paused":%t,"project":%s,"branch":%s,"tag":%s,"path":%s,"journal":%s,"bytes":%d,"mission":%s,"said":%d,"history":%d,"session":%s,"compactions":%d,"delivery":%s,"apart_from":%s,%s}`+"\n",
			c.config.Enabled, pausedAs != "", quote(lane.Slug), quote(branch), quote(c.config.Tag), quote(lane.Journal()), quote(state), size, quote(mission), said, lines, quote(at.session), st.Compactions, quote(st.Delivery), quote(c.apartFrom()), kept.json())
		return nil
	}
	row := func(name, format string, args ...any) {
		fmt.Fprintf(c.Out, "%-9s%s\n", name, fmt.Sprintf(format, args...))
	}
	on := "on"
	if !c.config.Enabled {
		on = "off (" + config.SwitchOn(c.Getenv) + ")"
	}
	row("memento", "%s, version %s", on, Version)
	if pausedAs != "" {
		row("", "%s (%s)", pausedAs, unpause)
	}
	proj := lane.Slug
	if proj == "" {
		proj = "none (work outside any project)"
	}
	row("project", "%s, instance %s", proj, c.config.Tag)
	if branch != "" {
		row("branch", "%s", text.Line(branch))
	}
	if former := c.former(); former != "" {
		row("", "%s", former)
	}
	if apart := c.apart(); apart != "" {
		row("", "%s", apart)
	}
	if size > 0 {
		row("journal", "%s (%d bytes)", lane.Journal(), size)
	} else {
		row("journal", "%s", lane.Journal())
	}
	if mission != "" {
		row("", "%s: %s", state, text.Line(mission))
	} else {
		row("", "%s", state)
	}
	if unread != nil {
		row("history", "not read to its end: %s", text.Line(worded(unread)))
	} else {
		row("history", "%s, %d of them things you typed", count(lines, "line"), said)
	}
	kept.rows(row)
	if at.session != "" {
		row("session", "%s, %d compactions", text.Line(at.session), st.Compactions)
	}
	if what, hint := doctor.Delivery(st); what != "" {
		row("block", "%s", what)
		if hint != "" {
			row("", "%s", hint)
		}
	}
	return nil
}
