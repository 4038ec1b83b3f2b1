package exchange

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/schema"
)

// Reach tells which projects of this machine imported records belong to, by what is known of the projects.
type Reach struct {
	Workspace project.Workspace
	Home      string

	found map[string]project.Project // by what its records name it
}

// ProjectAt returns the project that the folder dir belongs to; "" for none, and for one that would be called as another
// folder here which was not seen before either.
func (r *Reach) ProjectAt(dir string) string {
	p := r.Workspace.Locate(dir, r.Home)
	slug := r.Workspace.Slug(p)
	if slug == "" {
		return ""
	}
	name := naming.Project(slug)
	_, seen := r.Workspace.Named(slug)
	if other, ok := r.found[name]; ok && other.ID != p.ID && !seen {
		return ""
	}
	if r.found == nil {
		r.found = map[string]project.Project{}
	}
	r.found[name] = p
	return name
}

// ProjectNamed returns the slug of the project that another tool called key, and that stood at root: of one that memento knows,
// else what the folder at root is called, else key.
func (r *Reach) ProjectNamed(key, root string) string {
	name, known := r.named(key, root)
	// A share of another machine is not asked: an import says where it was, and that may be anywhere.
	local := filepath.IsAbs(root) && len(filepath.VolumeName(root)) <= 2
	if !local || known && naming.Project(r.Workspace.Slug(r.Workspace.Locate(root, r.Home))) != name {
		return name
	}
	if here := r.ProjectAt(root); here != "" {
		return here
	}
	return name
}

// named returns the slug of the project that another tool called key, and that stood at root: of one that memento knows
// by its root, or by its name alone when no other has that name; else key, which nobody knows.
func (r *Reach) named(key, root string) (name string, known bool) {
	plain := func(s string) string { return strings.ReplaceAll(strings.ToLower(s), "_", "-") }
	var named []string
	for _, k := range r.Workspace.Known {
		slug := naming.Project(k.Slug)
		if slug == key || root != "" && slices.Contains(k.Roots, filepath.Clean(root)) {
			return slug, true
		}
		called := func(root string) bool { return plain(filepath.Base(root)) == plain(key) }
		if plain(slug) == plain(key) || slices.ContainsFunc(k.Roots, called) {
			named = append(named, slug)
		}
	}
	if len(named) == 1 {
		return named[0], true
	}
	return key, false
}

// Folders returns the folders that items belong to: recorded, no other project gets their names and nothing of them
// looks left over.
func (r *Reach) Folders(items []Item) (out []project.Project) {
	noted := map[string]bool{}
	for _, it := range items {
		p, ok := r.found[it.Record.Project]
		if ok && !noted[it.Record.Project] && it.Outcome != Refused {
			noted[it.Record.Project] = true
			out = append(out, p)
		}
	}
	return out
}

// ProjectsOf lists the projects that drafts are of, those of no project left out.
func ProjectsOf(drafts []Draft) (out []string) {
	for _, d := range drafts {
		if p := d.Record.Project; p != naming.User && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// AssignProject gives all drafts to the project called name, but those of kinds that are of no project.
func AssignProject(drafts []Draft, name string) {
	for i := range drafts {
		r := &drafts[i].Record
		if kind, _ := schema.Named(r.Kind); !kind.Personal {
			r.Project = name
		}
	}
}
