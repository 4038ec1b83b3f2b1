package cli

import (
	"bufio"
	"errors"
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

// orphan is a project that is gone, and its records.
type orphan struct {
	project string // as its records name it
	why     string
	records []*record.Record
	broken  []string       // ids of files that cannot be read
	kinds   map[string]int // of those in use
}

// clearOrphans lists the records whose project is gone, and does with them what a person at a terminal says.
func (c *call) clearOrphans() error {
	at, err := c.openShelf(false)
	if err != nil {
		return err
	}
	all, err := c.orphans(at)
	if err != nil {
		return err
	}
	in, failed := bufio.NewReader(c.In), false
	for _, o := range all {
		fmt.Fprintf(c.Out, "%s: %s; %s\n", text.Line(o.project), o.counts(), text.Line(o.why))
		if !c.Terminal {
			continue
		}
		if err := c.askOrphan(at, o, in); err != nil {
			fmt.Fprintf(c.Err, "memento: %s: %s\n", text.Line(o.project), text.Line(err.Error()))
			failed = true
		}
	}
	switch {
	case failed:
		return errSilent
	case len(all) == 0:
		fmt.Fprintln(c.Out, "No record's project is gone.")
	case !c.Terminal:
		fmt.Fprintln(c.Out, "\nNothing was done: at a terminal memento gc --orphans asks what to do with each.")
	}
	return nil
}

// counts says how many records an orphan has, and of which kinds.
func (o orphan) counts() string {
	total, inUse := len(o.records)+len(o.broken), len(o.broken)
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(o.kinds)) {
		parts = append(parts, fmt.Sprintf("%d %s", o.kinds[name], text.Line(name)))
		inUse += o.kinds[name]
	}
	if n := len(o.broken); n > 0 {
		parts = append(parts, fmt.Sprintf("%d that cannot be read", n))
	}
	if total > inUse {
		parts = append(parts, fmt.Sprintf("%d archived or retired", total-inUse))
	}
	return fmt.Sprintf("%s (%s)", count(total, "record"), strings.Join(parts, ", "))
}

// orphans finds the projects that are gone and have records in use.
func (c *call) orphans(at *shelf) (out []orphan, err error) {
	w := c.workspace()
	if w.Err != nil {
		return nil, fmt.Errorf("gc: %w", w.Err)
	}
	counts, err := at.store.Projects()
	if err != nil {
		return nil, fmt.Errorf("gc: %w", err)
	}
	home := c.home()
	known := map[string]project.Known{}
	for _, k := range w.Known {
		for _, was := range k.Called() {
			known[naming.Project(was)] = k
		}
	}
	for _, k := range w.Known {
		known[naming.Project(k.Slug)] = k
	}
	for slug := range w.Worked(home) {
		delete(counts, naming.Project(slug))
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		k, seen := known[name]
		if name == naming.User || name == at.project || seen && w.Stands(k, home) {
			continue
		}
		o := orphan{project: name, kinds: map[string]int{}}
		switch {
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
			file := p.Path[strings.LastIndexAny(p.Path, `/\`)+1:]
			o.broken = append(o.broken, strings.TrimSuffix(file, naming.Ending))
		}
		if len(o.kinds)+len(o.broken) > 0 {
			out = append(out, o)
		}
	}
	return out, nil
}

// askOrphan asks a person what to do with an orphan, and does it. Anything but a clear answer leaves the orphan as it
// is. It goes on after an error, and returns the first one.
func (c *call) askOrphan(at *shelf, o orphan, in *bufio.Reader) (failed error) {
	fmt.Fprint(c.Err, "  [a]rchive, [d]elete for good (a folder on a disk that is not mounted looks gone), "+
		"or Enter for later? ")
	answer, _ := in.ReadString('\n')
	remove, done := false, "archived"
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "a", "archive":
	case "d", "delete":
		remove, done = true, "deleted"
	default:
		return nil
	}
	try := func(err error) {
		if err != nil && !errors.Is(err, record.ErrNotFound) && failed == nil {
			failed = err
		}
	}
	for _, r := range o.records {
		switch {
		case remove:
			try(at.store.Remove(r.ID))
		case r.Status == schema.Active, r.Status == schema.Completed:
			_, err := at.store.Move(r.ID, "archive", r.Hash(), isGone)
			try(err)
		}
	}
	for _, id := range o.broken {
		if remove {
			try(at.store.Remove(id))
		} else {
			try(fmt.Errorf("%s cannot be read, and stays where it is", id))
		}
	}
	if failed == nil {
		fmt.Fprintf(c.Out, "  %s\n", done)
	}
	return failed
}
