package cli

import (
	"bufio"
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

// isGone is why the records of an orphan are archived.
const isGone = "its project is gone"

type cleanFlags struct{ orphans, archive, delete, keep, dry, yes bool }

// cleanCommand is the old name of gc --orphans.
func cleanCommand() command {
	f := &cleanFlags{}
	return command{
		name: "clean", args: "--orphans [PROJECT...]", old: true,
		short: "find records whose project is gone: gc --orphans",
		long: `  memento clean --orphans
  memento clean --orphans --archive oldshop
`,
		flags: func(fs *flag.FlagSet, c *call) {
			f.define(fs)
			fs.BoolVar(&f.yes, "yes", false, "with --delete, where nobody can be asked")
			fs.BoolVar(&f.dry, "dry-run", false, "only list what would be done")
			fs.BoolVar(&c.json, "json", false, "print JSON")
		},
		run: func(c *call) error { return runClean(c, *f) },
	}
}

// define defines the flags that are about orphans alone.
func (f *cleanFlags) define(fs *flag.FlagSet) {
	fs.BoolVar(&f.orphans, "orphans", false, "records whose project is gone")
	fs.BoolVar(&f.archive, "archive", false, "with --orphans: archive them, without asking")
	fs.BoolVar(&f.delete, "delete", false, "with --orphans: delete them for good, without asking")
	fs.BoolVar(&f.keep, "keep", false, "with --orphans: keep them, and do not list them again")
}

// orphan is a project that is gone, and its records.
type orphan struct {
	project string // as its records name it
	slug    string // as workspace.json does; the same where that does not know it
	why     string
	records []*record.Record
	broken  []string       // ids of files that cannot be read
	kinds   map[string]int // of those in use
	unseen  bool           // nothing says that there ever was a folder: only that it is not known
	done    string         // archived, deleted, kept, or ""
	failed  error
}

func (o orphan) inUse() (n int) {
	for _, k := range o.kinds {
		n += k
	}
	return n + len(o.broken)
}

func runClean(c *call, f cleanFlags) error {
	chosen := 0
	for _, on := range []bool{f.archive, f.delete, f.keep} {
		if on {
			chosen++
		}
	}
	switch {
	case !f.orphans:
		return usage("memento gc --orphans; memento gc --purge deletes what was retired long ago",
			"what? --orphans finds records whose project is gone")
	case chosen > 1:
		return usage("memento help gc", "--archive, --delete and --keep exclude each other")
	case f.delete && !f.dry:
		if err := c.mayDestroy(f.yes,
			"add --yes if it is meant; --dry-run only lists what would go, --archive can be undone"); err != nil {
			return err
		}
	}
	at, err := c.writing(chosen > 0 && !f.dry)
	if err != nil {
		return err
	}
	all, err := c.orphans(at)
	if err != nil {
		return err
	}
	in := bufio.NewReader(c.In)
	ask := c.Terminal && !c.json && chosen == 0 && !f.dry
	for i := range all {
		o := &all[i]
		if !c.json {
			c.describeOrphan(*o)
		}
		do := ""
		switch {
		case f.archive:
			do = "archived"
		case f.delete:
			do = "deleted"
		case f.keep:
			do = "kept"
		case ask:
			do = c.askOrphan(in)
		}
		if o.done = do; f.delete && o.unseen && !slices.Contains(c.args, o.project) {
			do, o.done = "", ""
			const why = "its folder may be there, and not be known: memento gc --orphans --delete "
			o.failed = fmt.Errorf("%s%s deletes its records", why, o.project)
		}
		if do != "" && !f.dry {
			o.failed = c.settle(at, *o)
		}
		if !c.json {
			c.printSettled(*o, f.dry)
		}
	}
	if c.json {
		c.orphansJSON(all, f.dry)
	} else {
		switch {
		case len(all) == 0:
			fmt.Fprintln(c.Out, "No record's project is gone.")
		case chosen == 0 && !ask:
			fmt.Fprintln(c.Out, `
Nothing was done. memento gc --orphans [PROJECT...] with --archive archives their records, --keep keeps them
and lists them no more, --delete deletes them for good: a folder on a disk that is not mounted looks gone.`)
		}
	}
	for _, o := range all {
		if o.failed != nil {
			return errSilent
		}
	}
	return nil
}

// printSettled says what became of an orphan, or would.
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

// orphans finds the records whose project is gone. What is only archived or retired already needs nobody, unless it is
// named.
func (c *call) orphans(at *shelf) (out []orphan, err error) {
	w := c.workspace()
	if w.Err != nil {
		return nil, fmt.Errorf("clean: %w", w.Err)
	}
	counts, err := at.store.Projects()
	if err != nil {
		return nil, fmt.Errorf("clean: %w", err)
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
		o := orphan{project: name, slug: name, kinds: map[string]int{}}
		if seen {
			o.slug = k.Slug
		}
		switch {
		case name == naming.User, name == at.project, len(c.args) > 0 && !named,
			!named && slices.Contains(kept, o.slug):
			continue
		case worked[name] != "" && named:
			return nil, c.notGone(name, worked[name])
		case worked[name] != "":
			continue
		case !seen:
			o.unseen = true
			o.why = "no session was seen in a project of this name"
		case w.Stands(k, home):
			if named {
				return nil, c.notGone(name, k.Roots[0])
			}
			continue
		case len(k.Roots) == 0:
			o.why = "no folder of it is known"
		case len(k.Roots) == 1:
			o.why = "its folder is gone: " + k.Roots[0]
		default:
			o.why = fmt.Sprintf("its %d folders are gone, the last one %s", len(k.Roots), k.Roots[0])
		}
		list, problems, err := at.store.List(record.Filter{Project: name, Status: schema.Statuses()})
		if err != nil {
			return nil, fmt.Errorf("clean: %w", err)
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

func (c *call) notGone(project, root string) error {
	return hinted("memento archive archives single records; memento workspace show "+project,
		"%s is not gone: %s", project, root)
}

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

// askOrphan asks a person what to do; anything but a clear answer leaves it as it is.
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

// settle does with an orphan what was chosen. What cannot be done is said after all that can.
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
		one := members{
			{"project", o.project}, {"why", o.why}, {"records", array(ids)}, {"kinds", o.kinds}, {"done", o.done},
		}
		if o.failed != nil {
			one = append(one, member{"error", o.failed.Error()})
		}
		out = append(out, one)
	}
	c.printJSON(members{{"dry_run", dry}, {"orphans", out}})
}
