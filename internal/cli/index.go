package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mementohq/memento/internal/block"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/screen"
	"github.com/mementohq/memento/internal/search"
	"github.com/mementohq/memento/internal/text"
)

// maxIndex is the highest number of records that index lists.
const maxIndex = 20

func indexCommand() command {
	rebuild := false
	return command{
		name: "index", short: "show the mission, its progress, what blocks it, and this project's newest records",
		long: fmt.Sprintf(`It lists at most %d records. First it compares the search index with every record, and updates it. The
index is a cache: --rebuild removes it and builds it again from the files.

  memento index
  memento index --rebuild --json
`, maxIndex),
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&rebuild, "rebuild", false, "build the search index anew")
			fs.BoolVar(&c.json, "json", false, "print JSON")
		},
		run: func(c *call) error { return runIndex(c, rebuild) },
	}
}

// task holds the work in hand, from the journal.
type task struct {
	words      string // the mission
	open       bool
	done, left int    // entries
	blocker    string // what keeps the work from going on, "" for nothing
}

func runIndex(c *call, rebuild bool) error {
	at, err := c.openHere()
	if err != nil {
		return err
	}
	s, err := c.shelf()
	if err != nil {
		return err
	}
	var t task
	if j, err := at.store.Read(); err == nil {
		t = taskOf(j)
	} else if !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(c.Err, "memento: the journal is left out: %s\n", text.Line(err.Error()))
	}
	o, err := c.lookOver(s, &t, rebuild)
	if err != nil {
		return err
	}
	if c.json {
		c.indexJSON(s.project, t, o, rebuild)
		return nil
	}
	c.unread(o.Problems)
	return c.printIndex(s, t, o, rebuild)
}

// lookOver reads the overview of the shelf's records. A task without a blocker gets the one that the records name.
func (c *call) lookOver(s *shelf, t *task, rebuild bool) (retrieve.Overview, error) {
	o, err := retrieve.LoadOverview(s.store, s.project, rebuild, maxIndex, c.progress("indexing"))
	if err != nil {
		return o, fmt.Errorf("index: %w", err)
	}
	if t.blocker == "" {
		t.blocker, _ = text.Cut(text.Line(strings.Join(o.Blockers, "; ")), maxSnippet)
	}
	return o, nil
}

func taskOf(j *journal.Journal) (t task) {
	t = task{words: text.Line(j.Mission), open: j.Open(), done: len(j.Done), left: len(j.Plan)}
	if j.Wip != "" {
		t.left++
	}
	if j.Error != nil {
		t.blocker = fmt.Sprintf("`%s` -> %s", text.Line(j.Error.Cmd), text.Line(j.Error.Line))
	}
	return t
}

func (c *call) printIndex(s *shelf, t task, o retrieve.Overview, rebuilt bool) error {
	project := s.project
	if project == naming.User {
		project = "none; these are your own records"
	}
	c.row("project", "%s", project)
	switch {
	case t.words == "":
		c.row("mission", "none")
	case !t.open:
		c.row("mission", "none; the last one was: %s", t.words)
	default:
		c.row("mission", "%s", t.words)
	}
	c.printProgress(t)
	c.row("records", "%s", counts(o))
	if err := c.printNewest(s, o, 2*len(o.Newest)); err != nil {
		return err
	}
	switch {
	case rebuilt:
		c.row("index", "built anew from %s", count(o.Indexed, "record"))
	case o.Healed > 0:
		c.row("index", "%s; %d brought up to date", count(o.Indexed, "record"), o.Healed)
	default:
		c.row("index", "%s", count(o.Indexed, "record"))
	}
	return nil
}

// printProgress prints how far the task is, and its blocker.
func (c *call) printProgress(t task) {
	if t.words != "" {
		c.row("progress", "%d done, %d open", t.done, t.left)
	}
	c.row("blocker", "%s", cmp.Or(t.blocker, "none"))
}

// printNewest lists the newest records, in at most this many lines, and counts the other active ones.
func (c *call) printNewest(s *shelf, o retrieve.Overview, most int) error {
	short, err := s.names(c)
	if err != nil {
		return err
	}
	newest, lines := o.Newest[:min(most, len(o.Newest))], ""
	for {
		var list strings.Builder
		var table screen.Table
		for _, m := range newest {
			fmt.Fprintf(&list, "  %s · %s%s · %s · %s\n", text.Line(m.Kind), text.Line(m.Title),
				stands(" ", m.Status, m.Stage, false), updated(m, c.Now()), m.ID)
			table.Add("  "+text.Line(m.Title), stands("", m.Status, m.Stage, false), text.Line(m.Kind),
				c.short(updatedAt(m)), short(m.ID))
		}
		if lines = list.String(); c.screen.Wide > 0 {
			lines = table.Fit(c.screen)
		}
		if len(newest) == 0 || strings.Count(lines, "\n") <= most {
			break
		}
		newest = newest[:len(newest)-1]
	}
	fmt.Fprint(c.Out, lines)
	if more := o.Statuses[schema.Active] - len(newest); more > 0 {
		fmt.Fprintf(c.Out, "  %d more: memento list\n", more)
	}
	return nil
}

// counts returns the numbers of active records, of each kind, and of each other status.
func counts(o retrieve.Overview) string {
	parts := make([]string, 0, len(o.Kinds))
	for _, kind := range sortedKinds(o.Kinds) {
		parts = append(parts, fmt.Sprintf("%s %d", text.Line(kind), o.Kinds[kind]))
	}
	out := fmt.Sprintf("%d active", o.Statuses[schema.Active])
	if len(parts) > 0 {
		out += ": " + strings.Join(parts, ", ")
	}
	for _, status := range slices.Sorted(maps.Keys(o.Statuses)) {
		if status != schema.Active {
			out += fmt.Sprintf("; %d %s", o.Statuses[status], text.Line(status))
		}
	}
	return out
}

// sortedKinds lists the kinds in n, in the order of schema.Names, then unknown ones by name.
func sortedKinds(n map[string]int) (out []string) {
	for _, k := range schema.Names() {
		if n[k] > 0 {
			out = append(out, k)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(n)) {
		if _, ok := schema.Named(k); !ok {
			out = append(out, k)
		}
	}
	return out
}

func updated(m search.Meta, now time.Time) string {
	t := updatedAt(m)
	if t.IsZero() {
		return "no date"
	}
	return block.Age(now.Sub(t))
}

// updatedAt returns when a record was updated, the zero time for no date.
func updatedAt(m search.Meta) (t time.Time) {
	if m.Updated > 0 {
		t = time.Unix(m.Updated, 0)
	}
	return t
}

func (c *call) indexJSON(project string, t task, o retrieve.Overview, rebuilt bool) {
	type newest struct {
		ID    string `json:"id"`
		Kind  string `json:"kind"`
		Title string `json:"title"`
		standing
		Updated string `json:"updated"`
	}
	records := []newest{}
	for _, m := range o.Newest {
		when := ""
		if m.Updated > 0 {
			when = time.Unix(m.Updated, 0).UTC().Format(time.RFC3339)
		}
		records = append(records, newest{m.ID, text.Line(m.Kind), text.Line(m.Title), standingOf(m.Status, m.Stage),
			when})
	}
	c.printJSON(members{
		{"project", project}, {"task", t.words}, {"open", t.open},
		{"progress", members{{"done", t.done}, {"open", t.left}}},
		{"blocker", t.blocker}, {"records", records}, {"kinds", numbers(sortedKinds(o.Kinds), o.Kinds)},
		{"statuses", whole(o.Statuses)},
		{"indexed", o.Indexed}, {"healed", o.Healed}, {"rebuilt", rebuilt}, {"problems", unreadables(o.Problems)},
	})
}

// whole returns n as JSON is to show it: {} for no numbers, not null.
func whole(n map[string]int) map[string]int {
	if n == nil {
		return map[string]int{}
	}
	return n
}
