package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/doctor"
	"github.com/mementohq/memento/internal/forget"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/text"
)

// knownProject returns nil if there is a project of this name, else a *usageError that lists the known projects.
func (c *call) knownProject(name string) error {
	var known []string
	w := c.workspace()
	if w.Err != nil {
		return fmt.Errorf("%s: %w", c.command.name, w.Err)
	}
	for _, k := range w.Known {
		known = append(known, k.Slug)
	}
	if slices.Contains(known, name) {
		return nil
	}
	if k, ok := w.Named(name); ok {
		return usage("memento "+c.command.name+" --project "+k.Slug, "%s: project %s is called %s now", c.command.name,
			name, k.Slug)
	}
	return c.noProject(name, known)
}

// hasProject is knownProject for a project that need not be known: it is enough that memento keeps files of it.
func (c *call) hasProject(name string) error {
	own := naming.Project(name)
	of := func(p string) bool { return p == own && p != naming.User }
	files, err := forget.Whole{Dir: c.config.Dir, Chosen: lanesOf(name), Records: of, Past: is(name)}.Files()
	if err != nil {
		return fmt.Errorf("%s: %w", c.command.name, err)
	}
	if len(files) > 0 { // even if the list of projects has lost it
		return nil
	}
	w := c.workspace()
	if _, ok := w.Named(name); ok || w.Err != nil {
		return c.knownProject(name)
	}
	return c.unknownProject(w, name)
}

// unknownProject returns the error for an unknown project. It lists the known ones and those with records.
func (c *call) unknownProject(w project.Workspace, name string) error {
	all := map[string]bool{}
	for _, k := range w.Known {
		all[k.Slug] = true
	}
	if s, err := c.shelf(); err == nil {
		if projects, err := s.store.Projects(); err == nil {
			for p := range projects {
				all[p] = true
			}
		}
	}
	delete(all, naming.User)
	return c.noProject(name, slices.Collect(maps.Keys(all)))
}

// noProject is the error for a name that is not in known.
func (c *call) noProject(name string, known []string) error {
	slices.Sort(known)
	hint := "memento workspace"
	if near := nearest(name, known); near != "" {
		hint = "did you mean " + near + "?"
	}
	there := "there are none"
	if len(known) > 0 {
		there = "there are: " + strings.Join(known[:min(len(known), 20)], ", ")
		if len(known) > 20 {
			there += ", …"
		}
	}
	return usage(hint, "%s: no project is called %q; %s", c.command.name, name, there)
}

// unseen prints a note if memento knows no project of this name.
func (c *call) unseen(name string) {
	var known []string
	for _, k := range c.workspace().Known {
		known = append(known, naming.Project(k.Slug))
	}
	if name == "" || name == naming.User || slices.Contains(known, name) {
		return
	}
	fmt.Fprintf(c.Err, "memento: note: no project called %s was seen here yet\n", text.Line(name))
	if near := nearest(name, known); near != "" {
		fmt.Fprintf(c.Err, "memento: hint: did you mean %s?\n", near)
	}
}

// warn prints a note if the file at path is damaged; missing says what an answer lacks then.
func (c *call) warn(path, missing string) {
	if err := doctor.Damaged(path); err != nil {
		fmt.Fprintf(c.Err, "memento: %s: %s\nmemento: hint: memento doctor\n", text.Line(worded(err)), missing)
	}
}
