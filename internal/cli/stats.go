package cli

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
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

// stats is what compactions add up to.
type stats struct {
	lanes, compactions, auto int
	sessions                 map[string]bool
	first, last              string
	facts                    map[string]journal.Kept
	total                    journal.Kept
}

func runStats(c *call, all bool) error {
	at, err := c.look()
	if err != nil {
		return err
	}
	lanes, err := lanes(at.store.Lane, all)
	if err != nil {
		return err
	}
	s := stats{sessions: map[string]bool{}, facts: map[string]journal.Kept{}}
	for _, lane := range lanes {
		before := s.compactions
		if err := journal.Compactions(lane, s.add); err != nil {
			return fmt.Errorf("stats: %w", err)
		}
		if s.compactions > before {
			s.lanes++
		}
	}
	where := "this project"
	switch {
	case all:
		where = "all projects"
	case at.store.Lane.Slug != "":
		where = "project " + at.store.Lane.Slug
	}
	if c.json {
		c.statsJSON(at.store.Lane.Slug, all, s)
		return nil
	}
	if s.compactions == 0 {
		const format = "No compaction of %s has been counted yet: what one keeps and loses is counted when it happens.\n"
		fmt.Fprintf(c.Out, format, where)
		return nil
	}
	fmt.Fprintf(c.Out, "%s of %s (%d automatic, %d by hand) in %s, %s to %s\n\n", count(s.compactions, "compaction"),
		where, s.auto, s.compactions-s.auto, count(len(s.sessions), "session"), local(s.first), local(s.last))
	row := func(name string, k journal.Kept) {
		fmt.Fprintf(c.Out, "%-22s %6d %15d %14d %11d\n", name, k.There, k.Summary, k.Block, k.Neither)
	}
	fmt.Fprintf(c.Out, "%-22s %6s %15s %14s %11s\n", "", "facts", "in the summary", "in the block", "in neither")
	for _, kind := range journal.Kinds() {
		if k := s.facts[kind]; k.There > 0 {
			row(kindName(kind), k)
		}
	}
	row("all", s.total)
	return nil
}

func kindName(kind string) string {
	switch kind {
	case "rule":
		return "rules the user set"
	case "said":
		return "other words typed"
	case "wip":
		return "work in hand"
	case "error":
		return "failing command"
	case "task":
		return "open tasks, plan"
	case "file":
		return "files, by name"
	case "done":
		return "things done"
	}
	return kind
}

func (s *stats) add(c journal.Compaction) {
	s.compactions++
	if c.Trigger == "auto" {
		s.auto++
	}
	s.sessions[c.Session] = true
	if s.first == "" || c.TS < s.first {
		s.first = c.TS
	}
	s.last = max(s.last, c.TS)
	for kind, k := range c.Facts {
		all := s.facts[kind]
		all.Add(k)
		s.facts[kind] = all
		s.total.Add(k)
	}
}

func (c *call) statsJSON(slug string, all bool, s stats) {
	facts := members{}
	for _, kind := range journal.Kinds() {
		facts = append(facts, member{kind, kept(s.facts[kind])})
	}
	c.printJSON(members{
		{"project", slug}, {"all", all}, {"compactions", s.compactions}, {"auto", s.auto},
		{"manual", s.compactions - s.auto}, {"sessions", len(s.sessions)}, {"lanes", s.lanes}, {"first", s.first},
		{"last", s.last}, {"facts", facts}, {"total", kept(s.total)},
	})
}

// kept is how many facts there were, and where they are, in an answer.
type kept struct {
	There   int `json:"there"`
	Summary int `json:"summary"`
	Block   int `json:"block"`
	Neither int `json:"neither"`
}

// lanes lists the lanes that have a history: all of them, or those of own's project.
func lanes(own project.Lane, all bool) ([]project.Lane, error) {
	entries, err := safefile.List(filepath.Dir(own.History()))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("stats: %w", err)
	}
	var out []project.Lane
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".jsonl")
		lane, good := project.LaneNamed(own.Dir, name)
		if ok && good && (all || lane.Slug == own.Slug && (own.Slug != "" || lane.Base() == own.Base())) {
			out = append(out, lane)
		}
	}
	return out, nil
}
