package exchange

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/schema"
)

// Reach finds the projects of this machine to which imported records belong.
type Reach struct {
	Workspace project.Workspace
	Home      string

	found map[string]project.Project // by the project name in its records
}

// ProjectAt returns the project of a folder, "" for none. It returns "" also for an unknown folder whose name another
// folder has here already.
func (r *Reach) ProjectAt(dir string) string {
	if r == nil {
		return ""
	}
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

// ProjectNamed returns memento's name of the project that another program calls key, in the folder root: that of a
// known project, or else that of the folder at root, or else key.
func (r *Reach) ProjectNamed(key, root string) string {
	if r == nil {
		return key
	}
	name, known := r.named(key, root)
	// Do not open a share of another machine: an imported file may name any path.
	local := filepath.IsAbs(root) && len(filepath.VolumeName(root)) <= 2
	if !local || known && naming.Project(r.Workspace.Slug(r.Workspace.Locate(root, r.Home))) != name {
		return name
	}
	if here := r.ProjectAt(root); here != "" {
		return here
	}
	return name
}

// named returns memento's name of a known project: by its root, or by its name if just one project has that name. For
// any other project it returns key and false.
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

// Folders returns the projects of the items that are not refused. The caller records them, so that no other project
// gets their names and no record looks orphaned.
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

// ProjectsOf lists the projects of drafts, in order. Records of no project do not count.
func ProjectsOf(drafts []Draft) (out []string) {
	for _, d := range drafts {
		if p := d.Record.Project; p != naming.User && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

// AssignProject gives all drafts to the project called name, except those of personal kinds.
func AssignProject(drafts []Draft, name string) {
	for i := range drafts {
		r := &drafts[i].Record
		if kind, _ := schema.Named(r.Kind); !kind.Personal {
			r.Project = name
		}
	}
}
