package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/doctor"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/text"
)

// knownProject returns nil if there is a project of this name: one that was seen, or that has records. Else it returns
// a *usageError, which says the name of today or lists the projects.
func knownProject(c *call, name string) error {
	w := c.workspace()
	k, seen := w.Named(name)
	switch {
	case w.Err != nil:
		return fmt.Errorf("%s: %w", c.command.name, w.Err)
	case seen && k.Slug == name:
		return nil
	case seen:
		return usage("memento "+c.command.name+" --project "+k.Slug, "%s: project %s is called %s now", c.command.name,
			name, k.Slug)
	}
	known, err := c.records().Projects()
	if err != nil {
		return fmt.Errorf("%s: %w", c.command.name, err)
	}
	delete(known, naming.User)
	if known[name] > 0 {
		return nil
	}
	for _, k := range w.Known {
		known[k.Slug]++
	}
	names := slices.Sorted(maps.Keys(known))
	hint, there := "memento workspace", "there are none"
	if near := nearest(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	if len(names) > 0 {
		there = "there are: " + strings.Join(names[:min(len(names), 20)], ", ")
	}
	if len(names) > 20 {
		there += ", …"
	}
	return usage(hint, "%s: no project is called %q; %s", c.command.name, name, there)
}

// noteUnseen prints a note if memento knows no project of this name.
func noteUnseen(c *call, name string) {
	var known []string
	for _, k := range c.workspace().Known {
		known = append(known, naming.Project(k.Slug))
	}
	if name == "" || name == naming.User || slices.Contains(known, name) {
		return
	}
	c.note("no project called %s was seen here yet", text.Line(name))
	if near := nearest(name, known); near != "" {
		fmt.Fprintf(c.Err, "memento: hint: did you mean %s?\n", near)
	}
}

// warn prints a note if the file at path is damaged; missing says what an answer lacks then.
func warn(c *call, path, missing string) {
	if err := doctor.Damaged(path); err != nil {
		fmt.Fprintf(c.Err, "memento: %s: %s\nmemento: hint: memento doctor\n", text.Line(worded(err)), missing)
	}
}
