package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/exchange"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/safefile"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

type importFlags struct {
	project    string
	apply, yes bool
}

func importCommand() command {
	var f importFlags
	return command{
		name: "import", args: "PATH", most: 1, short: "bring records in from other layouts, or from an export",
		long: `It says what each file at PATH would become; only --apply writes. It overwrites nothing, changes no file at PATH, and
lists what it cannot read, with the reason. Your own records speak in every project: from Claude they need --yes.

PATH is a file, a folder of one layout, a project, or a folder shaped like ~/.claude. memento knows:

  PROJECT--SLUG.md and .completed/: an export, or another tool's named snapshots
  decisions/ analysis/ context/ progress/ subagent/ of Markdown, user/, workspace.md
  sessions/ decisions/ runbooks/ constraints/ tech-debt/ preferences/ context/ handoffs/ of JSON
  a user's journal of an earlier memento, and what memento export --format json wrote

  memento import .claude/memory --apply
  memento import backup.json --project myapp
`,
		flags: func(fs *flag.FlagSet) {
			nameFlag(fs, &f.project, "project", "the project with this `NAME`, whatever the records say")
			fs.BoolVar(&f.apply, "apply", false, "write the records")
			fs.BoolVar(&f.yes, "yes", false, "with --apply: also records that speak in every project")
		},
		run: func(c *call) error { return runImport(c, f) },
	}
}

func runImport(c *call, f importFlags) error {
	if strings.TrimSpace(strings.Join(c.args, "")) == "" { // a script's unset variable does not mean this folder
		return usage("memento import ~/.claude", "takes the path to import from, got none")
	}
	if f.project != "" {
		if _, err := recordProject(project.Workspace{}, f.project); err != nil {
			return err
		}
	}
	s, err := c.shelf()
	if err == nil && f.apply {
		s, err = c.openShelf(true)
	}
	if err != nil {
		return err
	}
	at := c.absolute(c.args[0])
	around := projectAround(c, at)
	found, err := readLayouts(c, at, s, f, around)
	if err != nil {
		return err
	}
	items, err := exchange.Plan(s.store, found.Drafts)
	if err != nil {
		return hinted("memento doctor; nothing was written", "%w", err)
	}
	refuseEverywhere(c.by, f, items)
	wrote, failed := -1, error(nil)
	if f.apply {
		if _, err := c.noteProject(around); err != nil {
			return hinted("try it again", "nothing was written: %w", err)
		}
		wrote, failed = exchange.Apply(s.store, items, c.progress("import"))
	}
	printImported(c.output, found, items, at, wrote)
	taken := func(it exchange.Item) bool { return it.Outcome != exchange.Refused }
	if failed == nil && !slices.ContainsFunc(items, taken) {
		return hinted("the list says of each file why", "nothing at %s could be taken", at)
	}
	return failed
}

// projectAround returns the project of the folder that has the .claude in the path at, or that is at and has one; none
// for another path.
func projectAround(c *call, at string) project.Project {
	root := at
	if i := strings.LastIndex(filepath.ToSlash(at)+"/", "/.claude/"); i > 0 {
		root = at[:i]
	} else if _, err := os.Lstat(filepath.Join(at, ".claude")); err != nil {
		return project.Project{}
	}
	return c.locate(root)
}

// readLayouts reads the records at a path, and gives their projects the names that these have here. Those that name
// none are of the project around, or of the session's.
func readLayouts(c *call, at string, s *shelf, f importFlags, around project.Project) (*exchange.Found, error) {
	name := s.project
	if slug := c.workspace().Slug(around); slug != "" {
		name = slug
	}
	found, err := exchange.Read(at, exchange.Options{Project: cmp.Or(f.project, name), Own: c.config.Dir, Now: c.Now()})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, hinted("memento help import", "there is nothing at %s", at)
	case errors.Is(err, safefile.ErrRefused):
		return nil, hinted("name the folder or the file itself", "%w", err)
	case err != nil:
		return nil, err
	}
	for i := range found.Drafts {
		r := &found.Drafts[i].Record
		r.Project = c.workspace().CurrentName(r.Project)
		if kind, _ := schema.Named(r.Kind); f.project != "" && !kind.Personal {
			r.Project = f.project
		}
	}
	return found, nil
}

// refuseEverywhere refuses new records of the user's own, which speak in every project: from Claude without --yes, and
// with --project always.
func refuseEverywhere(by string, f importFlags, items []exchange.Item) {
	why := ""
	switch {
	case f.project != "" && f.project != naming.User:
		why = "it would speak in every project: without --project it can be brought in"
	case f.apply && !f.yes && by == journal.ByClaude:
		why = "it would speak in every project: --yes brings it in"
	}
	for i := range items {
		if it := &items[i]; why != "" && it.Outcome == exchange.New && it.Ready.Project == naming.User {
			it.Outcome, it.Why = exchange.Refused, why
		}
	}
}

// printImported prints the outcome for each file. wrote is the number of records written, -1 without --apply.
func printImported(o *output, found *exchange.Found, items []exchange.Item, at string, wrote int) {
	row := func(name, format string, args ...any) { o.row(name, "%s", text.Line(fmt.Sprintf(format, args...))) }
	row("import", "%s", at)
	counts := map[string]int{}
	for _, it := range items {
		counts[it.Outcome]++
		r, title := it.Record, it.Record.Title
		if it.Ready != nil {
			title = it.Ready.Title
		}
		switch status := ""; it.Outcome {
		case exchange.New:
			if r.Status != schema.Active {
				status = " (" + r.Status + ")"
			}
			row(it.Outcome, "%s · %s · %s%s <- %s", r.Kind, title, it.ID, status, it.From)
			if it.Ready != nil && it.Ready.Secrets != nil {
				secrets := slices.Compact(slices.Sorted(slices.Values(it.Ready.Secrets)))
				row("", "  left out as secrets: %s", strings.Join(secrets, ", "))
			}
		case exchange.Differs:
			row(it.Outcome, "%s · %s · %s is there already, and stays <- %s: %s", r.Kind, title, it.ID, it.From, it.Why)
		case exchange.Refused:
			row(it.Outcome, "%s: %s", it.From, it.Why)
		}
	}
	for _, l := range found.Unread {
		row("unread", "%s: %s", l.Path, l.Why)
	}
	n, verb := counts[exchange.New], "would be written"
	if wrote >= 0 {
		n, verb = wrote, "written"
	}
	fmt.Fprintf(o.Out, "\n%d %s, %d there already, %d there and different, %d refused, %d unread.\n", n, verb,
		counts[exchange.There], counts[exchange.Differs], counts[exchange.Refused], len(found.Unread))
	if wrote < 0 && n > 0 {
		fmt.Fprintln(o.Out, "Nothing is written yet: the same with --apply does it.")
	}
}
