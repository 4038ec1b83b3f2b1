package cli

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/exchange"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

type importFlags struct {
	from, project string
	apply, dry    bool
	yes           bool
}

func importCommand() command {
	var f importFlags
	return command{
		name: "import", args: "PATH", short: "bring records in from other layouts, or from an export",
		long: `It says what each file at PATH would become; only --apply writes. It overwrites nothing, changes no file
at PATH and follows no link; a second run changes nothing. It lists what it cannot read, with the reason.
With --project everything stays in that project. Your own records speak in every project: at a terminal
it asks about them, from Claude they need --yes.

PATH is a file, a folder of one layout, a project, or a folder shaped like ~/.claude. memento recognises
the LAYOUT, unless --from names it:

  markdown    PROJECT--SLUG.md and .completed: an export, or another tool's named snapshots
  folders     decisions/ analysis/ context/ progress/ subagent/ of Markdown, user/, workspace.md
  categories  sessions/ decisions/ runbooks/ constraints/ tech-debt/ preferences/ of JSON
  envelopes   context/ and handoffs/ of JSON
  journal     a user's journal of an earlier memento
  json        what memento export --format json wrote

  memento import ~/.claude                       what there is
  memento import .claude/memory --apply          bring it in
  memento import backup.json --project myapp

Exit code 0: it took what it could read, or would take it; the rest is in the list (in --json: unread,
refused, differs). 1: it could take nothing at PATH, or a write failed; what it wrote stays, and a second
run goes on.
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&c.json, "json", false, "print JSON")
			nameFlag(fs, &f.from, "from", "read only this `LAYOUT`: "+strings.Join(exchange.Layouts(), ", "))
			nameFlag(fs, &f.project, "project", "the project that the records belong to, whatever they say: `NAME`")
			fs.BoolVar(&f.apply, "apply", false, "write the records")
			fs.BoolVar(&f.yes, "yes", false, "with --apply: do not ask about records that speak in every project")
			fs.BoolVar(&f.dry, "dry-run", false, "only say what it would do (the default)")
		},
		run: func(c *call) error { return runImport(c, f) },
	}
}

// check returns a *usageError for a wrong call.
func (f importFlags) check(args []string) error {
	switch {
	case len(args) == 0, strings.TrimSpace(args[0]) == "": // a script's unset variable does not mean this folder
		return usage("memento import ~/.claude", "import: takes the path to import from, got none")
	case len(args) > 1:
		return usage("memento help import", "import: takes one path, got %q as well", args[1])
	case f.apply && f.dry:
		return usage("leave one of them out", "import: --apply writes, --dry-run does not")
	case f.from != "" && !slices.Contains(exchange.Layouts(), f.from):
		return usage(oneOf(f.from, exchange.Layouts()), "import: there is no layout %q", f.from)
	case f.project == "", f.project == naming.User:
		return nil
	}
	if err := naming.CheckProject(f.project); err != nil {
		return usage("memento help import", "import: --project: %s", err.Error())
	}
	return nil
}

func runImport(c *call, f importFlags) error {
	if err := f.check(c.args); err != nil {
		return err
	}
	s, err := c.shelf()
	if err != nil {
		return err
	}
	if f.apply && s.by == journal.ByClaude {
		if err := c.notPaused(); err != nil {
			return err
		}
	}
	at := c.absolute(c.args[0])
	reach := &exchange.Reach{Workspace: c.workspace(), Home: c.home()}
	found, err := c.readLayouts(at, s, f, reach)
	if err != nil {
		return err
	}
	items, err := exchange.Plan(s.store, found.Drafts, retrieve.Rules(c.config))
	if err != nil {
		return hinted("memento doctor; nothing was written", "import: %w", err)
	}
	c.everywhere(s, f, items)
	wrote, failed := -1, error(nil)
	if f.apply {
		for _, p := range reach.Folders(items) {
			if _, err := c.noteProject(p); err != nil {
				return hinted("try it again", "import: nothing was written: %w", err)
			}
		}
		wrote, failed = exchange.Apply(s.store, items, c.progress("import"))
	}
	c.imported(found, items, at, wrote)
	taken := func(it exchange.Item) bool { return it.Outcome != exchange.Refused }
	switch {
	case failed != nil:
		return recordError(fmt.Errorf("import: %w", failed))
	case len(items)+len(found.Unread) > 0 && !slices.ContainsFunc(items, taken):
		return hinted("the list says of each file why", "import: nothing at %s could be taken", at)
	}
	return nil
}

// readLayouts reads the records at a path, and gives their projects the names that these have here.
func (c *call) readLayouts(at string, s *shelf, f importFlags, reach *exchange.Reach) (*exchange.Found, error) {
	reach.ProjectAt(c.Dir)
	found, err := exchange.Read(at, exchange.Options{
		From: f.from, Project: cmp.Or(f.project, s.project), Own: c.config.Dir, Now: c.Now(),
		Reach: reach,
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, hinted("memento help import", "import: there is nothing at %s", at)
	case errors.Is(err, exchange.ErrNothing):
		return nil, hinted("memento help import lists the layouts; --from forces one", "import: %w", err)
	case errors.Is(err, safefile.ErrRefused):
		return nil, hinted("name the folder or the file itself", "import: %w", err)
	case err != nil:
		return nil, err
	}
	if f.project != "" {
		if all := exchange.ProjectsOf(found.Drafts); len(all) > 1 {
			return nil, usage("import the folder of one at a time",
				"import: --project %s, and there are records of %d projects: %s",
				f.project, len(all), text.Line(strings.Join(all, ", ")))
		}
		exchange.AssignProject(found.Drafts, f.project)
	}
	known := project.OpenWorkspace(c.config.Dir)
	for i := range found.Drafts { // a renamed project goes by its present name
		r := &found.Drafts[i].Record
		r.Project = known.CurrentName(r.Project)
	}
	return found, nil
}

// everywhere refuses new records of the user's own, which speak in every project. It lets them in with --yes, or when
// a person here agrees; with --project it refuses them always.
func (c *call) everywhere(s *shelf, f importFlags, items []exchange.Item) {
	why, titles := "", []string(nil)
	var own []*exchange.Item
	for i := range items {
		if it := &items[i]; it.Outcome == exchange.New && it.Ready.Project == naming.User {
			own, titles = append(own, it), append(titles, text.Quote(it.Ready.Title))
		}
	}
	switch {
	case len(own) == 0:
	case f.project != "" && f.project != naming.User:
		why = "it would speak in every project: without --project it can be brought in"
	case !f.apply || f.yes:
	case c.Terminal && !c.json:
		names := strings.Join(titles[:min(len(titles), 5)], ", ")
		if len(titles) > 5 {
			names += ", …"
		}
		if !c.agreed(bufio.NewReader(c.In), fmt.Sprintf("%s would speak in every project (%s). Bring that in, too?",
			count(len(own), "record"), names)) {
			why = "it would speak in every project"
		}
	case s.by == journal.ByClaude:
		why = "it would speak in every project: --yes brings it in"
	}
	for _, it := range own {
		if why != "" {
			it.Outcome, it.Why = exchange.Refused, why
		}
	}
}

// imported prints the outcome for each file. wrote is the number of records written, -1 without --apply.
func (c *call) imported(found *exchange.Found, items []exchange.Item, at string, wrote int) {
	counts := map[string]int{exchange.New: 0, exchange.There: 0, exchange.Differs: 0, exchange.Refused: 0}
	for _, it := range items {
		counts[it.Outcome]++
	}
	if c.json {
		c.importedJSON(found, items, at, wrote, counts)
		return
	}
	layouts := "of no layout that memento knows"
	if len(found.Layouts) > 0 {
		layouts = "[" + strings.Join(found.Layouts, ", ") + "]"
	}
	fmt.Fprintf(c.Out, "import   %s  %s\n", text.Line(at), layouts)
	row := func(name, format string, args ...any) { c.row(name, "%s", text.Line(fmt.Sprintf(format, args...))) }
	for _, it := range items {
		r := it.Record
		switch it.Outcome {
		case exchange.New:
			status := ""
			if it.Ready.Status != schema.Active {
				status = " (" + it.Ready.Status + ")"
			}
			row(it.Outcome, "%s · %s · %s%s <- %s", r.Kind, it.Ready.Title, it.ID, status, it.From)
		case exchange.Differs:
			row(it.Outcome, "%s · %s · %s is there already, and stays: %s <- %s", r.Kind, r.Title, it.ID, it.Why,
				it.From)
		case exchange.Refused:
			row(it.Outcome, "%s: %s", it.From, it.Why)
		}
		if it.Outcome == exchange.There {
			continue
		}
		for _, n := range it.Notes {
			row("", "  %s", n)
		}
		if it.Ready != nil && len(it.Ready.Secrets) > 0 {
			row("", "  left out as secrets: %s", strings.Join(unique(it.Ready.Secrets), ", "))
		}
	}
	for _, l := range found.Unread {
		row("unread", "%s: %s", l.Path, l.Why)
	}
	for _, l := range found.Skipped {
		row("skipped", "%s: %s", l.Path, l.Why)
	}
	n, verb := counts[exchange.New], "would be written"
	if wrote >= 0 {
		n, verb = wrote, "written"
	}
	fmt.Fprintf(c.Out, "\n%d %s, %d there already, %d there and different, %d refused, %d unread.\n", n, verb,
		counts[exchange.There], counts[exchange.Differs], counts[exchange.Refused], len(found.Unread))
	if wrote < 0 && n > 0 {
		fmt.Fprintln(c.Out, "Nothing is written yet: the same with --apply does it.")
	}
}

// brought is what an import did with one file, in a JSON answer.
type brought struct {
	From    string   `json:"from"`
	Layout  string   `json:"layout"`
	Outcome string   `json:"outcome"`
	ID      string   `json:"id,omitempty"`
	Kind    string   `json:"kind,omitempty"`
	Title   string   `json:"title,omitempty"`
	Project string   `json:"project,omitempty"`
	Status  string   `json:"status,omitempty"`
	Why     string   `json:"why,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	Secrets []string `json:"secrets,omitempty"`
}

func (c *call) importedJSON(found *exchange.Found, items []exchange.Item, at string, wrote int, counts map[string]int) {
	records := []brought{}
	for _, it := range items {
		r := it.Record
		one := brought{From: it.From, Layout: it.Layout, Outcome: it.Outcome, ID: it.ID, Kind: r.Kind, Title: r.Title,
			Project: r.Project, Status: r.Status, Why: it.Why, Notes: it.Notes}
		if it.Ready != nil {
			one.Title, one.Secrets = it.Ready.Title, unique(it.Ready.Secrets)
		}
		records = append(records, one)
	}
	counts["unread"] = len(found.Unread)
	counts["written"] = max(wrote, 0)
	c.printJSON(members{
		{"path", at}, {"applied", wrote >= 0}, {"layouts", array(found.Layouts)}, {"counts", counts},
		{"records", records},
		{"unread", array(found.Unread)}, {"skipped", array(found.Skipped)},
		{"settings", []string{}}, // always empty, for scripts that read it
	})
}

func unique(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}
