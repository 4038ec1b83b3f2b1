package cli

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mementohq/memento/internal/config"
	"github.com/mementohq/memento/internal/log"
	"github.com/mementohq/memento/internal/naming"
	"github.com/mementohq/memento/internal/project"
	"github.com/mementohq/memento/internal/record"
	"github.com/mementohq/memento/internal/session"
)

// folder is memento's folder: the settings, the projects and the records. Each part is read once, at its first use.
type folder struct {
	process  *Streams
	config   config.Config
	settled  bool // whether the settings were read
	problem  error
	projects *project.Workspace
	found    *project.Project // the one that the working folder belongs to
}

// load reads the settings.
func (f *folder) load() error {
	if !f.settled {
		f.settled = true
		f.config, f.problem = config.Load(f.process.Getenv)
		if errors.Is(f.problem, config.ErrNoHome) {
			f.problem = hinted("set HOME, or CLAUDE_CONFIG_DIR to the client's folder", "%w", f.problem)
		}
	}
	return f.problem
}

// home returns the user's home folder, "" if it is not known.
func (f *folder) home() string { return config.Home(f.process.Getenv) }

// workspace is the list of projects. A command that changes the list calls workspaceChanged.
func (f *folder) workspace() project.Workspace {
	if f.projects == nil {
		w := project.OpenWorkspace(f.config.Dir)
		f.projects = &w
	}
	return *f.projects
}

// workspaceChanged makes the next call of workspace read the list of projects again.
func (f *folder) workspaceChanged() { f.projects, f.found = nil, nil }

// here is the project that the working folder belongs to.
func (f *folder) here() project.Project {
	if f.found == nil {
		p := f.locate(f.process.Dir)
		f.found = &p
	}
	return *f.found
}

// locate is the project that the folder dir belongs to.
func (f *folder) locate(dir string) project.Project { return f.workspace().Locate(dir, f.home()) }

// noteProject adds p to the list of projects, so that no other project gets its name. It returns the slug, "" for no
// project.
func (f *folder) noteProject(p project.Project) (slug string, err error) {
	defer f.workspaceChanged()
	return project.OpenWorkspace(f.config.Dir).Record(p, f.process.Now(), wait)
}

// lane is the lane of a command that names no project: the session's, else that of the project that the working folder
// belongs to. It writes nothing. The error is the disk's.
func (f *folder) lane() (project.Lane, error) {
	if state, err := session.Load(f.config.Dir, f.sessionID()); err == nil {
		if lane, ok := project.LaneNamed(f.config.Dir, state.Lane); ok {
			return lane, nil
		}
	}
	w, found := f.workspace(), f.here()
	return project.NewLane(f.config.Dir, w.Slug(found), found.Worktree, f.config.Tag), w.Err
}

// isOwn reports whether path is in memento's folder.
func (f *folder) isOwn(path string) bool {
	rel, err := filepath.Rel(f.config.Dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// records opens the store of all records.
func (f *folder) records() record.Store {
	return record.Store{Dir: f.config.Dir, Now: f.process.Now, Wait: wait}
}

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
