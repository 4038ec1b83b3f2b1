package cli

import (
	"cmp"
	"flag"
	"fmt"

	"github.com/mementohq/memento/internal/history"
)

func statsCommand() command {
	all := false
	return command{
		name: "stats", short: "say what compactions lost, what the client's summary kept, and what memento carried",
		long: `Counted for each compaction, at the event after it, word for word: the facts there were,
those that the client's own summary still has, those that memento put beside it, and those
that are in neither. Those are not lost: memento show, memento show --said and memento
history have them.

  memento stats           this project: every worktree and window of it
  memento stats --all     every project
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&c.json, "json", false, "print JSON")
			fs.BoolVar(&all, "all", false, "count every project, not only this one")
		},
		run: func(c *call) error { return runStats(c, all) },
	}
}

func runStats(c *call, all bool) error {
	at, err := c.openHere()
	if err != nil {
		return err
	}
	lane := at.store.Lane
	s, err := history.SumCompactions(lane, all)
	if err != nil {
		return fmt.Errorf("stats: %w", err)
	}
	if c.json {
		facts := members{}
		for _, kind := range history.Kinds() {
			facts = append(facts, member{kind, s.Facts[kind]})
		}
		c.printJSON(members{
			{"project", lane.Slug}, {"all", all}, {"compactions", s.Compactions}, {"auto", s.Auto},
			{"manual", s.Compactions - s.Auto}, {"sessions", s.Sessions}, {"lanes", s.Lanes}, {"first", s.First},
			{"last", s.Last}, {"facts", facts}, {"total", s.Total},
		})
		return nil
	}
	where := "this project"
	switch {
	case all:
		where = "all projects"
	case lane.Slug != "":
		where = "project " + lane.Slug
	}
	if s.Compactions == 0 {
		if all {
			where = "any project"
		}
		fmt.Fprintf(c.Out, "No compaction of %s has been counted yet: "+
			"what one keeps and loses is counted when it happens.\n", where)
		return nil
	}
	fmt.Fprintf(c.Out, "%s of %s (%d automatic, %d by hand) in %s, %s\n\n", count(s.Compactions, "compaction"),
		where, s.Auto, s.Compactions-s.Auto, count(s.Sessions, "session"), fromTo(local(s.First), local(s.Last)))
	row := func(name string, k history.FactCount) {
		fmt.Fprintf(c.Out, "%-22s %6d %15d %14d %11d\n", name, k.There, k.Summary, k.Block, k.Neither)
	}
	if c.screen.Wide > 0 && c.screen.Wide < statsWide {
		row = func(name string, k history.FactCount) {
			c.printLine(2, fmt.Sprintf("%s: %s, %d in the summary, %d in the block, %d in neither", name,
				count(k.There, "fact"), k.Summary, k.Block, k.Neither))
		}
	} else {
		fmt.Fprintf(c.Out, "%-22s %6s %15s %14s %11s\n", "", "facts", "in the summary", "in the block", "in neither")
	}
	for _, kind := range history.Kinds() {
		if k := s.Facts[kind]; k.There > 0 {
			row(cmp.Or(kindNames()[kind], kind), k)
		}
	}
	row("all", s.Total)
	return nil
}

// statsWide is how many columns the table of stats takes.
const statsWide = 72

// kindNames puts the kinds of facts into words.
func kindNames() map[string]string {
	return map[string]string{
		"rule": "rules the user set", "said": "other words typed", "wip": "work in hand", "error": "failing command",
		"task": "open tasks, plan", "file": "files, by name", "done": "things done",
	}
}
