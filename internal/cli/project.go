package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
)

// knownProject returns nil if there is a project of this name: one that was seen, or that has records. Else it returns
// a *hintError, which says the name of today or lists the projects.
func knownProject(c *call, name string) error {
	w := c.workspace()
	k, seen := w.Named(name)
	logged, _ := log.Store{Dir: c.config.Dir}.Projects() // also of a project that the list has lost
	switch {
	case slices.Contains(logged, name):
		return nil
	case w.Err != nil:
		return w.Err
	case seen && k.Slug == name:
		return nil
	case seen:
		return usage("memento "+c.command.name+" --project "+k.Slug, "project %s is called %s now", name, k.Slug)
	}
	known, err := c.records().Projects()
	if err != nil {
		return err
	}
	delete(known, naming.User)
	if known[name] > 0 {
		return nil
	}
	for _, k := range w.Known {
		known[k.Slug]++
	}
	hint := meant(name, slices.Collect(maps.Keys(known)), "%s", "memento workspace lists them")
	return usage(hint, "no project is called %q", name)
}

// recordProject returns how records call the project that a person calls name, which may be a former name of its, or
// user for the person's own records. Errors: *hintError for what cannot be a project's name.
func recordProject(w project.Workspace, name string) (string, error) {
	name = strings.TrimSpace(name)
	if name == naming.User {
		return name, nil
	}
	if err := naming.CheckProject(name); err != nil {
		return "", usage("memento workspace lists the projects", "--project: %s", err)
	}
	return w.CurrentName(name), nil
}
