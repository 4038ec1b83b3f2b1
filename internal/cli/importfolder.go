package cli

import (
	"path/filepath"

	"github.com/mementohq/memento/internal/exchange"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
)

// folders are those of this machine that imported records belong to.
type folders struct {
	w     project.Workspace
	home  string
	found map[string]project.Project // by what its records name it
}

func (c *call) folders() folders {
	return folders{c.workspace(), c.home(), map[string]project.Project{}}
}

// of returns the project that the folder dir belongs to; "" for none, and for one that would be called as another folder here
// which was not seen before either.
func (f folders) of(dir string) string {
	p := f.w.Locate(dir, f.home)
	slug := f.w.Slug(p)
	if slug == "" {
		return ""
	}
	name := record.Project(slug)
	_, seen := f.w.Named(slug)
	if other, ok := f.found[name]; ok && other.ID != p.ID && !seen {
		return ""
	}
	f.found[name] = p
	return name
}

// called returns the slug of the project that another tool called key, and that stood at root: of one that memento knows, else
// what the folder at root is called, else key.
func (f folders) called(key, root string) string {
	name, known := projectCalled(f.w, key, root)
	// A share of another machine is not asked: an import says where it was, and that may be anywhere.
	local := filepath.IsAbs(root) && len(filepath.VolumeName(root)) <= 2
	if !local || known && record.Project(f.w.Slug(f.w.Locate(root, f.home))) != name {
		return name
	}
	if here := f.of(root); here != "" {
		return here
	}
	return name
}

// note records the folders that items belong to, so that no other project gets their names and nothing of them looks left over.
func (c *call) note(f folders, items []exchange.Item) error {
	noted := map[string]bool{}
	for _, it := range items {
		p, ok := f.found[it.Record.Project]
		if !ok || noted[it.Record.Project] || it.Outcome == exchange.Refused {
			continue
		}
		noted[it.Record.Project] = true
		if _, err := c.noteProject(p); err != nil {
			return err
		}
	}
	return nil
}
