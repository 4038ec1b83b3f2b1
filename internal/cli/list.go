package cli

import (
	"errors"
	"flag"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/screen"
	"github.com/mementohq/memento/internal/text"
)

func listCommand() command {
	sc := &scope{}
	return command{
		name: "list", json: true, args: "['PATTERN']", short: "list the records of this project, the one updated last first",
		long: `PATTERN is matched with their names, * for any letters. What subagents answered is only counted
without a PATTERN or --kind subagent.

  memento list
  memento list 'auth*'
  memento list --kind decision,constraint --tag auth --since 7d
  memento list --all --status all
`,
		flags: func(fs *flag.FlagSet, _ *call) {
			sc.flags(fs)
		},
		run: func(c *call) error { return runList(c, sc) },
	}
}

func runList(c *call, sc *scope) error {
	if len(c.args) > 1 {
		return usage("put it in quotes, or the shell makes file names of it: memento list 'auth*'",
			"takes one pattern, got %d", len(c.args))
	}
	s, err := c.shelf()
	if err != nil {
		return err
	}
	f, err := s.filter(*sc, c.Now())
	if err != nil {
		return err
	}
	if len(c.args) == 1 {
		if strings.TrimSpace(c.args[0]) == "" {
			return usage("memento list 'auth*'", "the pattern is empty")
		}
		f.Match = strings.TrimSuffix(c.args[0], naming.Ending)
	}
	list, problems, err := s.store.List(f)
	if errors.Is(err, path.ErrBadPattern) {
		return noPattern("list", f.Match)
	}
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	list, more := visible(list, f)
	if c.json {
		out := []listedRecord{}
		for _, r := range list {
			out = append(out, listedRecord{
				r.ID, r.Kind, r.Title, r.Project, r.Status, r.Stage, text.Moment(r.Created),
				text.Moment(r.Updated), array(r.Tags), r.Path, r.Hash(), r.Shared != "",
			})
		}
		c.printJSON(members{
			{"project", f.Project}, {"records", out}, {"hidden", more}, {"problems", unreadables(problems)},
		})
		return nil
	}
	c.unread(problems)
	if len(list) == 0 && more == 0 {
		if sc.project != "" {
			noteUnseen(c, f.Project)
		}
		return c.listNone(s, f, len(problems))
	}
	if err := c.printList(s, list); err != nil {
		return err
	}
	if more > 0 {
		fmt.Fprintf(c.Out, "%s of subagents: add --kind subagent\n", count(more, "answer"))
	}
	return nil
}

// printList prints a line for each record, or two on a narrow screen.
func (c *call) printList(s *shelf, list []*record.Record) error {
	short, err := s.names(c)
	if err != nil {
		return err
	}
	var table screen.Table
	var ids, kinds, ages []string
	for _, r := range list {
		ids, kinds, ages = append(ids, r.ID), append(kinds, text.Line(r.Kind)), append(ages, c.since(r.Updated))
		table.Add(text.Line(r.Title), stands("", r.Status, r.Stage, r.Shared != ""), text.Line(r.Kind),
			c.short(r.Updated), short(r.ID))
	}
	if c.screen.Wide > 0 {
		fmt.Fprint(c.Out, table.Fit(c.screen))
		return nil
	}
	idWide, kindWide, ageWide := widest(ids), widest(kinds), widest(ages)
	for i, r := range list {
		fmt.Fprintf(c.Out, "%s  %s  %s  %s%s\n", pad(ids[i], idWide), pad(kinds[i], kindWide), pad(ages[i], ageWide),
			text.Line(r.Title), stands("  ", r.Status, r.Stage, r.Shared != ""))
	}
	return nil
}

// names returns what a person at a terminal can call a record here, in few words; elsewhere its id.
func (s *shelf) names(c *call) (func(id string) string, error) {
	if c.screen.Wide == 0 {
		return func(id string) string { return id }, nil
	}
	return retrieve.Shorten(s.store, s.project)
}

// listedRecord is a record in the JSON answer of list.
type listedRecord struct {
	ID      string   `json:"id"`
	Kind    string   `json:"kind"`
	Title   string   `json:"title"`
	Project string   `json:"project"`
	Status  string   `json:"status"`
	Stage   string   `json:"stage"`
	Created string   `json:"created"`
	Updated string   `json:"updated"`
	Tags    []string `json:"tags"`
	Path    string   `json:"path"`
	Hash    string   `json:"hash"`
	Shared  bool     `json:"shared,omitempty"` // it came from the repository
}

// stands returns in brackets, behind lead, whether a record came from the repository, its status and its stage; "" for
// an active record of one's own without a stage.
func stands(lead, status, stage string, fromTeam bool) string {
	var words []string
	if fromTeam {
		words = append(words, "shared")
	}
	if status != schema.Active {
		words = append(words, text.Line(status))
	}
	if stage != "" {
		words = append(words, text.Line(stage))
	}
	if words == nil {
		return ""
	}
	return lead + "[" + strings.Join(words, ", ") + "]"
}

// visible returns the list without the records of hidden kinds, and their number. A filter by kind or name shows them.
func visible(list []*record.Record, f record.Filter) ([]*record.Record, int) {
	if f.Kinds != nil || f.Match != "" {
		return list, 0
	}
	shown := slices.DeleteFunc(slices.Clone(list), func(r *record.Record) bool {
		k, _ := schema.Named(r.Kind)
		return k.Hidden
	})
	return shown, len(list) - len(shown)
}

// noPattern is the error for a pattern that is not valid.
func noPattern(command, pattern string) error {
	return usage("memento "+command+" 'auth*'", "%s: %s is no pattern: a [ needs its ]", command, text.Quote(pattern))
}

// listNone prints that no record fits, and a command that finds or makes one.
func (c *call) listNone(s *shelf, f record.Filter, unread int) error {
	where := "in any project"
	switch f.Project {
	case "":
	case naming.User:
		where = "of your own"
	default:
		where = "in project " + f.Project
	}
	narrowed := f.Match != "" || f.Kinds != nil || f.Status != nil || f.Tags != nil || !f.Since.IsZero()
	what := "There is no record " + where + " yet"
	switch {
	case narrowed:
		what = "No record " + where + " fits that"
	case unread > 0:
		what = "No record " + where + " can be read"
	}
	if f.Match != "" && !strings.ContainsAny(f.Match, "*?[") {
		wide := f
		wide.Match = "*" + f.Match + "*"
		list, _, err := s.store.List(wide)
		switch {
		case err != nil:
			return err
		case len(list) > 0:
			have := map[bool]string{true: "has it in its name", false: "have it in their names"}[len(list) == 1]
			fmt.Fprintf(c.Out, "%s; %d %s: memento list '%s'\n", what, len(list), have, text.Line(wide.Match))
			return nil
		}
	}
	if f.Status == nil {
		away, err := s.putAway(f)
		if err != nil {
			return err
		}
		switch {
		case away == 0:
		case narrowed:
			fits := map[bool]string{true: "fits", false: "fit"}[away == 1]
			fmt.Fprintf(c.Out, "No active record %s fits that; %s put away %s: add --status all\n", where,
				count(away, "record"), fits)
			return nil
		default:
			fmt.Fprintf(c.Out, "There is no active record %s; %s put away: add --status all\n", where,
				count(away, "record"))
			return nil
		}
	}
	others := 0
	if f.Project != "" && s.by == journal.ByUser { // Claude may read this project unasked, but no other one
		everywhere := f
		everywhere.Project = ""
		list, _, err := s.store.List(everywhere)
		if err != nil {
			return err
		}
		others = len(list)
	}
	switch {
	case others > 0:
		fmt.Fprintf(c.Out, "%s; %s elsewhere: add --all\n", what, count(others, "record"))
	case narrowed:
		fmt.Fprintf(c.Out, "%s.\n", what)
	case unread > 0:
		fmt.Fprintf(c.Out, "%s: memento doctor\n", what)
	default:
		in := ""
		switch own := f.Project; {
		case own == naming.User:
			in = " --user"
		case own != "" && own != s.project:
			in = " --project " + own
		}
		fmt.Fprintf(c.Out, "%s: memento save decision \"TITLE\"%s makes one.\n", what, in)
	}
	return nil
}

// putAway returns how many records fit f that are not active.
func (s *shelf) putAway(f record.Filter) (int, error) {
	f.Status = schema.Statuses()
	list, _, err := s.store.List(f)
	return len(list), err
}

// since says how long ago t was, "-" if t is no time.
func (c *call) since(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return block.Age(c.Now().Sub(t))
}

// short says how long ago t was, in as few letters as a table has room for: now, 5m, 3h, 12d.
func (c *call) short(t time.Time) string {
	d := c.Now().Sub(t)
	switch {
	case t.IsZero() || d < 0:
		return "-"
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/(24*time.Hour))
}

// when says when t was: at a terminal how long ago.
func (c *call) when(t time.Time) string {
	if c.screen.Wide > 0 {
		return c.since(t)
	}
	return t.Local().Format(time.DateTime)
}

// widest returns the width of a column, at most 60: longer lines stand out.
func widest(column []string) (w int) {
	for _, s := range column {
		w = max(w, min(text.Columns(s), 60))
	}
	return w
}

// pad adds spaces to s up to w columns.
func pad(s string, w int) string {
	return s + strings.Repeat(" ", max(0, w-text.Columns(s)))
}
