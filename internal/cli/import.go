package cli

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/exchange"
	"github.com/mementohq/memento/internal/journal"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/retrieve"
	"github.com/mementohq/memento/internal/safefile"
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
		long: `Says what each file at PATH would become, and writes nothing until --apply is there. Nothing is
overwritten, no file at PATH is changed, no link followed; doing it twice changes nothing. What
cannot be read is listed, with the reason. With --project everything stays in that project. What is to
be your own, and so speaks in every project, is asked about at a terminal, and from Claude needs --yes.

PATH is a file, a folder of one layout, a project, or a folder shaped like ~/.claude. LAYOUT is
told by what is there, unless --from says it:

  markdown    PROJECT--SLUG.md and .completed: an export, or another tool's named snapshots
  folders     decisions/ analysis/ context/ progress/ subagent/ of Markdown, user/, workspace.md
  categories  sessions/ decisions/ runbooks/ constraints/ tech-debt/ preferences/ of JSON
  envelopes   context/ and handoffs/ of JSON
  journal     a user's journal of an earlier memento
  json        what memento export --format json wrote

  memento import ~/.claude                       what there is
  memento import .claude/memory --apply          bring it in
  memento import backup.json --project myapp

Exit code 0: what could be read was taken, or would be; the rest is in the list (in --json:
unread, refused, differs). 1: nothing at PATH could be taken, or a write failed; what was written
until then stays, and doing it again goes on.
`,
		flags: func(fs *flag.FlagSet, c *call) {
			fs.BoolVar(&c.json, "json", false, "print JSON")
			nameFlag(fs, &f.from, "from", "read only this `LAYOUT`: "+strings.Join(exchange.Layouts(), ", "))
			nameFlag(fs, &f.project, "project", "the project that the records belong to, whatever they say: `NAME`")
			fs.BoolVar(&f.apply, "apply", false, "do it")
			fs.BoolVar(&f.yes, "yes", false, "with --apply: do not ask about what speaks in every project")
			fs.BoolVar(&f.dry, "dry-run", false, "only say what would be done (what it does without --apply)")
		},
		run: func(c *call) error { return runImport(c, f) },
	}
}

func runImport(c *call, f importFlags) error {
	switch {
	case len(c.args) == 0, strings.TrimSpace(c.args[0]) == "": // a script whose variable is unset does not mean this folder
		return &usageError{what: "import: takes the path to import from, got none", hint: "memento import ~/.claude"}
	case len(c.args) > 1:
		return &usageError{what: fmt.Sprintf("import: takes one path, got %q as well", c.args[1]), hint: "memento help import"}
	case f.apply && f.dry:
		return &usageError{what: "import: --apply writes, --dry-run does not", hint: "leave one of them out"}
	case f.from != "" && !slices.Contains(exchange.Layouts(), f.from):
		return &usageError{what: fmt.Sprintf("import: there is no layout %q", f.from), hint: oneOf(f.from, exchange.Layouts())}
	}
	if f.project != "" {
		if err := record.CheckProject(f.project); err != nil && f.project != record.User {
			return &usageError{what: "import: --project: " + err.Error(), hint: "memento help import"}
		}
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
	known := c.folders()
	found, err := exchange.Read(at, c.importOptions(s, f, known))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &hintError{err: fmt.Errorf("import: there is nothing at %s", at), hint: "memento help import"}
	case errors.Is(err, exchange.ErrNothing):
		return &hintError{err: fmt.Errorf("import: %w", err), hint: "memento help import lists the layouts; --from forces one"}
	case errors.Is(err, safefile.ErrRefused):
		return &hintError{err: fmt.Errorf("import: %w", err), hint: "name the folder or the file itself"}
	case err != nil:
		return err
	}
	if f.project != "" {
		if err := oneProject(found.Drafts, f.project); err != nil {
			return err
		}
	}
	for i := range found.Drafts { // a project that was renamed since goes by its present name
		r := &found.Drafts[i].Record
		r.Project = s.store.Called(r.Project)
	}
	items, err := exchange.Plan(s.store, found.Drafts, retrieve.Rules(c.config))
	if err != nil {
		return &hintError{err: fmt.Errorf("import: %w", err), hint: "memento doctor; nothing was written"}
	}
	c.everywhere(s, f, items)
	wrote, failed := -1, error(nil)
	if f.apply {
		if err := c.note(known, items); err != nil {
			return &hintError{err: fmt.Errorf("import: nothing was written: %w", err), hint: "try it again"}
		}
		wrote, failed = exchange.Apply(s.store, items, c.progress("import"))
	}
	c.imported(found, items, at, wrote)
	switch {
	case failed != nil:
		return recordError(fmt.Errorf("import: %w", failed))
	case len(found.Settings) == 0 && len(items)+len(found.Unread) > 0 && !slices.ContainsFunc(items, func(it exchange.Item) bool { return it.Outcome != exchange.Refused }):
		return &hintError{err: fmt.Errorf("import: nothing at %s could be taken", at), hint: "the list says of each file why"}
	}
	return nil
}

// importOptions say what projects are called here.
func (c *call) importOptions(s *shelf, f importFlags, known folders) exchange.Options {
	known.of(c.Dir)
	o := exchange.Options{From: f.from, Project: s.project, Own: c.config.Dir, Now: c.Now()}
	if f.project != "" {
		o.Project = f.project
	}
	o.Of, o.Name = known.of, known.called
	return o
}

// projectCalled returns the slug of the project that another tool called key, and that stood at root: of one that memento knows
// by its root, or by its name alone when no other has that name; else key, which nobody knows.
func projectCalled(w project.Workspace, key, root string) (name string, known bool) {
	plain := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "_", "-") }
	var named []string
	for _, k := range w.Known {
		slug := record.Project(k.Slug)
		if slug == key || root != "" && slices.Contains(k.Roots, filepath.Clean(root)) {
			return slug, true
		}
		if plain(slug) == plain(key) || slices.ContainsFunc(k.Roots, func(r string) bool { return plain(filepath.Base(r)) == plain(key) }) {
			named = append(named, slug)
		}
	}
	if len(named) == 1 {
		return named[0], true
	}
	return key, false
}

// everywhere refuses what would speak in every project, unless somebody wants that: with --project what is of no project,
// else what a person, asked here or by the client, does not agree to.
func (c *call) everywhere(s *shelf, f importFlags, items []exchange.Item) {
	why, titles := "", []string(nil)
	var own []*exchange.Item
	for i := range items {
		if it := &items[i]; it.Outcome == exchange.New && it.Ready.Project == record.User {
			own, titles = append(own, it), append(titles, text.Quote(it.Ready.Title))
		}
	}
	switch {
	case len(own) == 0:
	case f.project != "" && f.project != record.User:
		why = "it would speak in every project: without --project it can be brought in"
	case !f.apply || f.yes:
	case c.Terminal && !c.json:
		names := strings.Join(titles[:min(len(titles), 5)], ", ")
		if len(titles) > 5 {
			names += ", …"
		}
		if !c.agreed(bufio.NewReader(c.In), fmt.Sprintf("%s would speak in every project (%s). Bring that in, too?", count(len(own), "record"), names)) {
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

// oneProject gives all drafts to the project called name, but those of kinds that are of no project. Errors: a usageError when they
// are of several projects.
func oneProject(drafts []exchange.Draft, name string) error {
	var all []string
	for _, d := range drafts {
		if p := d.Record.Project; p != record.User && !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	if len(all) > 1 {
		slices.Sort(all)
		return &usageError{what: fmt.Sprintf("import: --project %s, and there are records of %d projects: %s", name, len(all), text.Line(strings.Join(all, ", "))), hint: "import the folder of one at a time"}
	}
	for i := range drafts {
		r := &drafts[i].Record
		if kind, _ := record.KindNamed(r.Kind); !kind.Personal {
			r.Project = name
		}
	}
	return nil
}

// imported tells what became of each file. wrote is how many were written, -1 when nothing was to be.
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
	row := func(name, format string, args ...any) {
		fmt.Fprintf(c.Out, "%-9s%s\n", name, text.Line(fmt.Sprintf(format, args...)))
	}
	for _, it := range items {
		r := it.Record
		switch it.Outcome {
		case exchange.New:
			status := ""
			if it.Ready.Status != record.Active {
				status = " (" + it.Ready.Status + ")"
			}
			row(it.Outcome, "%s · %s · %s%s <- %s", r.Kind, it.Ready.Title, it.ID, status, it.From)
		case exchange.Differs:
			row(it.Outcome, "%s · %s · %s is there already, and stays: %s <- %s", r.Kind, r.Title, it.ID, it.Why, it.From)
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
	for _, l := range found.Derived {
		row("skipped", "%s: %s", l.Path, l.Why)
	}
	for _, l := range found.Settings {
		row("setting", "%s: %s", l.Path, l.Why)
	}
	n, verb := counts[exchange.New], "would be written"
	if wrote >= 0 {
		n, verb = wrote, "written"
	}
	fmt.Fprintf(c.Out, "\n%d %s, %d there already, %d there and different, %d refused, %d unread.\n", n, verb, counts[exchange.There], counts[exchange.Differs], counts[exchange.Refused], len(found.Unread))
	if wrote < 0 && n > 0 {
		fmt.Fprintln(c.Out, "Nothing is written yet: the same with --apply does it.")
	}
}

func (c *call) importedJSON(found *exchange.Found, items []exchange.Item, at string, wrote int, counts map[string]int) {
	type left struct {
		Path string `json:"path"`
		Why  string `json:"why"`
	}
	type item struct {
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
	lefts := func(in []exchange.Left) []left {
		out := []left{}
		for _, l := range in {
			out = append(out, left{l.Path, l.Why})
		}
		return out
	}
	records := []item{}
	for _, it := range items {
		one := item{From: it.From, Layout: it.Layout, Outcome: it.Outcome, ID: it.ID, Kind: it.Record.Kind, Title: it.Record.Title, Project: it.Record.Project, Status: it.Record.Status, Why: it.Why, Notes: it.Notes}
		if it.Ready != nil {
			one.Title, one.Secrets = it.Ready.Title, unique(it.Ready.Secrets)
		}
		records = append(records, one)
	}
	counts["unread"] = len(found.Unread)
	counts["written"] = max(wrote, 0)
	c.printJSON(struct {
		Path    string         `json:"path"`
		Applied bool           `json:"applied"`
		Layouts []string       `json:"layouts"`
		Counts  map[string]int `json:"counts"`
		Records []item         `json:"records"`
		Unread  []left         `json:"unread"`
		Skipped []left         `json:"skipped"`
		Setting []left         `json:"settings"`
	}{at, wrote >= 0, append([]string{}, found.Layouts...), counts, records, lefts(found.Unread), lefts(found.Derived), lefts(found.Settings)})
}

func unique(list []string) []string {
	out := slices.Clone(list)
	slices.Sort(out)
	return slices.Compact(out)
}
