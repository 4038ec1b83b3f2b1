package exchange

import (
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
)

// Reach finds the projects of this machine to which imported records belong.
type Reach struct {
	Workspace project.Workspace
	Home      string

	found map[string]project.Project // by the project name in its records
}

// At returns the project of a folder, "" for none.
func (r *Reach) At(dir string) string {
	p := r.Workspace.Locate(dir, r.Home)
	slug := r.Workspace.Slug(p)
	if slug == "" {
		return ""
	}
	if r.found == nil {
		r.found = map[string]project.Project{}
	}
	name := naming.Project(slug)
	r.found[name] = p
	return name
}

// Named returns memento's name of the project that another program calls key: that of the one known project whose name
// differs at most in case and underscores, or else key.
func (r *Reach) Named(key string) string {
	plain := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "_", "-") }
	var named []string
	for _, k := range r.Workspace.Known {
		slug := naming.Project(k.Slug)
		if slug == key {
			return slug
		}
		if plain(slug) == plain(key) {
			named = append(named, slug)
		}
	}
	if len(named) == 1 {
		return named[0]
	}
	return naming.Project(key)
}

// Folders returns the projects of the items that are not refused. The caller records them, so that no other project
// gets their names and no record looks orphaned.
func (r *Reach) Folders(items []Item) (out []project.Project) {
	noted := map[string]bool{}
	for _, it := range items {
		name := it.Record.Project
		if p, ok := r.found[name]; ok && !noted[name] && it.Outcome != Refused {
			noted[name] = true
			out = append(out, p)
		}
	}
	return out
}
