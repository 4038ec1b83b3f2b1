package cli

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/schema"
	"github.com/mementohq/memento/internal/text"
)

// isGone is the reason that an archived record of an orphan gets.
const isGone = "its project is gone"

// orphanFlags say what to do with orphans without asking: at most one of archive, delete and keep.
type orphanFlags struct{ orphans, archive, remove, keep bool }

func (f *orphanFlags) define(fs *flag.FlagSet) {
	fs.BoolVar(&f.orphans, "orphans", false, "records whose project is gone")
	fs.BoolVar(&f.archive, "archive", false, "with --orphans: archive them, without asking")
	fs.BoolVar(&f.remove, "delete", false, "with --orphans: delete them for good, without asking")
	fs.BoolVar(&f.keep, "keep", false, "with --orphans: keep them, and do not list them again")
}

// choice returns the flags' choice for each orphan: archived, deleted, kept or "". Errors: *usageError for two of
// them.
func (f *orphanFlags) choice() (done string, err error) {
	for _, one := range [...]struct {
		given bool
		done  string
	}{{f.archive, "archived"}, {f.remove, "deleted"}, {f.keep, "kept"}} {
		if one.given && done != "" {
			return "", usage("memento help gc", "--archive, --delete and --keep exclude each other")
		}
		if one.given {
			done = one.done
		}
	}
	return done, nil
}

// orphan is a project that is gone, and its records.
type orphan struct {
	project string // as its records name it
	slug    string // as workspace.json names it; the same where workspace.json does not know it
	why     string
	records []*record.Record
	broken  []string       // ids of files that cannot be read
	kinds   map[string]int // of those in use
	unseen  bool           // memento knows no folder of it; it may have one
	done    string         // archived, deleted, kept, or ""
	failed  error
}

func (o orphan) inUse() (n int) {
	for _, k := range o.kinds {
		n += k
	}
	return n + len(o.broken)
}

// runOrphans lists the records whose project is gone, and does with them what the flags, or a person asked, choose.
func (f *gcFlags) runOrphans(c *call) error {
	chosen, err := f.orphans.choice()
	if err != nil {
		return err
	}
	if chosen == "deleted" && !f.dry {
		if err := c.mayDestroy(f.yes,
			"add --yes if it is meant; --dry-run only lists what would go, --archive can be undone"); err != nil {
			return err
		}
	}
	at, err := c.writing(chosen != "" && !f.dry)
	if err != nil {
		return err
	}
	all, err := c.orphans(at)
	if err != nil {
		return err
	}
	in := bufio.NewReader(c.In)
	ask := c.Terminal && !c.json && chosen == "" && !f.dry
	failed := false
	for i := range all {
		o := &all[i]
		if !c.json {
			c.describeOrphan(*o)
		}
		o.done = chosen
		if ask {
			o.done = c.askOrphan(in)
		}
		if f.orphans.remove && o.unseen && !slices.Contains(c.args, o.project) {
			o.done = ""
			const why = "its folder may be there, and not be known: memento gc --orphans --delete "
			o.failed = fmt.Errorf("%s%s deletes its records", why, o.project)
		}
		if o.done != "" && !f.dry {
			o.failed = c.settle(at, *o)
		}
		failed = failed || o.failed != nil
		if !c.json {
			c.printSettled(*o, f.dry)
		}
	}
	switch {
	case c.json:
		c.orphansJSON(all, f.dry)
	case len(all) == 0:
		fmt.Fprintln(c.Out, "No record's project is gone.")
	case chosen == "" && !ask:
		fmt.Fprintln(c.Out, `
Nothing was done. memento gc --orphans [PROJECT...] with --archive archives their records, --keep keeps them
and lists them no more, --delete deletes them for good: a folder on a disk that is not mounted looks gone.`)
	}
	if failed {
		return errSilent
	}
	return nil
}

// printSettled says what became of an orphan, or would become of it.
func (c *call) printSettled(o orphan, dry bool) {
	switch {
	case o.failed != nil:
		fmt.Fprintf(c.Err, "memento: %s: %s\n", text.Line(o.project), text.Line(o.failed.Error()))
	case o.done == "":
	case dry:
		fmt.Fprintf(c.Out, "  would be %s\n", o.done)
	default:
		fmt.Fprintf(c.Out, "  %s\n", o.done)
	}
}

// orphans finds the records whose project is gone. A project whose records are all archived or retired counts only if
// it is named.
func (c *call) orphans(at *shelf) (out []orphan, err error) {
	w := c.workspace()
	if w.Err != nil {
		return nil, fmt.Errorf("gc: %w", w.Err)
	}
	counts, err := at.store.Projects()
	if err != nil {
		return nil, fmt.Errorf("gc: %w", err)
	}
	for _, name := range c.args {
		if counts[name] == 0 || name == naming.User {
			return nil, c.unknownProject(w, name)
		}
	}
	home, kept := c.home(), w.Kept()
	known := map[string]project.Known{}
	for _, k := range w.Known {
		for _, was := range k.Called() {
			known[naming.Project(was)] = k
		}
	}
	for _, k := range w.Known {
		known[naming.Project(k.Slug)] = k
	}
	worked := map[string]string{}
	for slug, root := range w.Worked(home) {
		worked[naming.Project(slug)] = root
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		named := slices.Contains(c.args, name)
		k, seen := known[name]
		o := orphan{project: name, slug: cmp.Or(k.Slug, name), kinds: map[string]int{}, unseen: !seen}
		if name == naming.User || name == at.project || !named && (len(c.args) > 0 || slices.Contains(kept, o.slug)) {
			continue
		}
		root := worked[name]
		if root == "" && w.Stands(k, home) {
			root = k.Roots[0]
		}
		switch {
		case root != "" && named:
			return nil, hinted("memento archive archives single records; memento workspace show "+name,
				"%s is not gone: %s", name, root)
		case root != "":
			continue
		case !seen:
			o.why = "no session was seen in a project of this name"
		case len(k.Roots) == 0:
			o.why = "no folder of it is known"
		case len(k.Roots) == 1:
			o.why = "its folder is gone: " + k.Roots[0]
		default:
			o.why = fmt.Sprintf("its %d folders are gone, the last one %s", len(k.Roots), k.Roots[0])
		}
		list, problems, err := at.store.List(record.Filter{Project: name, Status: schema.Statuses()})
		if err != nil {
			return nil, fmt.Errorf("gc: %w", err)
		}
		o.records = list
		for _, r := range list {
			if r.Status == schema.Active || r.Status == schema.Completed {
				o.kinds[r.Kind]++
			}
		}
		for _, p := range problems {
			name := p.Path[strings.LastIndexAny(p.Path, `/\`)+1:]
			o.broken = append(o.broken, strings.TrimSuffix(name, naming.Ending))
		}
		if named || o.inUse() > 0 {
			out = append(out, o)
		}
	}
	return out, nil
}

// describeOrphan prints an orphan's name, the numbers of its records, and why it counts as an orphan.
func (c *call) describeOrphan(o orphan) {
	var kinds []string
	for _, name := range slices.Sorted(maps.Keys(o.kinds)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", o.kinds[name], text.Line(name)))
	}
	if len(o.broken) > 0 {
		kinds = append(kinds, fmt.Sprintf("%d that cannot be read", len(o.broken)))
	}
	if rest := len(o.records) + len(o.broken) - o.inUse(); rest > 0 {
		kinds = append(kinds, fmt.Sprintf("%d archived or retired", rest))
	}
	fmt.Fprintf(c.Out, "%s: %s (%s); %s\n", text.Line(o.project), count(len(o.records)+len(o.broken), "record"),
		strings.Join(kinds, ", "), text.Line(o.why))
}

// askOrphan asks a person what to do with an orphan. Anything but a clear answer leaves the orphan as it is.
func (c *call) askOrphan(in *bufio.Reader) string {
	fmt.Fprint(c.Err, "  [a]rchive, [k]eep, [d]elete for good (a folder on a disk that is not mounted looks gone), "+
		"or Enter for later? ")
	answer, _ := in.ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "a", "archive":
		return "archived"
	case "k", "keep":
		return "kept"
	case "d", "delete":
		return "deleted"
	}
	return ""
}

// settle does with an orphan what o.done says. It goes on after an error, and returns the first one.
func (c *call) settle(at *shelf, o orphan) (failed error) {
	if o.done == "kept" {
		return project.Keep(c.config.Dir, o.slug, c.Now(), wait)
	}
	try := func(err error) {
		if err != nil && !errors.Is(err, record.ErrNotFound) && failed == nil {
			failed = err
		}
	}
	for _, r := range o.records {
		switch {
		case o.done == "deleted":
			try(at.store.Remove(r.ID))
		case r.Status == schema.Active, r.Status == schema.Completed:
			_, err := at.store.Move(r.ID, "archive", r.Hash(), isGone)
			try(err)
		}
	}
	for _, id := range o.broken {
		if o.done == "deleted" {
			try(at.store.Remove(id))
		} else {
			try(fmt.Errorf("%s cannot be read, and stays where it is", id))
		}
	}
	return failed
}

func (c *call) orphansJSON(all []orphan, dry bool) {
	out := []members{}
	for _, o := range all {
		ids := slices.Clone(o.broken)
		for _, r := range o.records {
			ids = append(ids, r.ID)
		}
		slices.Sort(ids)
		out = append(out, members{
			{"project", o.project}, {"why", o.why}, {"records", array(ids)}, {"kinds", o.kinds}, {"done", o.done},
		})
		if o.failed != nil {
			out[len(out)-1] = append(out[len(out)-1], member{"error", o.failed.Error()})
		}
	}
	c.printJSON(members{{"dry_run", dry}, {"orphans", out}})
}
